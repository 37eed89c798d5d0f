package local

import (
	"context"

	"patina/actors/api"
)

// Scry implements api.Service.
func (l *lent) Scry(ctx context.Context, r api.Request) (*api.Answer, error) {
	return call(ctx, l, scry, r)
}

// Why implements api.Service.
func (l *lent) Why(ctx context.Context, r api.WhyRequest) (*api.Explanation, error) {
	return call(ctx, l, why, r)
}

// Closest implements api.Service.
func (l *lent) Closest(ctx context.Context, r api.ClosestRequest) (*api.ClosestAnswer, error) {
	return call(ctx, l, closest, r)
}

// Resolve implements api.Service.
func (l *lent) Resolve(ctx context.Context, r api.ResolveRequest) (*api.ResolveAnswer, error) {
	return call(ctx, l, resolve, r)
}

// Detail implements api.Service.
func (l *lent) Detail(ctx context.Context, r api.DetailRequest) (*api.DetailAnswer, error) {
	return call(ctx, l, detail, r)
}

// Links implements api.Service.
func (l *lent) Links(ctx context.Context, r api.LinksRequest) (*api.LinksAnswer, error) {
	return call(ctx, l, links, r)
}

// NearNames implements api.Service.
func (l *lent) NearNames(ctx context.Context, r api.NearNamesRequest) (*api.NearNamesAnswer, error) {
	return call(ctx, l, nearNames, r)
}

// Assay implements api.Service.
func (l *lent) Assay(ctx context.Context, r api.AssayRequest) (*api.AssayAnswer, error) {
	return call(ctx, l, assay, r)
}

// Recent implements api.Service.
func (l *lent) Recent(ctx context.Context, r api.RecentRequest) (*api.RecentAnswer, error) {
	return call(ctx, l, recent, r)
}

// Overview implements api.Service.
func (l *lent) Overview(ctx context.Context, r api.OverviewRequest) (*api.OverviewAnswer, error) {
	return call(ctx, l, overview, r)
}

// Brief implements api.Service.
func (l *lent) Brief(ctx context.Context, r api.BriefRequest) (*api.BriefAnswer, error) {
	return call(ctx, l, brief, r)
}

// Packages implements api.Service.
func (l *lent) Packages(ctx context.Context, r api.PackagesRequest) (*api.PackagesAnswer, error) {
	return call(ctx, l, packages, r)
}

// Symbols implements api.Service.
func (l *lent) Symbols(ctx context.Context, r api.SymbolsRequest) (*api.SymbolsAnswer, error) {
	return call(ctx, l, symbols, r)
}

// Lines implements api.Service.
func (l *lent) Lines(ctx context.Context, r api.LinesRequest) (*api.LinesAnswer, error) {
	return call(ctx, l, lines, r)
}

// Matches implements api.Service.
func (l *lent) Matches(ctx context.Context, r api.MatchesRequest) (*api.MatchesAnswer, error) {
	return call(ctx, l, matches, r)
}

// Beliefs implements api.Service.
func (l *lent) Beliefs(ctx context.Context, r api.BeliefsRequest) (*api.BeliefsAnswer, error) {
	return call(ctx, l, beliefs, r)
}

// Proposals implements api.Service.
func (l *lent) Proposals(ctx context.Context, r api.ProposalsRequest) (*api.ProposalsAnswer, error) {
	return call(ctx, l, proposals, r)
}

// Audit implements api.Service.
func (l *lent) Audit(ctx context.Context, r api.AuditRequest) (*api.AuditAnswer, error) {
	return call(ctx, l, audit, r)
}

// Reach implements api.Service.
func (l *lent) Reach(ctx context.Context, r api.ReachRequest) (*api.ReachAnswer, error) {
	return call(ctx, l, reach, r)
}

// Standing implements api.Service.
func (l *lent) Standing(ctx context.Context, r api.StandingRequest) (*api.StandingAnswer, error) {
	return call(ctx, l, standing, r)
}

// Impact implements api.Service.
func (l *lent) Impact(ctx context.Context, r api.ImpactRequest) (*api.ImpactAnswer, error) {
	return call(ctx, l, impact, r)
}

// Tree implements api.Service.
func (l *lent) Tree(ctx context.Context, r api.TreeRequest) (*api.TreeAnswer, error) {
	return call(ctx, l, tree, r)
}

// Freshness implements api.Service.
func (l *lent) Freshness(ctx context.Context, r api.FreshnessRequest) (*api.FreshnessAnswer, error) {
	return call(ctx, l, freshness, r)
}

// Verify implements api.Service. The checks are run by this process, because they are commands.
func (l *lent) Verify(ctx context.Context, r api.VerifyRequest) (*api.VerifyAnswer, error) {
	e, err := l.replace(ctx)
	if err != nil {
		return nil, err
	}
	return e.Verify(ctx, r)
}
