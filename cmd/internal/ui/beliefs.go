package ui

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/belief"
	"patina/cmd/internal/beliefcmd"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/ui/paint"
)

func init() {
	addRoute("GET /beliefs", (*view).beliefsPage)
	addRoute("GET /part/proposals", (*view).proposalsPart)
	addRoute("POST /proposals/dismiss", (*view).dismissProposal)
	addRoute("GET /beliefs/new", (*view).draftPage)
	addRoute("POST /beliefs/write", (*view).writeBelief)
	addMenu(30, "Beliefs", "/beliefs")
}

// A listedBelief is a belief in the list of all.
type listedBelief struct {
	edge
	ID, Status string
	Dated      string
}

// beliefsPage lists the beliefs of the project with their standing.
func (v *view) beliefsPage() error {
	all := v.query.Get("all") != ""
	var held []listedBelief
	left := 0
	err := v.lookUp("beliefs", 0, func(ctx context.Context, c *ask.Call, _ api.Service) error {
		list, err := ask.ListBeliefs(ctx, c, func(status string, _ []string) bool { return all || ask.IsHeld(status) })
		if err != nil {
			return err
		}
		left = list.LeftOut
		for _, b := range list.Beliefs {
			x := listedBelief{ID: b.ID, Status: layout.Clip(b.Status, 20)}
			x.edge = edge{
				Name: layout.Clip(cmp.Or(b.Statement, b.ID), 300), Link: trail{}.link(ask.BeliefPrefix+b.ID, 0),
				Strength: b.Standing, Against: b.Status == "defeated",
			}
			if !b.Dated.IsZero() {
				x.Dated = layout.Day(b.Dated)
			}
			held = append(held, x)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(held, func(a, b listedBelief) int { return cmp.Compare(b.Strength, a.Strength) })
	return v.page("beliefs", "beliefs", "Beliefs", struct {
		Beliefs []listedBelief
		All     bool
		Left    int
	}{held, all, left})
}

// A proposal is a sentence that may be a belief.
type proposal struct{ Text, Source, Place, Link, Accept, Day string }

// proposalsPart writes the sentences that may be beliefs.
func (v *view) proposalsPart() error {
	var out []proposal
	err := v.lookUp("beliefs", 0, func(ctx context.Context, c *ask.Call, e api.Service) error {
		skip, err := c.Dismissed()
		if err != nil {
			return err
		}
		a, err := e.Proposals(ctx, api.ProposalsRequest{ReadOptions: c.Within(), Limit: api.MaxProposals, Skip: skip})
		if err != nil {
			return err
		}
		for _, p := range a.Proposals {
			id, _, _ := strings.Cut(p.Source, "#")
			x := proposal{
				Text: layout.Clip(p.Text, 400), Source: p.Source, Place: layout.ShortPath(p.Source, 48), Link: trail{}.link(id, 0),
				Accept: "/beliefs/new?" + url.Values{"from": {p.Source}}.Encode(),
			}
			if !p.Time.IsZero() {
				x.Day = layout.Day(p.Time)
			}
			out = append(out, x)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.part("proposals", out)
}

// dismissProposal notes that a sentence should not be proposed again, or that it should.
func (v *view) dismissProposal() error {
	c, err := v.beginCall("beliefs", 0)
	if err != nil {
		return err
	}
	undo, done := v.r.PostForm.Get("undo") != "", "dismissed"
	if undo {
		done = "proposed"
	}
	if _, err = beliefcmd.Dismiss(v.r.Context(), c, v.r.PostForm.Get("source"), undo); err != nil {
		return explain(err, c)
	}
	return v.redirect("/beliefs", url.Values{}, done)
}

// A draft is a new belief with the file that would be written.
type draft struct {
	Text     map[string]string // the fields of the form, by name
	From     string            // the source of a proposed sentence
	Path     string            // of the file
	Diff     []template.HTML   // its lines
	Mark     string            // a hash of the file, which must not change before it is written
	Problem  *problem
	Strength []string
}

// draftFields are the fields of a new belief.
var draftFields = []string{"id", "statement", "facets", "entrenchment", "evidence", "supports", "attacks"}

// draftPage has a form for a new belief. Once it is filled in, it shows the file that would be
// written.
func (v *view) draftPage() error {
	d := draft{Text: map[string]string{}, From: v.query.Get("from"), Strength: []string{"low", "medium", "high", "very-high"}}
	for _, name := range draftFields {
		d.Text[name] = v.query.Get(name)
	}
	if d.Text["statement"] == "" && d.From == "" {
		return v.page("draft", "a new belief", "Beliefs", d)
	}
	c, err := v.beginCall("beliefs", 0)
	if err != nil {
		return err
	}
	file, err := readDraft(v.r.Context(), c, v.query)
	for name, text := range file.fields {
		d.Text[name] = text
	}
	if err != nil {
		p := problemOf(explain(err, c))
		d.Problem = &p
		return v.page("draft", "a new belief", "Beliefs", d)
	}
	d.Path, d.Mark = file.path(), file.mark()
	for _, line := range paint.Lines("markdown", layout.Body(file.text), paintTime) {
		d.Diff = append(d.Diff, template.HTML(line))
	}
	return v.page("draft", "a new belief", "Beliefs", d)
}

// writeBelief writes the file that the page has shown.
func (v *view) writeBelief() error {
	c, err := v.beginCall("beliefs", 0)
	if err != nil {
		return err
	}
	file, err := readDraft(v.r.Context(), c, v.r.PostForm)
	if err != nil {
		return explain(err, c)
	}
	if !equal(v.r.PostForm.Get("mark"), file.mark()) {
		return cli.Hint(errors.New("nothing was written: the file is not the one that was shown"), "go back, and look at it again")
	}
	if _, err := beliefcmd.WriteFile(c.Place.Root, file.folder, file.id, file.text); err != nil {
		return explain(err, c)
	}
	return v.redirect("/beliefs", url.Values{}, "written")
}

// A draftFile is the file of a new belief.
type draftFile struct {
	folder, id, text string
	fields           map[string]string // completed from a proposed sentence
}

func (f draftFile) path() string { return f.folder + "/" + f.id + ".md" }

func (f draftFile) mark() string {
	sum := sha256.Sum256([]byte(f.path() + "\x00" + f.text))
	return hex.EncodeToString(sum[:])
}

// readDraft makes the file of a new belief from the fields of a form. After an error its fields are
// those known so far.
func readDraft(ctx context.Context, c *ask.Call, q url.Values) (f draftFile, err error) {
	lines := func(name string) []string {
		return nonEmpty(strings.FieldsFunc(q.Get(name), func(r rune) bool { return r == '\n' || r == '\r' }))
	}
	d := belief.Draft{
		ID: strings.TrimPrefix(strings.TrimSpace(q.Get("id")), ask.BeliefPrefix), Statement: strings.Join(strings.Fields(q.Get("statement")), " "),
		Facets: ask.Parts([]string{q.Get("facets")}), Entrenchment: q.Get("entrenchment"), Evidence: lines("evidence"),
		Supports: ask.Parts([]string{q.Get("supports")}), Attacks: ask.Parts([]string{q.Get("attacks")}), Day: time.Now(),
	}
	if from := q.Get("from"); from != "" {
		p, err := beliefcmd.ProposalAt(ctx, c, from)
		if err != nil {
			return f, err
		}
		if d, err = beliefcmd.DraftOf(d, p); err != nil {
			return f, err
		}
	} else if err := d.Check(); err != nil {
		return f, err
	}
	f = draftFile{id: d.ID, text: d.Text(), fields: map[string]string{"id": d.ID, "statement": d.Statement, "evidence": strings.Join(d.Evidence, "\n")}}
	f.folder, err = beliefcmd.Folder(ctx, c, d.ID)
	return f, err
}
