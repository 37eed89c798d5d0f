package describe

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"patina/code/history"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/text"
)

// describeCommit describes a commit: its first words, its reason and the files that it touched.
func describeCommit(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, w Want,
) (doc.Description, error) {
	id := w.DocID
	v, err := r.Revision(ctx, snap, id)
	if err != nil {
		return doc.Description{}, err
	}
	d := history.CommitDescription(v)
	if w.Words != nil {
		d.Summary = answeringParagraph(w.Words, v.Body, d.Summary)
	}
	d.DocID, d.Shown = id, id // as asked
	named, err := r.PathsOf(ctx, v.Files)
	if err != nil {
		return d, err
	}
	if d.Why, err = commitReason(ctx, r, snap, v, len(named), d.Summary, w.Words); err != nil {
		return d, err
	}
	if d.Why.Text == d.Summary {
		d.Summary = ""
	}
	paths := slices.Sorted(maps.Keys(named))
	text.RoutineLast(paths)
	d.Unlinked = max(0, len(paths)-history.TouchedLinks)
	paths = paths[:len(paths)-d.Unlinked]
	ids := make([]int64, len(paths))
	for i, p := range paths {
		ids[i] = named[p]
	}
	now, err := history.PathsNow(ctx, r, snap, ids, v.Key)
	for i, then := range paths {
		l := doc.Link{Relation: "touches", Target: cmp.Or(now[ids[i]], then)}
		if l.Target != then {
			l.Note = "then " + then
		}
		if !slices.ContainsFunc(d.Links, func(x doc.Link) bool { return x.Target == l.Target }) {
			d.Links = append(d.Links, l)
		}
	}
	return d, err
}

// answeringParagraph returns the paragraph of a message's body that answers best, cut to its best
// words. It returns first if no paragraph weighs more.
func answeringParagraph(words *excerpt.Words, body, first string) string {
	best, most := first, words.Weigh(first)
	for p := range strings.SplitSeq(strings.ReplaceAll(body, "\r\n", "\n"), "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p == "" || history.IsTrailer(p) {
			continue
		}
		if cut := words.Cut(p); words.Weigh(cut) > most {
			best, most = cut, words.Weigh(cut)
		}
	}
	return best
}
