package lookup

import (
	"context"
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"

	"patina/store"
)

// A nameList holds the names that a generation's code defines, each once, for comparison with
// mistyped names. A process reads it for the second such name only, because a single query is
// cheaper for the first.
type nameList struct {
	mu       sync.Mutex
	asked    bool                   // whether a first name was looked up
	byLength map[int]*namesOfLength // names in ASCII; nil if not read
	others   []string               // names with other letters
	large    bool                   // whether all names take more than mostNames
}

// namesOfLength are names of one length, concatenated.
type namesOfLength struct {
	names   string
	letters []uint64 // lettersOf each name
}

// mostNames bounds the memory for the names of a generation, in bytes. It is enough for about
// 400,000.
const mostNames = 8 << 20

// lettersOf returns the set of letters in a name, ignoring case. An edit of one letter changes at
// most two of its bits.
func lettersOf(name string) (set uint64) {
	for i := range len(name) {
		set |= 1 << (lowerASCII(name[i]) % 64)
	}
	return set
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// eachName calls do with all names of a view that are within edits of name. It may call do with
// others too, so do must compare.
func eachName(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, name string, edits int, do func(string),
) error {
	least, most := len(name)-edits, len(name)+edits
	list := store.MemoOf[nameList](&snap.Memo)
	list.mu.Lock()
	first := !list.asked
	list.asked = true
	if !first && list.byLength == nil && !list.large {
		if err := list.readAll(ctx, r, snap); err != nil {
			list.mu.Unlock()
			return err
		}
	}
	list.mu.Unlock()
	if first || list.large {
		const query = `SELECT DISTINCT s.name COLLATE BINARY FROM symbol s
			JOIN seen v ON v.view = ? AND v.key = s.file WHERE LENGTH(s.name) BETWEEN ? AND ?`
		return readNames(ctx, r, query, []any{snap.View, least, most}, do)
	}
	letters := lettersOf(strings.ToLower(name))
	for n := least; n <= most; n++ {
		same := list.byLength[n]
		if same == nil {
			continue
		}
		for i, x := range same.letters {
			if bits.OnesCount64(x^letters) <= 2*edits {
				do(same.names[i*n : (i+1)*n])
			}
		}
	}
	for _, x := range list.others {
		if n := utf8.RuneCountInString(x); least <= n && n <= most {
			do(x)
		}
	}
	return nil
}

// readAll reads all names, or sets large if they are too many to keep.
func (l *nameList) readAll(ctx context.Context, r *store.Reader, snap *store.Snapshot) error {
	byLength := make(map[int]*strings.Builder)
	letters := make(map[int][]uint64)
	var others []string
	size := 0
	const query = `SELECT DISTINCT s.name COLLATE BINARY FROM symbol s JOIN seen v ON v.view = ? AND v.key = s.file`
	err := readNames(ctx, r, query, []any{snap.View}, func(name string) {
		if size += len(name) + 8; size > mostNames {
			return
		}
		n := len(name)
		switch {
		case utf8.RuneCountInString(name) < n:
			size += 16
			others = append(others, name)
			return
		case byLength[n] == nil:
			byLength[n] = &strings.Builder{}
		}
		byLength[n].WriteString(name)
		letters[n] = append(letters[n], lettersOf(name))
	})
	if err != nil {
		return err
	}
	if l.large = size > mostNames; l.large {
		return nil
	}
	l.others, l.byLength = others, make(map[int]*namesOfLength, len(byLength))
	for n, b := range byLength {
		l.byLength[n] = &namesOfLength{b.String(), letters[n]}
	}
	return nil
}

// readNames calls do with the name in each row of a query.
func readNames(ctx context.Context, r *store.Reader, query string, args []any, do func(string)) error {
	err := r.EachRow(ctx, query, args, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		if err == nil {
			do(name)
		}
		return err
	})
	return store.Damaged(err)
}
