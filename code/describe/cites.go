package describe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"strings"

	"patina/belief"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
)

// maxCited bounds the links and citations of a shown part that are looked up, because each costs a
// query.
const maxCited = 16

// inlineLink matches the target of a link in Markdown, without its heading.
var inlineLink = lazyregexp.New(`\]\(\s*<?([^()<>#?\s]{1,300})`)

// citedFiles links the shown part of a document to the first file of the index that it links to or
// names. The note says how many other files it names. A symbol counts if one place defines it.
// citedFiles returns nil if there is no such file.
func citedFiles(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, page *Page, d *doc.Description,
) ([]doc.Link, error) {
	lines, err := page.readLines(ctx, r)
	if err != nil || d.First < 1 {
		return nil, err
	}
	shown := strings.Join(lines.Between(d.First, min(max(d.First, d.Last), lines.Len())), "\n")
	seen := map[string]bool{d.Path: true}
	var first string
	add := func(p, symbol string) {
		if p == "" || seen[p] {
			return
		}
		seen[p] = true
		if first == "" && symbol != "" {
			first = doc.Code.PartID(p, symbol)
		} else if first == "" {
			first = p
		}
	}
	links := inlineLink().FindAllStringSubmatch(shown, maxCited)
	for _, m := range links {
		p, err := linkedFile(ctx, r, snap, d.Path, m[1])
		if err != nil {
			return nil, err
		}
		add(p, "")
	}
	citations := belief.Citations(shown)
	for _, c := range citations[:min(len(citations), maxCited-len(links))] {
		p, symbol, err := citedPlace(ctx, r, snap, c)
		if err != nil {
			return nil, err
		}
		add(p, symbol)
	}
	if first == "" {
		return nil, nil
	}
	l := doc.Link{Relation: "names", Target: first}
	if n := len(seen) - 2; n == 1 {
		l.Note = "+1 file"
	} else if n > 1 {
		l.Note = fmt.Sprintf("+%d files", n)
	}
	return []doc.Link{l}, nil
}

// linkedFile returns the file to which a link in a document leads, from its folder or from the
// root. It returns "" if the index has no such file.
func linkedFile(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, from, target string,
) (string, error) {
	for _, p := range []string{path.Join(path.Dir(from), target), path.Clean(strings.TrimPrefix(target, "/"))} {
		if ok, err := holdsFile(ctx, r, snap, p); err != nil || ok {
			return p, err
		}
	}
	return "", nil
}

// citedPlace returns the file that a citation means, and the symbol if it names one alone. Both are
// empty if the citation means no file, or more than one.
func citedPlace(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, c belief.Citation,
) (p, symbol string, err error) {
	if c.Path != "" {
		ok, err := holdsFile(ctx, r, snap, c.Path)
		if err != nil || ok {
			return c.Path, "", err
		}
		ends, err := lookup.FilesEnding(ctx, r, snap, c.Path)
		if err != nil || len(ends) != 1 {
			return "", "", err
		}
		for _, only := range ends {
			p = only
		}
		return p, "", nil
	}
	name, ok := xref.ParseName(c.Symbol)
	if c.Symbol == "" || !ok {
		return "", "", nil
	}
	defs, err := lookup.Definitions(ctx, r, snap, name)
	if err != nil || len(defs) != 1 {
		return "", "", err
	}
	return strings.Clone(defs[0].Path), strings.Clone(defs[0].Entry.Name), nil
}

// holdsFile reports whether the generation has a file with a path.
func holdsFile(ctx context.Context, r *store.Reader, snap *store.Snapshot, p string) (bool, error) {
	_, err := r.FileNamed(ctx, snap, p)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
