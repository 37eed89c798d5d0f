package lookup

import (
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"

	"patina/code/xref"
	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// These words are around the name of a file whose contents a question asks for: "in a.conf", "what
// does a.conf say".
var (
	beforeFile = text.Set("in inside within")
	saysOfFile = text.Set("say says do contain contains define defines hold holds set sets " +
		"configure configures mean list lists")
)

// fileForm matches a file name with an extension, but not a number or the end of a sentence.
var fileForm = lazyregexp.New(`^[\pL\pN_./@+-]*[\pL\pN_]\.[A-Za-z][A-Za-z0-9]{0,9}$`)

// WrittenFile returns the name of the file whose contents a question asks for, as it is spelled
// there. If the question is only a path, use WrittenPath.
func WrittenFile(question string) (name string, ok bool) {
	if len(question) > xref.MaxName || !strings.Contains(question, ".") {
		return "", false
	}
	words := strings.Fields(question)
	for i, w := range words {
		w = strings.Trim(w, "`'\",;:?!()<>")
		if w = strings.TrimSuffix(w, "'s"); !fileForm().MatchString(w) || i == 0 {
			continue
		}
		before := strings.ToLower(words[i-1])
		says := func() bool {
			return i+1 < len(words) && saysOfFile.Has(strings.ToLower(strings.Trim(words[i+1], "?,.")))
		}
		if beforeFile.Has(before) || before == "does" && says() {
			return strings.TrimPrefix(w, "./"), true
		}
	}
	return "", false
}

// writtenFile adds the file named by WrittenFile to the documents that a question names, unless one
// of them is in that file.
func writtenFile(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, q text.Question, out []doc.Ranked,
) ([]doc.Ranked, error) {
	name, ok := WrittenFile(q.Raw)
	if !ok || q.Long || len(out) == maxExact || path.Ext(name) == "" {
		return out, nil
	}
	d, err := fileByPath(ctx, r, snap, name)
	if errors.Is(err, sql.ErrNoRows) || slices.ContainsFunc(out, func(o doc.Ranked) bool { return o.Path == d.Path }) {
		return out, nil
	}
	return append(out, d), err
}

// onlyDeclares reports whether a definition is in a file of declarations: a header, or a file with
// only types.
func onlyDeclares(d xref.Definition) bool {
	switch path.Ext(d.Path) {
	case ".h", ".hh", ".hpp", ".hxx":
		return true
	}
	return d.Class&(doc.Header|doc.Declaration) != 0
}
