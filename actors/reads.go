package actors

import (
	"context"

	"patina/actors/api"
)

// Detail implements Service.
func (e *Engine) Detail(ctx context.Context, r api.DetailRequest) (*api.DetailAnswer, error) {
	return lookUp[api.DetailAnswer](ctx, e, r)
}

// Resolve implements Service.
func (e *Engine) Resolve(ctx context.Context, r api.ResolveRequest) (*api.ResolveAnswer, error) {
	return lookUp[api.ResolveAnswer](ctx, e, r)
}

// Links implements Service.
func (e *Engine) Links(ctx context.Context, r api.LinksRequest) (*api.LinksAnswer, error) {
	return lookUp[api.LinksAnswer](ctx, e, r)
}

// NearNames implements Service.
func (e *Engine) NearNames(ctx context.Context, r api.NearNamesRequest) (*api.NearNamesAnswer, error) {
	return lookUp[api.NearNamesAnswer](ctx, e, r)
}

// Assay implements Service.
func (e *Engine) Assay(ctx context.Context, r api.AssayRequest) (*api.AssayAnswer, error) {
	return lookUp[api.AssayAnswer](ctx, e, r)
}

// Recent implements Service.
func (e *Engine) Recent(ctx context.Context, r api.RecentRequest) (*api.RecentAnswer, error) {
	return lookUp[api.RecentAnswer](ctx, e, r)
}

// Overview implements Service.
func (e *Engine) Overview(ctx context.Context, r api.OverviewRequest) (*api.OverviewAnswer, error) {
	return lookUp[api.OverviewAnswer](ctx, e, r)
}

// Brief implements Service.
func (e *Engine) Brief(ctx context.Context, r api.BriefRequest) (*api.BriefAnswer, error) {
	return lookUp[api.BriefAnswer](ctx, e, r)
}

// Packages implements Service.
func (e *Engine) Packages(ctx context.Context, r api.PackagesRequest) (*api.PackagesAnswer, error) {
	return lookUp[api.PackagesAnswer](ctx, e, r)
}

// Symbols implements Service.
func (e *Engine) Symbols(ctx context.Context, r api.SymbolsRequest) (*api.SymbolsAnswer, error) {
	return lookUp[api.SymbolsAnswer](ctx, e, r)
}

// Lines implements Service.
func (e *Engine) Lines(ctx context.Context, r api.LinesRequest) (*api.LinesAnswer, error) {
	return lookUp[api.LinesAnswer](ctx, e, r)
}

// Closest implements Service.
func (e *Engine) Closest(ctx context.Context, r api.ClosestRequest) (*api.ClosestAnswer, error) {
	return lookUp[api.ClosestAnswer](ctx, e, r)
}

// Freshness implements Service.
func (e *Engine) Freshness(ctx context.Context, r api.FreshnessRequest) (*api.FreshnessAnswer, error) {
	return lookUp[api.FreshnessAnswer](ctx, e, r)
}

// Tree implements Service.
func (e *Engine) Tree(ctx context.Context, r api.TreeRequest) (*api.TreeAnswer, error) {
	return lookUp[api.TreeAnswer](ctx, e, r)
}

// Verify implements Service.
func (e *Engine) Verify(ctx context.Context, r api.VerifyRequest) (*api.VerifyAnswer, error) {
	return lookUp[api.VerifyAnswer](ctx, e, r)
}

// Reach implements Service.
func (e *Engine) Reach(ctx context.Context, r api.ReachRequest) (*api.ReachAnswer, error) {
	return lookUp[api.ReachAnswer](ctx, e, r)
}

// Standing implements Service.
func (e *Engine) Standing(ctx context.Context, r api.StandingRequest) (*api.StandingAnswer, error) {
	return lookUp[api.StandingAnswer](ctx, e, r)
}

// Beliefs implements Service.
func (e *Engine) Beliefs(ctx context.Context, r api.BeliefsRequest) (*api.BeliefsAnswer, error) {
	return lookUp[api.BeliefsAnswer](ctx, e, r)
}

// Audit implements Service.
func (e *Engine) Audit(ctx context.Context, r api.AuditRequest) (*api.AuditAnswer, error) {
	return lookUp[api.AuditAnswer](ctx, e, r)
}

// Proposals implements Service.
func (e *Engine) Proposals(ctx context.Context, r api.ProposalsRequest) (*api.ProposalsAnswer, error) {
	return lookUp[api.ProposalsAnswer](ctx, e, r)
}

// Matches implements Service.
func (e *Engine) Matches(ctx context.Context, r api.MatchesRequest) (*api.MatchesAnswer, error) {
	return lookUp[api.MatchesAnswer](ctx, e, r)
}

// Impact implements Service.
func (e *Engine) Impact(ctx context.Context, r api.ImpactRequest) (*api.ImpactAnswer, error) {
	return lookUp[api.ImpactAnswer](ctx, e, r)
}

var _ api.Service = (*Engine)(nil)
