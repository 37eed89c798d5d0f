package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/belief/knowledge"
	"patina/belief/mine"
	"patina/belief/verify"
	"patina/code/assay"
	"patina/code/brief"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

// A request is a look-up in one generation of one project. Its answer is a pointer to plain data.
type request interface {
	readOptions() ReadOptions
	verb() string // its name in errors
	readFrom(ctx context.Context, d *desk) (any, error)
}

func (o ReadOptions) readOptions() ReadOptions { return o }

// A desk is where one look-up is answered: a pinned reader, and its project's state.
type desk struct {
	*host
	*store.Reader
	oracles []*channel
}

// indexState is the state of the pinned index. compared also says how far it is behind.
func (d *desk) indexState() IndexState { return d.showing(d.Generation()) }

func (d *desk) compared() IndexState {
	index, _ := d.comparedNote()
	return index
}

func (d *desk) comparedNote() (index IndexState, note string) {
	index = d.indexState()
	if d.fresh != nil {
		index.Behind, note = d.fresh(d.project, index.Generation)
	}
	return index, note
}

func (DetailRequest) verb() string { return "detail" }

func (r DetailRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	if found, body, ok, err := d.describeOutside(ctx, r.DocID); ok {
		return &DetailAnswer{Index: d.indexState(), Description: found, Body: body}, err
	}
	found, body, err := lookup.BodyAt(ctx, d.Reader, r.DocID, r.Line)
	a := &DetailAnswer{Index: d.indexState(), Description: found, Body: body}
	if err == nil && r.Diff && found.SHA != "" && d.diff != nil {
		a.Diff, a.Note = d.diff(ctx, d.project, found.SHA)
	}
	return a, err
}

func (ResolveRequest) verb() string { return "resolve" }

func (r ResolveRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	for _, name := range r.Names {
		if found, _, ok, err := d.describeOutside(ctx, name); ok {
			return &ResolveAnswer{d.indexState(), found.DocID}, err
		}
	}
	id, err := lookup.Match(ctx, d.Reader, r.Names, r.Symbols)
	return &ResolveAnswer{d.indexState(), id}, err
}

func (LinksRequest) verb() string { return "links" }

func (r LinksRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	links, commits, err := lookup.Touching(ctx, d.Reader, r.Path, r.Commits)
	if err != nil {
		return nil, err
	}
	together, err := lookup.CoChanged(ctx, d.Reader, r.Path, r.Neighbours)
	if errors.Is(err, lookup.ErrNoDocument) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	a := &LinksAnswer{Index: d.indexState(), Links: append(links, together...), Commits: commits}
	if err = r.followSymbol(ctx, d, a); err != nil || r.Reasons == 0 {
		return a, err
	}
	a.Reasons, err = lookup.Reasons(ctx, d.Reader, r.Path, r.Symbol, r.Reasons)
	return a, err
}

func (NearNamesRequest) verb() string { return "near names" }

func (r NearNamesRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	a := &NearNamesAnswer{Index: d.indexState()}
	var err error
	if a.Names, err = lookup.NearNames(ctx, d.Reader, r.Name, r.Limit); err == nil && r.Paths {
		a.Paths, err = lookup.NearPaths(ctx, d.Reader, r.Name, r.Limit)
	}
	return a, err
}

func (AssayRequest) verb() string { return "assay" }

func (r AssayRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	facts, err := assay.Ask(ctx, d.Reader, r.Query)
	if err != nil {
		return nil, err
	}
	a := &AssayAnswer{d.compared(), *facts}
	var paths []string
	for _, f := range facts.Facts {
		paths = append(paths, f.Path)
	}
	stats, err := d.Stats(ctx, paths)
	for path, stat := range stats {
		if isModified(d.project.Root, path, stat) {
			a.Index.ChangedFiles++
		}
	}
	return a, err
}

func (RecentRequest) verb() string { return "recent" }

func (r RecentRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	p, err := lookup.Recent(ctx, d.Reader, r.Since, r.Filter, r.Limit)
	return &RecentAnswer{d.compared(), p}, err
}

func (OverviewRequest) verb() string { return "overview" }

func (r OverviewRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	survey, err := d.surveys.surveyOf(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	v, err := survey.Orient(ctx, d.Reader, r.Folder, r.Filter)
	return &OverviewAnswer{d.compared(), v}, err
}

func (BriefRequest) verb() string { return "brief" }

func (r BriefRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	survey, err := d.surveys.surveyOf(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	b, err := brief.Read(ctx, d.Reader, survey, r.Topic, r.Now)
	if err != nil {
		return nil, err
	}
	a := &BriefAnswer{Index: d.compared(), Brief: *b}
	if b.Layer.Active == 0 {
		keep, err := newProposalFilter(ctx, d, r.Skip)
		if err != nil {
			return nil, err
		}
		if a.Sentences, err = mine.CountProposals(ctx, d.Reader, MaxProposals, keep); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (PackagesRequest) verb() string { return "packages" }

func (PackagesRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	names, err := lookup.Packages(ctx, d.Reader)
	return &PackagesAnswer{d.indexState(), names}, err
}

func (SymbolsRequest) verb() string { return "symbols" }

func (r SymbolsRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	found, err := lookup.Symbols(ctx, d.Reader, r.Symbols)
	return &SymbolsAnswer{d.indexState(), found}, err
}

func (LinesRequest) verb() string { return "lines" }

func (r LinesRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	a := &LinesAnswer{Index: d.indexState()}
	for _, l := range r.Lines {
		text, err := lookup.Line(ctx, d.Reader, l.Path, l.Number)
		if err != nil {
			return nil, err
		}
		a.Texts = append(a.Texts, text)
	}
	return a, nil
}

func (ClosestRequest) verb() string { return "closest words" }

func (r ClosestRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	a := &ClosestAnswer{Index: d.indexState()}
	if doc.KindOf(r.DocID).Traits().Shape == doc.Outside {
		return a, nil // its vector is of another table
	}
	found, body, err := lookup.Body(ctx, d.Reader, r.DocID)
	if err != nil {
		return nil, err
	}
	for _, x := range d.oracles {
		open, err := x.openOnce()
		if err != nil {
			return nil, err
		}
		words, ok := open.(*oracles.Semantic)
		if !ok {
			continue
		}
		pairs, err := words.Closest(ctx, d.Reader, r.Question, doc.Passage{Path: found.Path, Doc: found.Title, Body: body}, r.Limit)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			a.Pairs = append(a.Pairs, WordPair{p.Question, p.Passage, float64(p.Cosine)})
		}
	}
	return a, nil
}

func (FreshnessRequest) verb() string { return "freshness" }

func (FreshnessRequest) readFrom(_ context.Context, d *desk) (any, error) {
	index, note := d.comparedNote()
	return &FreshnessAnswer{index, note}, nil
}

func (TreeRequest) verb() string { return "tree" }

func (r TreeRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	tree, err := lookup.TreeOf(ctx, d.Reader, r.Limit)
	return &TreeAnswer{d.indexState(), tree}, err
}

func (VerifyRequest) verb() string { return "verify" }

func (r VerifyRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	a := &VerifyAnswer{Index: d.compared()}
	var err error
	a.Beliefs, a.Missing, err = verify.Run(ctx, d.source(), r.IDs, cmp.Or(r.Timeout, defaultTimeout)*9/10)
	return a, err
}

// source is what checks are run on.
func (d *desk) source() verify.Source {
	from := verify.Source{Reader: d.Reader}
	if d.tracked != nil {
		from.Tracked = func(ctx context.Context) ([]string, error) { return d.tracked(ctx, d.project) }
	}
	return from
}

func (ReachRequest) verb() string { return "reach" }

func (r ReachRequest) readFrom(ctx context.Context, d *desk) (_ any, err error) {
	runner, err := verify.NewRunner(ctx, d.source())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	all, missing, err := runner.Reach(ctx, r.IDs)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("belief %q: %w", missing[0], lookup.ErrNoDocument)
	}
	a := &ReachAnswer{Index: d.compared()}
	for _, b := range all {
		if r.Path != "" {
			b.Reached = slices.DeleteFunc(b.Reached, func(x knowledge.Reached) bool { return x.Path != r.Path })
		}
		if len(b.Reached) > 0 {
			a.Beliefs = append(a.Beliefs, b)
		}
	}
	if r.Path != "" { // one file: the beliefs are what is ranked
		slices.SortStableFunc(a.Beliefs, func(a, b verify.BeliefReach) int {
			return cmp.Compare(b.Reached[0].Score, a.Reached[0].Score)
		})
	}
	return a, nil
}
