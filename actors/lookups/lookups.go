package lookups

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/actors/api"
	"patina/belief/knowledge"
	"patina/belief/mine"
	"patina/belief/verify"
	"patina/code/assay"
	"patina/code/brief"
	"patina/code/describe"
	"patina/code/history"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

// A Desk answers look-ups with a reader pinned to one generation of one project. It must not be
// used after the pin was released. Reader, Surveys and Outside must not be nil.
type Desk struct {
	*store.Reader
	Index   api.IndexState // for answers; not compared with the working tree
	Root    string         // the working tree; empty if unknown
	Surveys *Surveys       // the project's

	// Outside describes a document that no index holds. For all others ok is false.
	Outside func(ctx context.Context, docID string) (d doc.Description, body string, ok bool, err error)
	// Channels open the project's channels.
	Channels []func() (oracles.Channel, error)

	// Fresh returns how many commits the index is behind the working tree (-1 if unknown), and a
	// note to show. It may be nil, like the functions below, and is then not called.
	Fresh func(doc.Generation) (behind int, note string)
	// Diff returns the changes of a commit, and a note about missing parts.
	Diff func(ctx context.Context, sha string) (diff, note string)
	// Follow returns the commits that changed the lines of a symbol, newest first, and a note about
	// missing ones.
	Follow func(context.Context, api.FollowedSymbol) ([]doc.Revision, string)
	// Tracked returns the files that git tracks.
	Tracked func(context.Context) ([]string, error)
}

// Answer answers a look-up. It returns a pointer to plain data: an *api.DetailAnswer for an
// api.DetailRequest, and so on. The error wraps lookup.ErrNoDocument if the project does not have a
// document that the request names.
func (d *Desk) Answer(ctx context.Context, r api.Lookup) (any, error) {
	switch r := r.(type) {
	case api.DetailRequest:
		return d.detail(ctx, r)
	case api.ResolveRequest:
		return d.resolve(ctx, r)
	case api.LinksRequest:
		return d.links(ctx, r)
	case api.NearNamesRequest:
		return d.nearNames(ctx, r)
	case api.AssayRequest:
		return d.assay(ctx, r)
	case api.RecentRequest:
		return d.recent(ctx, r)
	case api.OverviewRequest:
		return d.overview(ctx, r)
	case api.BriefRequest:
		return d.brief(ctx, r)
	case api.PackagesRequest:
		return d.packages(ctx, r)
	case api.SymbolsRequest:
		return d.symbols(ctx, r)
	case api.LinesRequest:
		return d.lines(ctx, r)
	case api.ClosestRequest:
		return d.closest(ctx, r)
	case api.FreshnessRequest:
		return d.freshness(ctx, r)
	case api.TreeRequest:
		return d.tree(ctx, r)
	case api.VerifyRequest:
		return d.verify(ctx, r)
	case api.ReachRequest:
		return d.reach(ctx, r)
	case api.BeliefsRequest:
		return d.beliefs(ctx, r)
	case api.AuditRequest:
		return d.audit(ctx, r)
	case api.ProposalsRequest:
		return d.proposals(ctx, r)
	case api.StandingRequest:
		return d.standing(ctx, r)
	case api.MatchesRequest:
		return d.matches(ctx, r)
	case api.ImpactRequest:
		return d.impact(ctx, r)
	}
	return nil, fmt.Errorf("look up: no request: %T", r)
}

// compared returns the index with its distance from the working tree.
func (d *Desk) compared() api.IndexState {
	index, _ := d.comparedNote()
	return index
}

func (d *Desk) comparedNote() (index api.IndexState, note string) {
	index = d.Index
	if d.Fresh != nil {
		index.Behind, note = d.Fresh(index.Generation)
	}
	return index, note
}

func (d *Desk) detail(ctx context.Context, r api.DetailRequest) (any, error) {
	if found, body, ok, err := d.Outside(ctx, r.DocID); ok {
		return &api.DetailAnswer{Index: d.Index, Description: found, Body: body}, err
	}
	found, body, err := describe.BodyAt(ctx, d.Reader, r.DocID, r.Line)
	a := &api.DetailAnswer{Index: d.Index, Description: found, Body: body}
	if err == nil && r.Diff && found.SHA != "" && d.Diff != nil {
		a.Diff, a.Note = d.Diff(ctx, found.SHA)
	}
	return a, err
}

func (d *Desk) resolve(ctx context.Context, r api.ResolveRequest) (any, error) {
	for _, name := range r.Names {
		if found, _, ok, err := d.Outside(ctx, name); ok {
			return &api.ResolveAnswer{Index: d.Index, DocID: found.DocID}, err
		}
	}
	id, err := lookup.Match(ctx, d.Reader, r.Names, r.Symbols)
	return &api.ResolveAnswer{Index: d.Index, DocID: id}, err
}

func (d *Desk) links(ctx context.Context, r api.LinksRequest) (any, error) {
	links, commits, err := history.Touching(ctx, d.Reader, r.Path, r.Commits)
	if err != nil {
		return nil, err
	}
	together, err := history.CoChanged(ctx, d.Reader, r.Path, r.Neighbours)
	if errors.Is(err, lookup.ErrNoDocument) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	a := &api.LinksAnswer{Index: d.Index, Links: append(links, together...), Commits: commits}
	if err = d.followSymbol(ctx, r, a); err != nil || r.Reasons == 0 {
		return a, err
	}
	a.Reasons, err = describe.Reasons(ctx, d.Reader, r.Path, r.Symbol, r.Reasons)
	return a, err
}

func (d *Desk) nearNames(ctx context.Context, r api.NearNamesRequest) (any, error) {
	a := &api.NearNamesAnswer{Index: d.Index}
	var err error
	if a.Names, err = lookup.NearNames(ctx, d.Reader, r.Name, r.Limit); err == nil && r.Paths {
		a.Paths, err = lookup.NearPaths(ctx, d.Reader, r.Name, r.Limit)
	}
	return a, err
}

func (d *Desk) assay(ctx context.Context, r api.AssayRequest) (any, error) {
	facts, err := assay.Ask(ctx, d.Reader, r.Query)
	if err != nil {
		return nil, err
	}
	a := &api.AssayAnswer{Index: d.compared(), Facts: *facts}
	var paths []string
	for _, f := range facts.Facts {
		paths = append(paths, f.Path)
	}
	stats, err := d.Stats(ctx, paths)
	for path, stat := range stats {
		if IsModified(d.Root, path, stat) {
			a.Index.ChangedFiles++
		}
	}
	return a, err
}

func (d *Desk) recent(ctx context.Context, r api.RecentRequest) (any, error) {
	p, err := history.Recent(ctx, d.Reader, r.Since, r.Filter, r.Limit)
	return &api.RecentAnswer{Index: d.compared(), Period: p}, err
}

func (d *Desk) overview(ctx context.Context, r api.OverviewRequest) (any, error) {
	survey, err := d.Surveys.surveyOf(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	v, err := survey.Orient(ctx, d.Reader, r.Folder, r.Filter)
	return &api.OverviewAnswer{Index: d.compared(), Overview: v}, err
}

func (d *Desk) brief(ctx context.Context, r api.BriefRequest) (any, error) {
	survey, err := d.Surveys.surveyOf(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	b, err := brief.Read(ctx, d.Reader, survey, r.Topic, r.Now)
	if err != nil {
		return nil, err
	}
	a := &api.BriefAnswer{Index: d.compared(), Brief: *b}
	if b.Layer.Active == 0 {
		keep, err := d.newProposalFilter(ctx, r.Skip)
		if err != nil {
			return nil, err
		}
		if a.Sentences, err = mine.CountProposals(ctx, d.Reader, api.MaxProposals, keep); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (d *Desk) packages(ctx context.Context, _ api.PackagesRequest) (any, error) {
	names, err := lookup.Packages(ctx, d.Reader)
	return &api.PackagesAnswer{Index: d.Index, Packages: names}, err
}

func (d *Desk) symbols(ctx context.Context, r api.SymbolsRequest) (any, error) {
	found, err := lookup.Symbols(ctx, d.Reader, r.Symbols)
	return &api.SymbolsAnswer{Index: d.Index, Symbols: found}, err
}

func (d *Desk) lines(ctx context.Context, r api.LinesRequest) (any, error) {
	a := &api.LinesAnswer{Index: d.Index}
	for _, l := range r.Lines {
		text, err := lookup.Line(ctx, d.Reader, l.Path, l.Number)
		if err != nil {
			return nil, err
		}
		a.Texts = append(a.Texts, text)
	}
	return a, nil
}

func (d *Desk) closest(ctx context.Context, r api.ClosestRequest) (any, error) {
	a := &api.ClosestAnswer{Index: d.Index}
	if doc.KindOf(r.DocID).Traits().Shape == doc.Outside {
		return a, nil // its vector is in another table
	}
	found, body, err := describe.Body(ctx, d.Reader, r.DocID)
	if err != nil {
		return nil, err
	}
	for _, open := range d.Channels {
		channel, err := open()
		if err != nil {
			return nil, err
		}
		words, ok := channel.(*oracles.Semantic)
		if !ok {
			continue
		}
		passage := doc.Passage{Path: found.Path, Doc: found.Title, Body: body}
		pairs, err := words.Closest(ctx, d.Reader, r.Question, passage, r.Limit)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			a.Pairs = append(a.Pairs, api.WordPair{Question: p.Question, Passage: p.Passage, Cosine: float64(p.Cosine)})
		}
	}
	return a, nil
}

func (d *Desk) freshness(_ context.Context, _ api.FreshnessRequest) (any, error) {
	index, note := d.comparedNote()
	return &api.FreshnessAnswer{Index: index, Note: note}, nil
}

func (d *Desk) tree(ctx context.Context, r api.TreeRequest) (any, error) {
	tree, err := lookup.TreeOf(ctx, d.Reader, r.Limit)
	return &api.TreeAnswer{Index: d.Index, Tree: tree}, err
}

func (d *Desk) verify(ctx context.Context, r api.VerifyRequest) (any, error) {
	a := &api.VerifyAnswer{Index: d.compared()}
	var err error
	a.Beliefs, a.Missing, err = verify.Run(ctx, d.source(), r.IDs, cmp.Or(r.Timeout, api.DefaultTimeout)*9/10)
	return a, err
}

// source returns the inputs of checks.
func (d *Desk) source() verify.Source {
	return verify.Source{Reader: d.Reader, Tracked: d.Tracked}
}

func (d *Desk) reach(ctx context.Context, r api.ReachRequest) (_ any, err error) {
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
	a := &api.ReachAnswer{Index: d.compared()}
	for _, b := range all {
		if r.Path != "" {
			b.Reached = slices.DeleteFunc(b.Reached, func(x knowledge.Reached) bool { return x.Path != r.Path })
		}
		if len(b.Reached) > 0 {
			a.Beliefs = append(a.Beliefs, b)
		}
	}
	if r.Path != "" { // for one file, rank the beliefs
		slices.SortStableFunc(a.Beliefs, func(a, b verify.BeliefReach) int {
			return cmp.Compare(b.Reached[0].Score, a.Reached[0].Score)
		})
	}
	return a, nil
}
