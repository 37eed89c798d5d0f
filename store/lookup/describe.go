package lookup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/store"
	"patina/store/text"
)

// A Want asks for the description of one document.
type Want struct {
	DocID    string
	Kind     store.Kind
	Chunks   []int         // ordinals of its best chunks for the question, best first; may be empty
	Question text.Question // chooses the part of a file that is shown
	Usage    bool          // link code to its callers and imports, the most expensive part
}

// maxAlso bounds the further symbols of a file in a description.
const maxAlso = 4

// Files that a description links to.
const (
	describedLinks = 2  // that change together with the described one
	touchedLinks   = 50 // that a commit touched
)

// Describe returns descriptions of documents, in order. For a document that this generation does
// not have the error wraps ErrNoDocument.
func Describe(ctx context.Context, r *store.Reader, wants []Want) ([]store.Description, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]store.Description, len(wants))
	for i, w := range wants {
		out[i], err = describe(ctx, r, snap, w)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("describe %q: %w", w.DocID, ErrNoDocument)
		}
		if err != nil {
			return nil, fmt.Errorf("describe %q: %w", w.DocID, store.Damaged(err))
		}
	}
	return out, nil
}

func describe(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, w Want,
) (store.Description, error) {
	t := store.KindOf(w.DocID).Traits()
	if t.Shape == store.OfRows {
		return describeCommit(ctx, r, snap, w.DocID)
	}
	path, part := strings.TrimPrefix(w.DocID, t.Prefix), ""
	f, err := r.FileNamed(ctx, snap, path)
	if errors.Is(err, sql.ErrNoRows) { // a path may hold the separators itself
		f, part, err = r.CutID(ctx, snap, path, t.Separator)
	}
	if err != nil {
		return store.Description{}, err
	}
	p, err := store.OpenParts(f)
	if err != nil {
		return store.Description{}, err
	}
	d := store.Description{
		DocID: w.DocID, Shown: w.DocID, Kind: f.Kind,
		Path: f.Path, Language: f.Language, Package: f.Pkg,
	}
	if d.Stat, err = r.Stat(ctx, snap, f.Key); err != nil {
		return store.Description{}, err
	}
	if part != "" {
		i := slices.IndexFunc(p.Entries, func(e store.Entry) bool { return e.Name == part })
		if i < 0 {
			return store.Description{}, sql.ErrNoRows
		}
		show(p, &d, i)
	} else if err := showBest(ctx, r, &d, p, w); err != nil {
		return store.Description{}, err
	}
	if f.Kind == store.Code && part == "" {
		d.Also = also(p, w, d.Symbol)
	}
	if d.Links, err = neighbours(ctx, r, f.Path); err != nil {
		return d, err
	}
	if f.Kind == store.Code && w.Usage {
		callers, imports, err := usage(ctx, r, snap, f.Key, d)
		if err != nil {
			return d, err
		}
		d.Links = slices.Concat(callers, d.Links, imports)
	}
	if d.Title == "" && f.Kind == store.Code {
		d.Summary, err = bestLine(ctx, r, f.Key, d.First, d.Last, w.Question)
	}
	return d, err
}

// neighbours returns the files that changed most often together with one, each with how often.
// It leaves out routine files, which change with everything.
func neighbours(ctx context.Context, r *store.Reader, path string) ([]store.Link, error) {
	links, err := coChanged(ctx, r, path, describedLinks, func(name string) bool {
		return !text.Routine(name)
	})
	if errors.Is(err, ErrNoDocument) {
		return nil, nil
	}
	for i := range links {
		links[i].Note, _, _ = strings.Cut(links[i].Note, " ")
	}
	return links, err
}

// show fills in one entry of the file.
func show(p store.Parts, d *store.Description, i int) {
	e := p.Entries[i]
	d.First, d.Last, d.Symbol, d.Title, d.Summary = e.First, e.Last, e.Name, e.Title, e.Summary
	d.Shown = p.File.Kind.PartID(p.File.Path, e.Name)
	if p.File.Kind == store.Code && e.Sort != store.Setting { // a setting is explained above it
		d.First = e.Line
	}
}

// showBest chooses the part of a file that is shown: the definition that the question asks for, or
// the beginning if the question is the file's path, else the best chunk's symbol.
func showBest(
	ctx context.Context, r *store.Reader, d *store.Description, p store.Parts, w Want,
) error {
	isCode := p.File.Kind == store.Code
	if f, ok := w.Question.Mentions.FrameIn(p.File.Path); ok && isCode {
		if i := FrameEntry(p.Entries, f); i >= 0 {
			show(p, d, i)
			return nil
		}
	}
	end, ok := WrittenPath(w.Question.Raw)
	if ok && isCode && strings.HasSuffix("/"+p.File.Path, "/"+end) {
		showBeginning(p, d)
		return nil
	}
	n, ok := Asked(w.Question.Raw)
	if !ok {
		n, ok = AskedSetting(w.Question.Raw)
	}
	if ok && isCode {
		bestScore, at := 0.0, -1
		for i, e := range p.Entries {
			if strings.EqualFold(store.LastName(e.Name), n.Last) {
				if x := DefinitionScore(n, p.File.Path, e); x > bestScore {
					bestScore, at = x, i
				}
			}
		}
		if at >= 0 {
			show(p, d, at)
			return nil
		}
	}
	if len(w.Chunks) == 0 || w.Chunks[0] >= len(p.Chunks) {
		if len(p.Entries) > 0 && !isCode {
			show(p, d, 0)
			return nil
		}
		showBeginning(p, d)
		return nil
	}
	c := p.Chunks[w.Chunks[0]]
	if c.Entry >= 0 {
		show(p, d, c.Entry)
		return nil
	}
	d.First, d.Last = c.First, c.Last
	return nil
}

// showBeginning shows the type that a file is named after ("NetworkClient.java", "arg_matches.rs"),
// else its first chunk.
func showBeginning(p store.Parts, d *store.Description) {
	stem, _, _ := strings.Cut(path.Base(p.File.Path), ".")
	plain := strings.NewReplacer("_", "", "-", "")
	stem = plain.Replace(stem)
	for i, e := range p.Entries {
		name := plain.Replace(store.LastName(e.Name))
		if e.Sort == store.Type && strings.EqualFold(name, stem) {
			show(p, d, i)
			return
		}
	}
	d.First, d.Last = 1, 1
	if len(p.Chunks) > 0 {
		d.First, d.Last = p.Chunks[0].First, p.Chunks[0].Last
	}
}

// also names the symbols of the next best chunks.
func also(p store.Parts, w Want, shown string) []string {
	var out []string
	for _, i := range w.Chunks {
		if i >= len(p.Chunks) || p.Chunks[i].Entry < 0 {
			continue
		}
		n := p.Entries[p.Chunks[i].Entry].Name
		if n != shown && !slices.Contains(out, n) && len(out) < maxAlso {
			out = append(out, n)
		}
	}
	return out
}

// bestLine returns the line with the most words of the question, trimmed, from a part of a file.
func bestLine(
	ctx context.Context, r *store.Reader, key int64, first, last int, q text.Question,
) (string, error) {
	body, err := r.Text(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	line, most := "", -1
	for _, l := range strings.Split(store.Lines(body, first, last), "\n") {
		if l = strings.TrimSpace(l); l == "" || len(l) > 2000 {
			continue
		}
		seen := make(map[string]bool)
		text.Runs(l, func(run string) {
			text.Words(run, func(w string) {
				if slices.Contains(q.Terms, w) {
					seen[w] = true
				}
			})
		})
		if len(seen) > most {
			line, most = l, len(seen)
		}
	}
	return line, nil
}
