package knowledge

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"

	"patina/belief"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// A definition is a symbol in a file.
type definition struct{ path, name string }

// symbols returns the definitions that a cited name means. The qualifier of a name must be the
// definition's type, or a component of its path. It returns nil if there are too many.
func (f *ReachFinder) symbols(ctx context.Context, cited string) ([]definition, error) {
	found, err := f.defined(ctx, cited)
	if owner := belief.LastName(strings.TrimRight(strings.TrimSuffix(cited, belief.LastName(cited)),
		":.->#")); owner != "" {
		found = slices.DeleteFunc(found, func(d definition) bool { return !d.isWithin(owner) })
	}
	if len(found) > maxMeanings {
		found = nil
	}
	return found, err
}

// isWithin reports whether a definition is in a type, a file or a folder with this name.
func (d definition) isWithin(owner string) bool {
	if container, _, ok := strings.Cut(d.name, "."); ok && container == owner {
		return true
	}
	for part := range strings.SplitSeq(d.path, "/") {
		stem, _, _ := strings.Cut(part, ".")
		if strings.EqualFold(stem, owner) {
			return true
		}
	}
	return false
}

// defined returns the definitions with a name, at most one more than a citation may mean. The files
// with the oldest keys come first.
func (f *ReachFinder) defined(ctx context.Context, cited string) (out []definition, err error) {
	last := belief.LastName(cited)
	var keys []int64
	err = f.reader.EachRow(ctx, `SELECT DISTINCT file FROM symbol WHERE name = ? ORDER BY file LIMIT 200`, []any{last},
		func(scan func(...any) error) error {
			var key int64
			err := scan(&key)
			keys = append(keys, key)
			return err
		})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if !f.snap.Members.Has(key) {
			continue
		}
		row, err := f.reader.FileAt(ctx, key)
		if err != nil {
			return nil, store.Damaged(err)
		}
		entries, err := format.DecodeEntries(row.Entries)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if own := doc.BareName(e.Name); belief.LastName(own) == last && e.Sort != doc.Setting {
				out = append(out, definition{row.Path, own})
				break // one for each file
			}
		}
	}
	return out, nil
}

// touched returns a commit's short id, and the code files that it touched. A large commit has no
// files here.
func (f *ReachFinder) touched(ctx context.Context, sha string) (id string, paths []string, err error) {
	v, err := f.reader.Revision(ctx, f.snap, sha)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, store.Damaged(err)
	}
	named, err := f.reader.PathsOf(ctx, v.Files)
	if err != nil || len(named) > maxTouched {
		return "", nil, err
	}
	for p := range named {
		if slices.Contains(f.byName[lastPart(p)], p) && f.isCode[p] {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return v.SHA[:min(8, len(v.SHA))], paths, nil
}

// unsaid are the classes of files that beliefs are rarely about. They are reached only by
// citations.
const unsaid = doc.TestFolder | doc.TestName | doc.Example | doc.Generated | doc.Vendored | doc.Data |
	doc.Declaration | doc.Translation | doc.OtherText

// worded adds the code files that have most of a statement's words in one chunk, weighted by
// rarity. A file not named by one of the words needs a larger share, because long chunks have many
// words by chance.
func (f *ReachFinder) worded(ctx context.Context, b BeliefText, s surest) error {
	terms := stemsOf(b)
	if len(terms) < leastWords {
		return nil
	}
	best, all, err := f.shares(ctx, terms)
	if err != nil {
		return err
	}
	var found []Reached
	for key, share := range best {
		share /= all
		if share >= otherShare || share >= namedShare && f.namedBy(f.code[key], terms) {
			found = append(found, Reached{Path: f.code[key], Score: sharedWords * share, Reason: sharesWords})
		}
	}
	slices.SortFunc(found,
		func(a, b Reached) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path)) })
	for _, r := range found[:min(len(found), maxByWords)] {
		s.addReached(r)
	}
	return nil
}

// shares returns the weight of the terms in each file's best chunk, and of all terms. A term that
// is in no code has no weight.
func (f *ReachFinder) shares(ctx context.Context, terms []string) (best map[int64]float64, all float64, err error) {
	segments := slices.DeleteFunc(slices.Clone(f.snap.Segments),
		func(g *store.Segment) bool { return g.Space != string(doc.Code) })
	lists, err := f.reader.Lists(ctx, segments, terms)
	if err != nil {
		return nil, 0, err
	}
	df, total := make([]int, len(terms)), 0
	for i, g := range segments {
		total += int(g.Chunks)
		for t, l := range lists[i] {
			df[t] += l.Len
		}
	}
	best = make(map[int64]float64)
	for i, g := range segments {
		chunks := make(map[uint32]float64)
		of := make(map[uint32]int64)
		for t, l := range lists[i] {
			if l.Len == 0 {
				continue
			}
			weight := text.IDF(df[t], total)
			err := g.Walk(l, func(group int, p text.Posting) {
				if key := g.Keys[group]; f.code[key] != "" && (g.Hidden == nil || !g.Hidden[group]) {
					chunks[p.Chunk] += weight
					of[p.Chunk] = key
				}
			})
			if err != nil {
				return nil, 0, err
			}
		}
		for c, weight := range chunks {
			best[of[c]] = max(best[of[c]], weight)
		}
	}
	for t := range terms {
		if df[t] > 0 {
			all += text.IDF(df[t], total)
		}
	}
	return best, max(all, 1e-9), nil
}

// maxStems bounds the words of a statement that count.
const maxStems = 16

// stemsOf returns the stems of a belief's id and statement, without stop words.
func stemsOf(b BeliefText) (terms []string) {
	text.Runs(b.ID+" "+b.Statement, func(run string) {
		lower := strings.ToLower(run)
		if t := text.Stem(lower); !text.IsStop(lower) && len(lower) > 2 && !slices.Contains(terms, t) &&
			len(terms) < maxStems {
			terms = append(terms, t)
		}
	})
	return terms
}

// namedBy reports whether the name of a file or of its folder has one of the terms. Terms in the
// names of many files, such as the project's own name, do not count.
func (f *ReachFinder) namedBy(p string, terms []string) bool {
	names := f.names()
	return slices.ContainsFunc(nameOf(p), func(word string) bool {
		return slices.Contains(terms, word) && names[word] <= max(fewNames, len(f.code)/manyNames)
	})
}

// nameOf returns the words in the names of a file and of its folder, each once.
func nameOf(p string) (words []string) {
	parts := strings.Split(strings.TrimSuffix(p, path.Ext(p)), "/")
	for _, part := range parts[max(0, len(parts)-2):] {
		text.Runs(part, func(run string) {
			text.Words(run, func(word string) {
				if !slices.Contains(words, word) {
					words = append(words, word)
				}
			})
		})
	}
	return words
}
