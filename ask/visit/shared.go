package visit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/ask/project"
	"patina/code/brief"
	"patina/code/lookup"
	"patina/registry"
	"patina/registry/route"
	"patina/store/doc"
)

// ParseKinds returns the kinds in a value of the setting "share". The result is never nil, because
// nil would mean all kinds. An empty value shares nothing. An invalid value also shares nothing,
// and the error says what is wrong.
func ParseKinds(value string) ([]doc.Kind, error) {
	kinds := []doc.Kind{}
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		k, ok := doc.KindNamed(name)
		if !ok {
			return []doc.Kind{}, fmt.Errorf("read share: unknown content type %q", name)
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// SharedKinds returns the kinds that a project shows to others, according to its settings. Every
// question, look-up and client of a server must use it. The result is never nil. If it is empty,
// the error is a *ClosedError that says why.
func SharedKinds(p project.Place) ([]doc.Kind, error) {
	chosen, _, err := p.Settings(nil)
	var kinds []doc.Kind
	if err == nil {
		kinds, err = ParseKinds(chosen.Share)
	}
	if err != nil || len(kinds) == 0 {
		return []doc.Kind{}, &ClosedError{Project: p.Project.Name, Cause: err}
	}
	return kinds, nil
}

// SharedSketch returns a sketch of a project without the words of kinds that it does not show. It
// returns nil if there is no sketch, or if no code is shown.
func SharedSketch(ctx context.Context, p project.Place, kinds []doc.Kind) (*route.Sketch, error) {
	switch {
	case !slices.Contains(kinds, doc.Code):
		return nil, nil
	case slices.Contains(kinds, doc.Belief):
		return p.Sketch(), nil
	}
	return p.CodeSketch(ctx)
}

// showsBeliefs reports whether a project shows its beliefs to others. It is true for a far one,
// because the sketch of a far project holds only the kinds that it shows.
func (n network) showsBeliefs(p project.Place, id string) bool {
	i := slices.IndexFunc(n.all, func(x registry.Project) bool { return x.ID == id })
	if i < 0 || n.all[i].Far != "" {
		return i >= 0
	}
	kinds, _ := SharedKinds(p.Known(n.all[i])) // empty if it shares nothing
	return slices.Contains(kinds, doc.Belief)
}

// A ClosedError means that a project shows nothing to others.
type ClosedError struct {
	Project string
	Cause   error // the fault in its settings, or nil
}

// Error implements error.
func (e *ClosedError) Error() string {
	text := e.Project + " shows nothing to other projects"
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *ClosedError) Unwrap() error { return e.Cause }

// An Error means that a project does not show a kind.
type Error struct {
	Project string
	Kind    doc.Kind
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("%s shows no %s to other projects", e.Project, e.Kind.Traits().Plural)
}

// A Service answers for one project with the kinds that it shows to another. The methods of
// api.Service that it does not override only return counts and commit ids.
type Service struct {
	api.Service
	Project string     // for errors
	Kinds   []doc.Kind // the shown kinds
}

func (s Service) shows(k doc.Kind) bool { return slices.Contains(s.Kinds, k) }

// need returns an error unless all of these kinds are shown.
func (s Service) need(kinds ...doc.Kind) error {
	for _, k := range kinds {
		if !s.shows(k) {
			return &Error{s.Project, k}
		}
	}
	return nil
}

// narrowed returns a filter for the shown kinds, or an error if it would exclude all.
func (s Service) narrowed(f doc.Filter) (doc.Filter, error) {
	out := f
	out.Kinds = nil
	for _, k := range s.Kinds {
		if doc.Wants(f, k) {
			out.Kinds = append(out.Kinds, k)
		}
	}
	switch {
	case len(out.Kinds) > 0:
	case len(f.Kinds) == 0:
		return out, &ClosedError{Project: s.Project}
	default:
		return out, &Error{s.Project, f.Kinds[0]}
	}
	return out, nil
}

// shownLinks returns the links without those to documents that are not shown.
func (s Service) shownLinks(all []doc.Link) []doc.Link {
	return slices.DeleteFunc(slices.Clone(all), func(l doc.Link) bool {
		k := doc.KindOf(l.Target)
		return k.Traits().Shape != doc.OfFiles && !s.shows(k)
	})
}

// Scry implements api.Service.
func (s Service) Scry(ctx context.Context, r api.Request) (a *api.Answer, err error) {
	if r.Filter, err = s.narrowed(r.Filter); err != nil {
		return nil, err
	}
	return s.Service.Scry(ctx, r)
}

// Why implements api.Service.
func (s Service) Why(ctx context.Context, r api.WhyRequest) (a *api.Explanation, err error) {
	if r.Filter, err = s.narrowed(r.Filter); err != nil {
		return nil, err
	}
	return s.Service.Why(ctx, r)
}

// Closest implements api.Service.
func (s Service) Closest(ctx context.Context, r api.ClosestRequest) (*api.ClosestAnswer, error) {
	if _, err := s.Detail(ctx, api.DetailRequest{ReadOptions: r.ReadOptions, DocID: r.DocID}); err != nil {
		return nil, err
	}
	return s.Service.Closest(ctx, r)
}

// Detail implements api.Service.
func (s Service) Detail(ctx context.Context, r api.DetailRequest) (*api.DetailAnswer, error) {
	if k := doc.KindOf(r.DocID); k.Traits().Prefix != "" && !s.shows(k) {
		return nil, &Error{s.Project, k} // whether it exists or not
	}
	a, err := s.Service.Detail(ctx, r)
	if err != nil {
		return nil, err
	}
	if !s.shows(a.Kind) {
		return nil, &Error{s.Project, a.Kind}
	}
	out := *a
	out.Links = s.shownLinks(a.Links)
	return &out, nil
}

// Resolve implements api.Service. If code is not shown, an unknown name is refused like a known
// one.
func (s Service) Resolve(ctx context.Context, r api.ResolveRequest) (*api.ResolveAnswer, error) {
	a, err := s.Service.Resolve(ctx, r)
	if errors.Is(err, lookup.ErrNoDocument) {
		if hidden := s.need(doc.Code); hidden != nil {
			return nil, hidden
		}
	}
	if err != nil {
		return nil, err
	}
	if k := doc.KindOf(a.DocID); k.Traits().Prefix != "" && !s.shows(k) {
		return nil, &Error{s.Project, k}
	}
	return a, nil
}

// NearNames implements api.Service. Its names are those of code.
func (s Service) NearNames(ctx context.Context, r api.NearNamesRequest) (*api.NearNamesAnswer, error) {
	if err := s.need(doc.Code); err != nil {
		return nil, err
	}
	return s.Service.NearNames(ctx, r)
}

// Packages implements api.Service.
func (s Service) Packages(ctx context.Context, r api.PackagesRequest) (*api.PackagesAnswer, error) {
	if err := s.need(doc.Code); err != nil {
		return nil, err
	}
	return s.Service.Packages(ctx, r)
}

// Symbols implements api.Service.
func (s Service) Symbols(ctx context.Context, r api.SymbolsRequest) (*api.SymbolsAnswer, error) {
	if err := s.need(doc.Code); err != nil {
		return nil, err
	}
	return s.Service.Symbols(ctx, r)
}

// Tree implements api.Service. It names every file.
func (s Service) Tree(ctx context.Context, r api.TreeRequest) (*api.TreeAnswer, error) {
	if err := s.need(doc.Code); err != nil {
		return nil, err
	}
	return s.Service.Tree(ctx, r)
}

// Lines implements api.Service. Each line must be in a document of a shown kind.
func (s Service) Lines(ctx context.Context, r api.LinesRequest) (*api.LinesAnswer, error) {
	for _, l := range r.Lines {
		if _, err := s.Detail(ctx, api.DetailRequest{ReadOptions: r.ReadOptions, DocID: l.Path}); err != nil {
			return nil, err
		}
	}
	return s.Service.Lines(ctx, r)
}

// Links implements api.Service.
func (s Service) Links(ctx context.Context, r api.LinksRequest) (*api.LinksAnswer, error) {
	a, err := s.Service.Links(ctx, r)
	if err != nil {
		return nil, err
	}
	out := *a
	out.Links = s.shownLinks(a.Links)
	if !s.shows(doc.Commit) {
		out.Reasons, out.Commits = nil, 0
	}
	return &out, nil
}

// Matches implements api.Service.
func (s Service) Matches(ctx context.Context, r api.MatchesRequest) (a *api.MatchesAnswer, err error) {
	if r.Filter, err = s.narrowed(r.Filter); err != nil {
		return nil, err
	}
	return s.Service.Matches(ctx, r)
}

// Recent implements api.Service.
func (s Service) Recent(ctx context.Context, r api.RecentRequest) (*api.RecentAnswer, error) {
	if err := s.need(doc.Commit); err != nil {
		return nil, err
	}
	return s.Service.Recent(ctx, r)
}

// Overview implements api.Service.
func (s Service) Overview(ctx context.Context, r api.OverviewRequest) (*api.OverviewAnswer, error) {
	if err := s.need(doc.Code); err != nil {
		return nil, err
	}
	return s.Service.Overview(ctx, r)
}

// Assay implements api.Service.
func (s Service) Assay(ctx context.Context, r api.AssayRequest) (*api.AssayAnswer, error) {
	if err := s.need(doc.Code); err != nil {
		return nil, err
	}
	return s.Service.Assay(ctx, r)
}

// Impact implements api.Service. It leaves out the beliefs and authors that are not shown.
func (s Service) Impact(ctx context.Context, r api.ImpactRequest) (*api.ImpactAnswer, error) {
	if err := s.need(doc.Code); err != nil {
		return nil, err
	}
	a, err := s.Service.Impact(ctx, r)
	if err != nil {
		return nil, err
	}
	out := *a
	if !s.shows(doc.Belief) {
		out.Governing = nil
	}
	if !s.shows(doc.Pattern) {
		out.Rules = nil
	}
	if !s.shows(doc.Commit) {
		out.Authors = nil
	}
	return &out, nil
}

// Brief implements api.Service. It needs code and documents, because an introduction consists of
// them.
func (s Service) Brief(ctx context.Context, r api.BriefRequest) (*api.BriefAnswer, error) {
	if err := s.need(doc.Code, doc.Pattern); err != nil {
		return nil, err
	}
	a, err := s.Service.Brief(ctx, r)
	if err != nil {
		return nil, err
	}
	out := *a
	if !s.shows(doc.Belief) {
		out.Layer = brief.Layer{Patterns: a.Layer.Patterns, Core: a.Layer.Core}
	}
	if !s.shows(doc.Commit) {
		out.Recent, out.Authors, out.Sentences = brief.Changes{}, nil, 0
	}
	return &out, nil
}

// Beliefs implements api.Service.
func (s Service) Beliefs(ctx context.Context, r api.BeliefsRequest) (*api.BeliefsAnswer, error) {
	if err := s.need(doc.Belief); err != nil {
		return nil, err
	}
	return s.Service.Beliefs(ctx, r)
}

// Reach implements api.Service.
func (s Service) Reach(ctx context.Context, r api.ReachRequest) (*api.ReachAnswer, error) {
	if err := s.need(doc.Belief); err != nil {
		return nil, err
	}
	return s.Service.Reach(ctx, r)
}

// Standing implements api.Service.
func (s Service) Standing(ctx context.Context, r api.StandingRequest) (*api.StandingAnswer, error) {
	if err := s.need(doc.Belief); err != nil {
		return nil, err
	}
	return s.Service.Standing(ctx, r)
}

// Audit implements api.Service.
func (s Service) Audit(ctx context.Context, r api.AuditRequest) (*api.AuditAnswer, error) {
	if err := s.need(doc.Belief); err != nil {
		return nil, err
	}
	return s.Service.Audit(ctx, r)
}

// Verify implements api.Service.
func (s Service) Verify(ctx context.Context, r api.VerifyRequest) (*api.VerifyAnswer, error) {
	if err := s.need(doc.Belief); err != nil {
		return nil, err
	}
	return s.Service.Verify(ctx, r)
}

// Proposals implements api.Service. Its sentences are from code and commits.
func (s Service) Proposals(ctx context.Context, r api.ProposalsRequest) (*api.ProposalsAnswer, error) {
	if err := s.need(doc.Code, doc.Commit); err != nil {
		return nil, err
	}
	return s.Service.Proposals(ctx, r)
}
