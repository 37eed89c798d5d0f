package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/fusion"
	"patina/store"
	"patina/store/lookup"
)

// The numbers of files beside a document; --limit bounds its commits.
const (
	whyNeighbours = 5
	maxNeighbours = 50
	whyWords      = 6 // word pairs that explain a match by meaning
	whyReasons    = 4 // sentences that say why
)

// followTime is how long the history of a symbol's lines may take, where nobody has set a timeout.
// On a repository of 10,000 commits git takes one to five seconds; the answer is kept until HEAD
// moves.
const followTime = 10 * time.Second

// followAfter is when a terminal is told that lines are followed.
const followAfter = time.Second

// following tells a terminal that the lines of a symbol are followed, if that takes long. The
// returned function takes the line away.
func (s *scrying) following(symbol string) (done func()) {
	if symbol == "" || s.tool != nil || !cli.Terminal(s.Errs) {
		return func() {}
	}
	told := make(chan struct{})
	timer := time.AfterFunc(followAfter, func() {
		fmt.Fprintf(s.Errs, "\r\x1b[Kfollowing the lines of %s through the history", cli.Quoted(symbol))
		close(told)
	})
	return func() {
		if !timer.Stop() {
			<-told
			fmt.Fprint(s.Errs, "\r\x1b[K")
		}
	}
}

// why explains a document, or its rank for a question. done is false where there is no such
// document: "why do we use sqlite" is a question.
func (s *scrying) why(ctx context.Context, typed, question string) (done bool, err error) {
	err = s.asking(ctx, func(e actors.Service) error {
		err := s.explainWhy(ctx, e, typed, question)
		if done = !errors.Is(err, lookup.ErrNoDocument); done {
			return err
		}
		if id, ok := strings.CutPrefix(typed, beliefPrefix); ok && question == "" {
			s.Warn("no belief %q in the index: asked as a question", id)
		} else if likeDocID(typed) {
			s.Warn("no document %q in the index: asked as a question", typed)
			s.didYouMean(s.near(ctx, e, typed))
		}
		return nil
	})
	return done, err
}

// explainWhy explains a document, or its rank for a question. It fails with lookup.ErrNoDocument
// where there is none.
func (s *scrying) explainWhy(ctx context.Context, e actors.Service, typed, question string) error {
	if id, ok := strings.CutPrefix(typed, beliefPrefix); ok && question == "" {
		return s.explainBelief(ctx, e, id)
	}
	d, err := s.find(ctx, e, typed, false)
	if err != nil {
		return err
	}
	if question != "" {
		return s.explainRank(ctx, e, d.DocID, question)
	}
	return s.explainDocument(ctx, e, d.Description)
}

// likeDocID reports whether a word looks like a path in a folder, a symbol in a file, or a commit.
// With blanks it must be a symbol of a file: "my lib/pool.py::take".
func likeDocID(word string) bool {
	if file, _, ok := strings.Cut(word, "::"); ok && path.Ext(file) != "" && !strings.Contains(path.Ext(file), " ") {
		return true
	}
	return !strings.ContainsAny(word, " \t\n") && (strings.Contains(word, "/") || strings.Contains(word, "::") || store.KindOf(word) == store.Commit)
}

// explainRank prints the arithmetic behind one result.
func (s *scrying) explainRank(ctx context.Context, e actors.Service, docID, question string) error {
	r, err := s.request(question)
	if err != nil {
		return err
	}
	r.Timeout = s.left()
	x, err := e.Why(ctx, actors.WhyRequest{Request: r, DocID: docID})
	if err != nil {
		return err
	}
	s.explain = true
	o := s.options(false)
	closest, err := s.closest(ctx, e, question, x)
	if err != nil {
		return err
	}
	if s.asJSON {
		return deliver.WhyJSON(s.Out, x, closest, o)
	}
	return deliver.Why(s.Out, docID, x, closest, o)
}

// closest returns the explained document's words nearest to the question's. It is empty unless the
// semantic channel found the document.
func (s *scrying) closest(ctx context.Context, e actors.Service, question string, x *actors.Explanation) (out []deliver.WordPair, err error) {
	for _, r := range x.Results {
		if !slices.ContainsFunc(r.Contributions, func(c fusion.Contribution) bool { return c.Channel == "semantic" }) {
			continue
		}
		near, err := e.Closest(ctx, actors.ClosestRequest{ReadOptions: s.within(), Question: question, DocID: r.Shown, Limit: whyWords})
		if err != nil {
			return nil, err
		}
		for _, p := range near.Pairs {
			out = append(out, deliver.WordPair(p))
		}
	}
	return out, nil
}

// beliefPrefix begins the doc_id of a belief.
const beliefPrefix = "belief:"

// explainBelief prints how well a belief holds up.
func (s *scrying) explainBelief(ctx context.Context, e actors.Service, id string) error {
	a, err := e.Standing(ctx, actors.StandingRequest{ReadOptions: s.within(), ID: id})
	if err != nil {
		return err
	}
	a.Index = s.lagged(a.Index)
	if s.asJSON {
		return deliver.StandingJSON(s.Out, a)
	}
	return deliver.Standing(s.Out, a, s.options(false))
}

// explainDocument lists the commits behind a document and the files that change with it.
func (s *scrying) explainDocument(ctx context.Context, e actors.Service, d store.Description) error {
	older, note, history := 0, "", ""
	var reasons []lookup.Reason
	if d.Path != "" {
		within := s.within()
		if d.Symbol != "" && !s.timed {
			within.Timeout = max(within.Timeout, followTime)
		}
		done := s.following(d.Symbol)
		near, err := e.Links(ctx, actors.LinksRequest{
			ReadOptions: within, Path: d.Path, Symbol: d.Symbol, Follow: true, Reasons: whyReasons, Commits: s.settings.Limit, Neighbours: whyNeighbours,
		})
		done()
		if err != nil {
			return err
		}
		if d.Symbol != "" && near.Note != "" && s.asJSON {
			note = near.Note
		} else if d.Symbol != "" && near.Note != "" {
			s.Warn("%s: %s", d.Symbol, near.Note)
		}
		reasons, history = near.Reasons, near.Index.Generation.History
		d.Links, older = slices.Concat(deliver.Known(d), near.Links), max(0, near.Commits-s.settings.Limit)
	}
	if s.asJSON {
		return deliver.DetailJSON(s.Out, deliver.Document{Description: d, Reasons: reasons, Note: note})
	}
	none := "no commit is known to have touched it"
	if history != "" {
		none = "its commits are not known: " + history
	}
	if d.Outside != nil {
		none = "it is yours, in " + d.Outside.Of + ", and in no file of this project"
	}
	return deliver.Links(s.Out, deliver.Document{Description: d, Reasons: reasons}, older, none, s.options(false))
}

// showNeighbours lists the files that change together with one.
func (s *scrying) showNeighbours(ctx context.Context, file string) error {
	if dir, ok, err := s.place.Folder(file); err == nil && ok {
		d, dir := s.dialect(), cmp.Or(dir, ".")
		return cli.Hint(fmt.Errorf("%q is a folder", file), "name a file; what changes with each file in it: "+d.Assay("co-changes", dir), "what the folder holds: "+s.either(deliver.Command("scry", "orient", dir), `scry(mode="orient")`))
	}
	return s.asking(ctx, func(e actors.Service) error {
		found, err := s.find(ctx, e, file, false)
		if err != nil {
			return s.notFound(ctx, e, err, "file", file, "paths are relative to the root of the project, or to this folder", "if the file is new: patina scrape")
		}
		d := found.Description
		near, err := e.Links(ctx, actors.LinksRequest{ReadOptions: s.within(), Path: d.Path, Neighbours: min(s.settings.Limit, maxNeighbours)})
		if err != nil {
			return err
		}
		d.Links = near.Links
		if s.asJSON {
			err = deliver.DetailJSON(s.Out, deliver.Document{Description: d})
		} else {
			err = deliver.Links(s.Out, deliver.Document{Description: d}, 0, "no file is known to change together with it", s.options(false))
		}
		if err == nil && len(d.Links) == 0 {
			return cli.Exit(cli.ExitNothing)
		}
		return err
	})
}
