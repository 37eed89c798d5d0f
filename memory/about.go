package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"patina/memory/recall"
	"patina/store/doc"
	"patina/store/sqlite"
)

// maxAbout bounds the memories that are read about one place.
const maxAbout = 200

// About returns the current memories whose place is a file, or a symbol in it, at most maxAbout.
// The path must be as the memories have it, from the project's root. Without a symbol, these are
// all memories about the file and its symbols. With one, those about another symbol are left out. A
// memory with a symbol and no path is about each symbol of its name. Pinned ones come first, then
// those about the symbol, then the newest.
//
// It reads the index of paths and the posting list of the symbol, never all memories.
func (s *Store) About(ctx context.Context, path, symbol string) ([]Memory, error) {
	var found []Memory
	if path != "" {
		inFile, err := listMemories(ctx, s.db, ` WHERE path = ? AND path != '' AND valid_to IS NULL
			ORDER BY key DESC LIMIT ?`, path, maxAbout)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(inFile, func(m Memory) bool { return symbol != "" && !meansSymbol(m.Symbol, symbol) })
	}
	if symbol != "" {
		named, err := s.aboutSymbol(ctx, symbol)
		if err != nil {
			return nil, err
		}
		found = append(found, named...)
	}
	slices.SortStableFunc(found, func(a, b Memory) int {
		return cmp.Or(cmp.Compare(boolToInt(b.Pinned), boolToInt(a.Pinned)),
			cmp.Compare(boolToInt(symbol != "" && b.Symbol != ""), boolToInt(symbol != "" && a.Symbol != "")),
			b.Created.Compare(a.Created))
	})
	return found[:min(len(found), maxAbout)], nil
}

// aboutSymbol returns the current memories that have a symbol and no path.
func (s *Store) aboutSymbol(ctx context.Context, symbol string) ([]Memory, error) {
	where, args := ` WHERE symbol != ''`, []any(nil)
	if words := recall.Words(doc.LastName(symbol)); len(words) > 0 { // Get is a stop word
		keys, err := s.keysOfWord(ctx, words[0], inSymbol)
		if err != nil || len(keys) == 0 {
			return nil, err
		}
		where, args = ` WHERE key IN (SELECT value FROM json_each(?))`, []any{jsonOf(keys)}
	}
	found, err := listMemories(ctx, s.db, where+` AND path = '' AND valid_to IS NULL ORDER BY key DESC LIMIT ?`,
		append(args, maxAbout)...)
	return slices.DeleteFunc(found, func(m Memory) bool { return m.Symbol == "" || !meansSymbol(m.Symbol, symbol) }), err
}

// keysOfWord returns the keys of the memories that have a word, in all fields of some marks.
func (s *Store) keysOfWord(ctx context.Context, word string, marks byte) (keys []int64, err error) {
	blocks, _, err := s.postings(ctx, word)
	for _, b := range blocks {
		for i := 0; i+entrySize <= len(b.list); i += entrySize {
			if b.list[i+2]&marks == marks {
				keys = append(keys, b.first+int64(binary.LittleEndian.Uint16(b.list[i:])))
			}
		}
	}
	return keys, sqlite.Explain(err)
}

// meansSymbol reports whether a memory's symbol is the given one. Either may leave out the names in
// front, as "Expire" does for "Table.Expire". A memory without a symbol is about the whole file.
func meansSymbol(kept, symbol string) bool {
	if kept == "" {
		return true
	}
	kept, symbol = doc.BareName(kept), doc.BareName(symbol)
	return kept == symbol || endsWithName(kept, symbol) || endsWithName(symbol, kept)
}

// endsWithName reports whether a name ends with another one, after a separator.
func endsWithName(long, short string) bool {
	front, ok := strings.CutSuffix(long, short)
	return ok && short != "" && (strings.HasSuffix(front, ".") || strings.HasSuffix(front, ":"))
}

// Glance calls read with the store of a path, which is only read and never migrated: the error of
// an older version's store wraps ErrOlder. It may call read twice, and then the last call counts. A
// missing store is not read.
func Glance(ctx context.Context, store string, read func(*Store) error) error {
	if err := checkRegular(store); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := sqlite.CheckSize(store); err != nil {
		return err
	}
	return withStore(ctx, store, read)
}

// Sharing returns the current memories that share the rarest words with texts, best first, at most
// limit. Unlike Recall it has no floor, because long texts share few of their words with a note. It
// reads the lists of at most 64 words of each text.
func (s *Store) Sharing(ctx context.Context, texts []string, limit int) ([]Memory, error) {
	var words []recall.Term
	seen := map[string]bool{}
	for _, t := range texts {
		for _, w := range recall.Question(t) {
			if !seen[w] {
				seen[w] = true
				words = append(words, recall.Term{Word: w})
			}
		}
	}
	allowed, err := s.allowed(ctx, Filter{})
	if err != nil || len(words) == 0 {
		return nil, sqlite.Explain(err)
	}
	best, _, err := s.lexical(ctx, words, recall.Measured, limit, allowed)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	var found []Memory
	for _, m := range best {
		one, err := listMemories(ctx, s.db, ` WHERE key = ? AND valid_to IS NULL`, m.key)
		if err != nil {
			return nil, err
		}
		found = append(found, one...)
	}
	return found, nil
}
