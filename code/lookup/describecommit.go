package lookup

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/text"
)

// describeCommit shows a commit, its first words and the files that it touched.
func describeCommit(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, w Want,
) (doc.Description, error) {
	id := w.DocID
	v, err := r.Revision(ctx, snap, id)
	if err != nil {
		return doc.Description{}, err
	}
	d := shownCommit(v)
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
	d.Unlinked = max(0, len(paths)-touchedLinks)
	paths = paths[:len(paths)-d.Unlinked]
	ids := make([]int64, len(paths))
	for i, p := range paths {
		ids[i] = named[p]
	}
	now, err := PathsNow(ctx, r, snap, ids, v.Key)
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

// shownCommit describes a commit without its files.
func shownCommit(v store.RevisionRow) doc.Description {
	id := doc.CommitID(v.SHA)
	return doc.Description{
		DocID: id, Shown: id, Kind: doc.Commit, Title: v.Subject, Summary: firstWords(v.Body),
		SHA: v.SHA, Time: v.Time, Author: v.Author,
	}
}

// answeringParagraph returns the paragraph of a message's body that answers best, cut to its best
// words; the first words where no other has more.
func answeringParagraph(words *excerpt.Words, body, first string) string {
	best, most := first, words.Weigh(first)
	for p := range strings.SplitSeq(strings.ReplaceAll(body, "\r\n", "\n"), "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p == "" || trailer().MatchString(p) {
			continue
		}
		if cut := words.Cut(p); words.Weigh(cut) > most {
			best, most = cut, words.Weigh(cut)
		}
	}
	return best
}

var trailer = lazyregexp.New(`^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Reviewers?|Authors?|Cc): `)

// maxFirstWords is the number of bytes after which firstWords takes no further line.
const maxFirstWords = 160

// firstWords returns the beginning of a message's body: the lines up to the end of a sentence, a
// paragraph or a list item, without trailers such as "Signed-off-by: …". A line that ends in a
// colon goes with the list below it.
func firstWords(body string) string {
	var words []string
	n := 0
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		empty := line == "" || trailer().MatchString(line)
		item := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")
		if n > 0 && !strings.HasSuffix(words[len(words)-1], ":") && (empty || item) {
			break
		}
		if empty {
			continue
		}
		words = append(words, line)
		if n += len(line); n > maxFirstWords || strings.ContainsAny(line[len(line)-1:], ".!?") {
			break
		}
	}
	return strings.Join(words, " ")
}
