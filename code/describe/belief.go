package describe

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/store"
	"patina/store/doc"
	"patina/store/markdown"
)

// maxBeliefLines bounds the lines of a belief's text that are shown besides its statement.
const maxBeliefLines = 3

// tellBelief fills in the statement of a belief, its standing, and links to the beliefs that it
// supports and attacks. It links a session too, and leaves other documents as they are.
func tellBelief(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, page *Page, w Want, d *doc.Description,
) error {
	switch d.Kind {
	case doc.Session:
		return tellSession(ctx, r, snap, page, w, d)
	case doc.Belief:
	default:
		return nil
	}
	n, ok, err := knowledge.NoteOf(ctx, r, snap, page.file.File.Key)
	if err != nil || !ok {
		return err
	}
	d.Belief, d.Shown = &n, doc.Belief.FileID(n.ID)
	checks := fencedLines(page.lines.Between(1, page.lines.Len()))
	d.Lines = slices.DeleteFunc(d.Lines, func(l doc.Line) bool {
		return l.Number >= n.Line && l.Number <= n.End || markdown.IsHeading(l.Text) ||
			n.Source == belief.OwnFile && checks[l.Number]
	})
	if d.Lines = d.Lines[:min(len(d.Lines), maxBeliefLines)]; len(d.Lines) == 0 {
		d.Lines = nil
	}
	d.Signed, d.Within = 0, false
	d.Title, d.Summary = n.Statement, n.Statement
	if n.Source == belief.OwnFile {
		d.First, d.Last, d.Line = n.Line, n.End, n.Line
	}
	attacks, attacked := "attacks", "attacked by"
	if n.Source == belief.Decision {
		attacks, attacked = "supersedes", "superseded by"
	}
	d.Links = slices.Concat(edgesOf(attacks, n.Attacks), edgesOf(attacked, n.AttackedBy),
		edgesOf("supports", n.Supports), d.Links)
	if !w.Usage {
		return nil
	}
	reaches, err := reachOf(ctx, r, page, n)
	d.Links = slices.Concat(d.Links, reaches)
	return err
}

// tellSession links a session to the beliefs captured in it, and to the commits named in the shown
// part.
func tellSession(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, page *Page, w Want, d *doc.Description,
) error {
	d.Shown = wholeID(*d, d.Shown)
	if !w.Usage {
		return nil
	}
	all, err := page.readLines(ctx, r)
	if err != nil {
		return err
	}
	lines := all.Between(1, all.Len())
	whole := w.Words == nil && w.DocID == d.Kind.FileID(d.Path)
	if !whole && d.First > 0 && d.Last >= d.First {
		lines = lines[min(d.First-1, len(lines)):min(d.Last, len(lines))]
	}
	captured, err := knowledge.Captured(ctx, r, snap, page.file.File.Key)
	if err != nil {
		return err
	}
	commits, err := knowledge.Commits(ctx, r, snap, lines)
	d.Links = slices.Concat(captured[:min(len(captured), 1)], commits[:min(len(commits), 1)],
		captured[min(len(captured), 1):], commits[min(len(commits), 1):], d.Links)
	return err
}

// reachOf links a belief to the code that its text is about: the likeliest file, with the number of
// others. It returns nil if there is no such file.
func reachOf(ctx context.Context, r *store.Reader, page *Page, n belief.Note) ([]doc.Link, error) {
	finder, err := knowledge.NewReachFinder(ctx, r)
	if err != nil {
		return nil, err
	}
	lines, err := page.readLines(ctx, r)
	if err != nil {
		return nil, err
	}
	body := strings.Join(lines.Between(1, lines.Len()), "\n")
	about, err := finder.Reach(ctx, knowledge.BeliefText{ID: n.ID, Statement: n.Statement, Text: body})
	if err != nil || len(about) == 0 {
		return nil, err
	}
	l := doc.Link{Relation: "reaches", Target: about[0].Path}
	if more := len(about) - 1; more > 0 {
		if l.Note = "+1 file"; more > 1 {
			l.Note = fmt.Sprintf("+%d files", more)
		}
	}
	return []doc.Link{l}, nil
}

// fencedLines reports which lines are in fenced code blocks, by their numbers from 1.
func fencedLines(lines []string) map[int]bool {
	var fence markdown.Fence
	out := map[int]bool{}
	for i, l := range lines {
		out[i+1] = fence.Step(l) != markdown.Outside
	}
	return out
}

func edgesOf(relation string, edges []belief.Edge) (links []doc.Link) {
	for _, e := range edges {
		links = append(links, doc.Link{Relation: relation, Target: doc.Belief.FileID(e.Target), Note: e.Status})
	}
	return links
}

// maxNoted bounds the beliefs to which code is linked.
const maxNoted = 2

// noteBeliefs links code to beliefs about it.
func noteBeliefs(ctx context.Context, r *store.Reader, snap *store.Snapshot, d *doc.Description) error {
	about, err := knowledge.AboutCode(ctx, r, snap, d.Path, d.Symbol)
	for _, a := range about[:min(len(about), maxNoted)] {
		note := fmt.Sprintf("reach %.1f", a.Score)
		d.Links = append(d.Links, doc.Link{Relation: "belief", Target: doc.Belief.FileID(a.ID), Note: note})
	}
	return err
}

// wholeID replaces the path in a doc_id by the id of the belief or session. Other doc_ids are
// returned unchanged.
func wholeID(d doc.Description, docID string) string {
	switch {
	case d.Belief != nil:
		return doc.Belief.FileID(d.Belief.ID)
	case d.Kind == doc.Session:
		return strings.Replace(docID, d.Path, strings.TrimSuffix(path.Base(d.Path), ".md"), 1)
	}
	return docID
}
