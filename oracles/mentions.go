package oracles

import (
	"context"
	"slices"
	"strings"

	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

const (
	maxNameFiles = 5  // files for one identifier; with more, it means no particular file
	maxSameName  = 60 // definitions with one name; a name with more is skipped
	maxNames     = 400
	nearBest     = 0.7 // times the best definition; lower ones are skipped
)

// mentioned is a long text's evidence by file key: P, F, N and M. Its maps are nil for a short
// question.
type mentioned struct{ paths, frames, names, messages map[int64]float64 }

// any returns the files with any of this evidence.
func (d mentioned) any() map[int64]bool {
	all := map[int64]bool{}
	for _, m := range []map[int64]float64{d.paths, d.frames, d.names, d.messages} {
		for k := range m {
			all[k] = true
		}
	}
	return all
}

// namedBy finds the code files that a long text names. It finds nothing for a short question.
func namedBy(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, q text.Question,
) (d mentioned, err error) {
	if !q.Long {
		return d, nil
	}
	files, err := lookup.FilesNamed(ctx, r, snap, q.Mentions.Paths)
	if err != nil {
		return d, store.Damaged(err)
	}
	d.paths, d.frames = map[int64]float64{}, map[int64]float64{}
	for _, p := range q.Mentions.Paths {
		found := files.Meant(p)
		for _, f := range found {
			d.paths[f.Key] = max(d.paths[f.Key], 1/float64(len(found)))
		}
	}
	traced, err := lookup.Traced(ctx, r, snap, q.Mentions.Frames)
	if err != nil {
		return d, store.Damaged(err)
	}
	depth := 0
	for _, found := range traced {
		deeper := 0
		for _, f := range found {
			if _, known := d.frames[f.Key]; !known {
				deeper = 1
			}
			d.frames[f.Key] = max(d.frames[f.Key], 1/(1+float64(depth)/2)/float64(len(found)))
		}
		depth += deeper
	}
	if d.messages, err = printedShare(ctx, r, snap, q.Mentions.Words); err != nil {
		return d, store.Damaged(err)
	}
	d.names, err = namedSymbols(ctx, r, snap, q.Mentions.Names)
	return d, store.Damaged(err)
}

// namedSymbols returns N: each file's confidence that the text means its definitions, as a share of
// the highest.
func namedSymbols(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, names map[string]float64,
) (map[int64]float64, error) {
	rare, err := rareNames(ctx, r, snap, names)
	if err != nil {
		return nil, err
	}
	out := map[int64]float64{}
	best := 0.0
	for _, n := range rare {
		ds, err := lookup.Definitions(ctx, r, snap, xref.Name{Last: n})
		if err != nil {
			return nil, err
		}
		for key, kind := range definersOf(n, ds, snap.Tests) {
			out[key] += names[n] * kind
			best = max(best, out[key])
		}
	}
	for key := range out {
		out[key] /= best
	}
	return out, nil
}

// rareNames returns the names with one to maxSameName definitions. Only the maxNames heaviest names
// are looked up.
func rareNames(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, names map[string]float64,
) ([]string, error) {
	all := make([]string, 0, len(names))
	for n := range names {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b string) int {
		if names[a] != names[b] {
			return map[bool]int{true: -1, false: 1}[names[a] > names[b]]
		}
		return strings.Compare(a, b)
	})
	all = all[:min(len(all), maxNames)]
	return lookup.DefinedNames(ctx, r, snap, all, maxSameName)
}

// definersOf returns the files that define a name in exactly this case, each with the definition's
// weight divided by the number of files. It returns nil if there are too many.
func definersOf(n string, ds []xref.Definition, tests bool) map[int64]float64 {
	kinds := map[int64]float64{}
	best := 0.0
	for _, d := range ds {
		isTest := d.Class&(doc.TestFolder|doc.TestName) != 0
		if doc.LastName(d.Entry.Name) != n || isTest && !tests {
			continue
		}
		kinds[d.File] = max(kinds[d.File], definitionKind(d.Entry))
		best = max(best, kinds[d.File])
	}
	for key, k := range kinds {
		if k < nearBest*best {
			delete(kinds, key)
		}
	}
	if len(kinds) > maxNameFiles {
		return nil
	}
	for key, k := range kinds {
		kinds[key] = k / float64(len(kinds))
	}
	return kinds
}

// definitionKind returns the weight of a definition by its sort, and a lower one for a very short
// definition.
func definitionKind(e doc.Entry) float64 {
	k := map[doc.Sort]float64{doc.Type: 1, doc.Function: 0.85, doc.Method: 0.6}[e.Sort]
	if k == 0 {
		k = 0.3
	}
	if e.Last-e.Line < 2 {
		k *= 0.6
	}
	return k
}
