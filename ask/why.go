package ask

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/fusion"
	"patina/store/doc"
)

// Bounds of an explanation. The limit of the call bounds its commits.
const (
	whyNeighbours = 5 // files beside it
	whyWords      = 6 // word pairs that explain a match by meaning
	whyReasons    = 4 // sentences that give reasons
)

// followTime is the time for the history of a symbol's lines, if the user has not set a timeout. On
// a repository of 10,000 commits git takes one to five seconds. The answer is kept until HEAD
// moves.
const followTime = 10 * time.Second

// BeliefPrefix is the beginning of a belief's doc_id.
const BeliefPrefix = "belief:"

// explainWhy explains a document, or its rank for a question.
func explainWhy(ctx context.Context, c *Call, r Request) (*Answer, error) {
	typed, question := r.Name, r.Text
	out := &Answer{Form: Why}
	err := c.read(ctx, r.Packages, true, func(e api.Service) error {
		err := fillExplanation(ctx, c, e, r, out)
		switch {
		case !errors.Is(err, lookup.ErrNoDocument):
			return err
		case !r.MayAsk:
			return c.notFound(ctx, e, err, r.Form, "document", typed)
		}
		out.Unknown = true
		if id, ok := strings.CutPrefix(typed, BeliefPrefix); ok && question == "" {
			c.Warn("no belief %q in the index: asked as a question", id)
		} else if looksLikeDocID(typed) {
			c.Warn("no document %q in the index: asked as a question", typed)
			c.offerNames(c.findNear(ctx, e, typed))
		}
		return nil
	})
	return out, err
}

// fillExplanation sets the explanation of a document. The error wraps lookup.ErrNoDocument if there
// is no such document.
func fillExplanation(ctx context.Context, c *Call, e api.Service, r Request, out *Answer) (err error) {
	typed, question := r.Name, r.Text
	if id, ok := strings.CutPrefix(typed, BeliefPrefix); ok && question == "" {
		if out.Standing, err = e.Standing(ctx, api.StandingRequest{ReadOptions: c.Within(), ID: id}); err == nil {
			out.Standing.Index = c.State(out.Standing.Index)
		}
		return err
	}
	d, err := c.Document(ctx, e, typed, false)
	if err != nil {
		return err
	}
	if question != "" {
		out.Ranked, err = explainRank(ctx, c, e, r, d.DocID)
		return err
	}
	out.Document, err = explainDocument(ctx, c, e, d.Description)
	return err
}

// looksLikeDocID reports whether a word looks like a path in a folder, a symbol in a file, or a
// commit. A word with blanks must be a symbol in a file: "my lib/pool.py::take".
func looksLikeDocID(word string) bool {
	if file, _, ok := strings.Cut(word, "::"); ok && path.Ext(file) != "" && !strings.Contains(path.Ext(file), " ") {
		return true
	}
	return !strings.ContainsAny(word, " \t\n") &&
		(strings.Contains(word, "/") || strings.Contains(word, "::") || doc.KindOf(word) == doc.Commit)
}

// explainRank returns the arithmetic of one result.
func explainRank(ctx context.Context, c *Call, e api.Service, r Request, docID string) (*Ranked, error) {
	q, err := c.question(r, r.Text)
	if err != nil {
		return nil, err
	}
	q.Timeout = c.remaining()
	x, err := e.Why(ctx, api.WhyRequest{Request: q, DocID: docID})
	if err != nil {
		return nil, err
	}
	out := &Ranked{DocID: docID, Explanation: x}
	for _, found := range x.Results {
		bySemantic := func(by fusion.Contribution) bool { return by.Channel == "semantic" }
		if !slices.ContainsFunc(found.Contributions, bySemantic) {
			continue // it was not found by meaning
		}
		near, err := e.Closest(ctx, api.ClosestRequest{
			ReadOptions: c.Within(), Question: r.Text, DocID: found.Shown, Limit: whyWords,
		})
		if err != nil {
			return nil, err
		}
		out.Closest = append(out.Closest, near.Pairs...)
	}
	return out, nil
}

// explainDocument returns a document with the commits behind it and the files that change with it.
func explainDocument(ctx context.Context, c *Call, e api.Service, d doc.Description) (*Document, error) {
	out := &Document{Description: d}
	if d.Path == "" {
		return out, nil
	}
	within, done := c.Within(), func() {}
	if d.Symbol != "" {
		if !c.chosen {
			within.Timeout = max(within.Timeout, followTime)
		}
		done = c.Following(d.Symbol)
	}
	near, err := e.Links(ctx, api.LinksRequest{
		ReadOptions: within, Path: d.Path, Symbol: d.Symbol, Follow: true, Reasons: whyReasons,
		Commits: c.Settings.Limit, Neighbours: whyNeighbours,
	})
	done()
	out.Near = near
	return out, err
}
