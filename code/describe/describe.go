package describe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/code/callers"
	"patina/code/history"
	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/text"
)

// A Want is a request for the description of one document.
type Want struct {
	DocID    string
	Kind     doc.Kind
	Found    []excerpt.Found // its best chunks, by channel; may be empty
	Question text.Question   // decides which part of a file is shown
	Words    *excerpt.Words  // of the question, to choose lines; if nil, no lines are shown
	Places   int             // most places of a file, each with a description of its own; 0 means 1
	Usage    bool            // whether to link code to its callers and imports, which costs most
	OneLink  bool            // whether one link is enough, whichever costs least
	Page     *Page           // the file, if it was opened before; if nil, it is read
	Line     int             // the line of a literal, which must be shown; 0 if there is none
}

// describedLinks bounds the files that change together with the described one.
const describedLinks = 2

// Describe returns descriptions of documents, in order. A document with several places has one for
// each, all with its id. The error wraps lookup.ErrNoDocument if this generation does not have a
// document.
func Describe(ctx context.Context, r *store.Reader, wants []Want) ([]doc.Description, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var out []doc.Description
	for _, w := range wants {
		d, others, err := describeOne(ctx, r, snap, w)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("describe %q: %w", w.DocID, lookup.ErrNoDocument)
		}
		if err != nil {
			return nil, fmt.Errorf("describe %q: %w", w.DocID, store.Damaged(err))
		}
		out = append(append(out, d), others...)
	}
	return out, nil
}

func describeOne(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, w Want,
) (d doc.Description, others []doc.Description, err error) {
	t := doc.KindOf(w.DocID).Traits()
	if t.Shape == doc.OfRows {
		d, err = describeCommit(ctx, r, snap, w)
		return d, nil, err
	}
	page, part, err := openDocument(ctx, r, snap, strings.TrimPrefix(w.DocID, t.Prefix), w)
	if err != nil {
		return d, nil, err
	}
	p, f := page.file.Parts, page.file.File
	d = doc.Description{
		DocID: w.DocID, Shown: w.DocID, Kind: f.Kind,
		Path: f.Path, Language: f.Language, Package: f.Pkg, Stat: page.file.Stat,
	}
	if part != "" {
		i := slices.IndexFunc(p.Entries, func(e doc.Entry) bool { return e.Name == part })
		if i < 0 {
			return d, nil, sql.ErrNoRows
		}
		showNamed(&d, p, i, page.lines, w)
	} else {
		others = showBest(&d, page, w)
	}
	if d.Links, err = neighboursOf(ctx, r, snap, f.Path); err != nil {
		return d, nil, err
	}
	if err := tellBelief(ctx, r, snap, page, w, &d); err != nil {
		return d, nil, err
	}
	if f.Kind == doc.Code {
		if err := noteBeliefs(ctx, r, snap, &d); err != nil {
			return d, nil, err
		}
	}
	d.Why = page.reason(&d, w.Words)
	return d, others, linkFacts(ctx, r, snap, page, w, &d)
}

// linkFacts links code to its callers and imports, and other documents to the files that they name,
// if usage is wanted. Imports of the project come before files that change together, foreign ones
// after them. A document without any link is linked to the newest commit that touched its file.
func linkFacts(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, page *Page, w Want, d *doc.Description,
) error {
	switch {
	case !w.Usage:
	case d.Kind == doc.Code && w.OneLink && len(d.Links) > 0:
	case d.Kind == doc.Code:
		if w.OneLink {
			file := *d
			file.Symbol = ""
			_, imports, err := callers.Usage(ctx, r, snap, page.file.File.Key, file)
			if err != nil || len(imports) > 0 && callers.IsOwnImport(imports[0]) {
				d.Links = imports
				return err
			}
		}
		from, imports, err := callers.Usage(ctx, r, snap, page.file.File.Key, *d)
		if err != nil {
			return err
		}
		if len(imports) > 0 && callers.IsOwnImport(imports[0]) {
			d.Links = slices.Concat(from, imports, d.Links)
		} else {
			d.Links = slices.Concat(from, d.Links, imports)
		}
	case d.Belief == nil:
		named, err := citedFiles(ctx, r, snap, page, d)
		if err != nil {
			return err
		}
		d.Links = append(d.Links, named...)
	}
	if !w.Usage || len(d.Links) > 0 {
		return nil
	}
	newest, _, err := history.Touching(ctx, r, d.Path, 1)
	d.Links = newest
	return err
}

// openDocument opens the file of a document. part is the name of the document within it, or "" if
// the document is the file.
func openDocument(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, path string, w Want,
) (page *Page, part string, err error) {
	if w.Page != nil && w.Page.file.File.Path == path {
		return w.Page, "", nil
	}
	page = &Page{}
	page.file, err = r.KeptFile(ctx, snap, path)
	if errors.Is(err, sql.ErrNoRows) {
		if path, err = lookup.ReplaceID(ctx, r, snap, w.DocID, path); err == nil {
			page.file, err = r.KeptFile(ctx, snap, path)
		}
	}
	if errors.Is(err, sql.ErrNoRows) { // a path may hold the separators itself
		page.file, part, err = r.KeptPart(ctx, snap, path, doc.KindOf(w.DocID).Traits().Separator)
	}
	if err == nil && w.Words != nil {
		page.lines, err = linesOf(ctx, r, page.file.File.Key)
	}
	return page, part, err
}

// keptNeighbours bounds the neighbours that a generation keeps, those of about 4,000 files.
const keptNeighbours = 1 << 20 // bytes

type recentNeighbours = store.Recent[string, []doc.Link]

// neighboursOf returns the files that change together with one more often than by chance, without
// routine files.
func neighboursOf(ctx context.Context, r *store.Reader, snap *store.Snapshot, path string) ([]doc.Link, error) {
	kept := store.MemoOf[recentNeighbours](&snap.Memo)
	if links, ok := kept.Get(path); ok {
		return slices.Clone(links), nil
	}
	links, err := history.Neighbours(ctx, r, path, describedLinks)
	if err == nil {
		kept.Put(strings.Clone(path), slices.Clone(links), 100+len(path)+callers.LinksSize(links), keptNeighbours)
	}
	return links, err
}
