package local

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
)

// A method is one of api.Service. Verify is not among them: it runs commands, which belong in the
// environment of the process that asks.
type method[R, A any] struct {
	name string
	call func(api.Service, context.Context, R) (*A, error)
}

// The methods that are called in a lent engine.
var (
	scry      = method[api.Request, api.Answer]{"Scry", api.Service.Scry}
	why       = method[api.WhyRequest, api.Explanation]{"Why", api.Service.Why}
	closest   = method[api.ClosestRequest, api.ClosestAnswer]{"Closest", api.Service.Closest}
	resolve   = method[api.ResolveRequest, api.ResolveAnswer]{"Resolve", api.Service.Resolve}
	detail    = method[api.DetailRequest, api.DetailAnswer]{"Detail", api.Service.Detail}
	links     = method[api.LinksRequest, api.LinksAnswer]{"Links", api.Service.Links}
	nearNames = method[api.NearNamesRequest, api.NearNamesAnswer]{"NearNames", api.Service.NearNames}
	assay     = method[api.AssayRequest, api.AssayAnswer]{"Assay", api.Service.Assay}
	recent    = method[api.RecentRequest, api.RecentAnswer]{"Recent", api.Service.Recent}
	overview  = method[api.OverviewRequest, api.OverviewAnswer]{"Overview", api.Service.Overview}
	brief     = method[api.BriefRequest, api.BriefAnswer]{"Brief", api.Service.Brief}
	packages  = method[api.PackagesRequest, api.PackagesAnswer]{"Packages", api.Service.Packages}
	symbols   = method[api.SymbolsRequest, api.SymbolsAnswer]{"Symbols", api.Service.Symbols}
	lines     = method[api.LinesRequest, api.LinesAnswer]{"Lines", api.Service.Lines}
	matches   = method[api.MatchesRequest, api.MatchesAnswer]{"Matches", api.Service.Matches}
	beliefs   = method[api.BeliefsRequest, api.BeliefsAnswer]{"Beliefs", api.Service.Beliefs}
	proposals = method[api.ProposalsRequest, api.ProposalsAnswer]{"Proposals", api.Service.Proposals}
	audit     = method[api.AuditRequest, api.AuditAnswer]{"Audit", api.Service.Audit}
	reach     = method[api.ReachRequest, api.ReachAnswer]{"Reach", api.Service.Reach}
	standing  = method[api.StandingRequest, api.StandingAnswer]{"Standing", api.Service.Standing}
	impact    = method[api.ImpactRequest, api.ImpactAnswer]{"Impact", api.Service.Impact}
	tree      = method[api.TreeRequest, api.TreeAnswer]{"Tree", api.Service.Tree}
	freshness = method[api.FreshnessRequest, api.FreshnessAnswer]{"Freshness", api.Service.Freshness}
)

// A handler answers an encoded request with an encoded answer.
type handler interface {
	handle(ctx context.Context, e api.Service, request []byte) (answer []byte, err error)
}

// handlers are the methods by name.
var handlers = func(all ...handler) map[string]handler {
	out := map[string]handler{}
	for _, h := range all {
		out[h.(fmt.Stringer).String()] = h
	}
	return out
}(scry, why, closest, resolve, detail, links, nearNames, assay, recent, overview, brief, packages, symbols, lines,
	matches, beliefs, proposals, audit, reach, standing, impact, tree, freshness)

// String returns the name of the method.
func (m method[R, A]) String() string { return m.name }

func (m method[R, A]) handle(ctx context.Context, e api.Service, request []byte) ([]byte, error) {
	var r R
	if err := decode(request, &r); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	a, err := m.call(e, ctx, r)
	if err != nil {
		return nil, err
	}
	return encode(*a), nil
}

// errBeyond means that an engine of the server did not answer, and that one of the process must.
var errBeyond = errors.New("no answer of the server")
