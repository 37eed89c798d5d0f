package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/fusion"
	"patina/registry/querylog"
	"patina/store/doc"
)

// findDocuments answers a question.
func findDocuments(ctx context.Context, c *Call, r Request) (*Answer, error) {
	if r.Direct {
		r = r.direct()
	}
	q, err := c.question(r, r.Text)
	if err != nil {
		return nil, err
	}
	var out *Answer
	err = c.read(ctx, r.Packages, false, func(e api.Service) error {
		a, err := searchFresh(ctx, c, e, q)
		if err != nil {
			return err
		}
		if err := suggestNames(ctx, e, a); err != nil {
			return err
		}
		if missing := r.NoFolder; missing != "" {
			c.offerNames(slices.DeleteFunc(c.findNear(ctx, e, missing), func(name string) bool {
				return !strings.HasSuffix(name, "/")
			}))
		}
		out, err = finishAnswer(ctx, c, e, r, a)
		return err
	})
	return out, err
}

// searchFresh asks while the tree is compared with the index, and again if the index was behind.
func searchFresh(ctx context.Context, c *Call, e api.Service, q api.Request) (*api.Answer, error) {
	q, err := c.widen(ctx, e, q)
	if err != nil {
		return nil, err
	}
	q.Timeout = c.remaining()
	a, err := c.scry(ctx, e, q)
	if errors.Is(err, api.ErrNoProject) && len(c.Visits) > 0 { // another call has evicted it
		if q, err = c.widen(ctx, e, q); err == nil {
			a, err = c.scry(ctx, e, q)
		}
	}
	if err == nil && c.catchUp(ctx, c.Place) {
		q.Timeout = c.remaining()
		a, err = c.scry(ctx, e, q)
	}
	if err != nil {
		return nil, err
	}
	a.Notes = append(a.Notes, c.closed...)
	for i := range a.Indexes {
		if _, ok := c.visitTo(a.Indexes[i].Project); !ok {
			a.Indexes[i] = c.State(a.Indexes[i])
		}
	}
	return a, nil
}

// scry asks an engine, and shows glimpses to a caller that wants them.
func (c *Call) scry(ctx context.Context, e api.Service, q api.Request) (*api.Answer, error) {
	if g, ok := e.(api.Glimpser); ok && c.Glimpse != nil {
		return g.Glimpse(ctx, q, c.Glimpse)
	}
	return e.Scry(ctx, q)
}

// afterwards are the options of look-ups after the answer. They take milliseconds, unless the disk
// hangs.
var afterwards = api.ReadOptions{Timeout: 10 * time.Second}

// suggestNames adds a note with names close to a mistyped one.
func suggestNames(ctx context.Context, e api.Service, a *api.Answer) error {
	offered := func(note string) bool { return strings.Contains(note, "did you mean ") }
	if a.Relevance == fusion.Relevant || len(strings.Fields(a.Query)) != 1 || slices.ContainsFunc(a.Notes, offered) {
		return nil
	}
	near, err := e.NearNames(ctx, api.NearNamesRequest{ReadOptions: afterwards, Name: a.Query, Limit: nearNames})
	switch {
	case errors.Is(err, context.DeadlineExceeded): // the answer is printed without it
		return nil
	case err != nil:
		return err
	case len(near.Names) > 0:
		a.Notes = append(a.Notes, "did you mean "+strings.Join(near.Names, ", "))
	}
	return nil
}

// finishAnswer logs an answer, and looks up the texts that a listing of it needs.
func finishAnswer(ctx context.Context, c *Call, e api.Service, r Request, a *api.Answer) (*Answer, error) {
	if r.Form == Find && !r.Listing {
		c.addNotes(ctx, a)
	}
	out := &Answer{Form: r.Form, Found: &Found{Answer: a, Logged: c.logAnswer(a)}, Unmatched: r.unmatched(a.Read)}
	c.countShown(ctx, a)
	if r.Listing {
		c.said = false
	}
	if r.Symbols {
		more, err := e.Symbols(ctx, api.SymbolsRequest{ReadOptions: afterwards, Symbols: listSymbols(a)})
		if err != nil {
			return nil, err
		}
		out.Found.Symbols = more.Symbols
	}
	if r.Starts {
		var at []api.Line
		for _, x := range a.Relevant() {
			at = append(at, api.Line{Path: x.Path, Number: max(x.First, 1)})
		}
		more, err := e.Lines(ctx, api.LinesRequest{ReadOptions: afterwards, Lines: at})
		if err != nil {
			return nil, err
		}
		out.Found.Starts = map[api.Line]string{}
		for i, l := range at {
			out.Found.Starts[l] = more.Texts[i]
		}
	}
	if r.Whole {
		return out, c.readWhole(ctx, e, out.Found)
	}
	return out, nil
}

// readWhole reads the whole texts of the relevant results. A result that has gone since has a note
// instead.
func (c *Call) readWhole(ctx context.Context, e api.Service, f *Found) error {
	for _, x := range f.Relevant() {
		d := Document{Description: x.Description, QueryID: f.QueryID, Rank: x.Rank}
		read := api.ReadOptions{Project: x.Key.Project, Timeout: afterwards.Timeout}
		whole, err := e.Detail(ctx, api.DetailRequest{ReadOptions: read, DocID: cmp.Or(x.Shown, x.DocID), Diff: true})
		switch {
		case errors.Is(err, lookup.ErrNoDocument):
			d.Note = "it is no longer in the index"
		case err != nil:
			return err
		default:
			d.Description, d.Body, d.Diff, d.Note = whole.Description, whole.Body, whole.Diff, whole.Note
		}
		f.Whole = append(f.Whole, d)
	}
	return nil
}

// listSymbols returns the symbols shown in the results, then the next best ones in their files.
func listSymbols(a *api.Answer) []lookup.Symbol {
	var first, others []lookup.Symbol
	for _, r := range a.Relevant() {
		if r.Kind != doc.Code {
			continue
		}
		if r.Symbol != "" {
			first = append(first, lookup.Symbol{Path: r.Path, Name: r.Symbol})
		}
		for _, x := range r.Also {
			if x.Symbol != "" {
				others = append(others, lookup.Symbol{Path: r.Path, Name: x.Symbol})
			}
		}
	}
	return append(first, others...)
}

// findLines returns the lines of files with a text, in the form of an answer.
func findLines(ctx context.Context, c *Call, r Request) (*Answer, error) {
	q, err := c.question(r, r.Text)
	if err != nil {
		return nil, err
	}
	var out *Answer
	err = c.read(ctx, r.Packages, true, func(e api.Service) error {
		began := time.Now()
		all, err := e.Matches(ctx, api.MatchesRequest{
			ReadOptions: c.Within(), Literal: r.Literal, Regex: r.Regex, Filter: q.Filter, Limit: q.Limit,
		})
		if err != nil {
			return err
		}
		a := answerOfMatches(all, time.Since(began))
		a.QueryID, a.Query = querylog.NewID(time.Now()), r.Text
		out, err = finishAnswer(ctx, c, e, r, a)
		return err
	})
	return out, err
}

// answerOfMatches returns an answer of lines that were found by their text.
func answerOfMatches(found *api.MatchesAnswer, took time.Duration) *api.Answer {
	a := &api.Answer{
		Intent: fusion.General, Relevance: fusion.Relevant, Partial: found.Partial, Took: took,
		Indexes: []api.IndexState{found.Index},
	}
	state := api.ChannelState{
		Project: found.Index.Project, Channel: "text", Status: api.OK, Hits: found.Lines, Elapsed: took,
	}
	if found.Partial {
		state.Status, state.Detail = api.Deadline, "the time was over before all files were read"
	}
	a.Channels = append(a.Channels, state)
	for i, m := range found.Matches {
		key := fusion.Key{Project: found.Index.Project, Kind: string(m.Kind), ID: m.DocID}
		a.Results = append(a.Results, api.Result{
			Rank: i + 1, Result: fusion.Result{Key: key, Score: 1, Share: 1, Prior: 1, Weight: 1, Exact: true},
			Description: doc.Description{
				DocID: m.DocID, Shown: m.Shown, Kind: m.Kind, Path: m.Path, Symbol: m.Symbol,
				Language: m.Language, Package: m.Package, First: m.Line, Last: m.Line, Summary: m.Text,
			},
		})
	}
	if found.Lines > 0 {
		note := fmt.Sprintf("%s in %s", plural(found.Lines, "line"), plural(found.Files, "file"))
		if n := len(found.Matches); n < found.Lines {
			note += fmt.Sprintf("; first %d shown", n)
		}
		a.Notes = append(a.Notes, note)
	}
	return a
}
