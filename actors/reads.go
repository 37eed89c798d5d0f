package actors

import "context"

// Detail implements Service.
func (e *Engine) Detail(ctx context.Context, r DetailRequest) (*DetailAnswer, error) {
	return look[DetailAnswer](ctx, e, r)
}

// Resolve implements Service.
func (e *Engine) Resolve(ctx context.Context, r ResolveRequest) (*ResolveAnswer, error) {
	return look[ResolveAnswer](ctx, e, r)
}

// Links implements Service.
func (e *Engine) Links(ctx context.Context, r LinksRequest) (*LinksAnswer, error) {
	return look[LinksAnswer](ctx, e, r)
}

// NearNames implements Service.
func (e *Engine) NearNames(ctx context.Context, r NearNamesRequest) (*NearNamesAnswer, error) {
	return look[NearNamesAnswer](ctx, e, r)
}

// Assay implements Service.
func (e *Engine) Assay(ctx context.Context, r AssayRequest) (*AssayAnswer, error) {
	return look[AssayAnswer](ctx, e, r)
}

// Recent implements Service.
func (e *Engine) Recent(ctx context.Context, r RecentRequest) (*RecentAnswer, error) {
	return look[RecentAnswer](ctx, e, r)
}

// Overview implements Service.
func (e *Engine) Overview(ctx context.Context, r OverviewRequest) (*OverviewAnswer, error) {
	return look[OverviewAnswer](ctx, e, r)
}

// Brief implements Service.
func (e *Engine) Brief(ctx context.Context, r BriefRequest) (*BriefAnswer, error) {
	return look[BriefAnswer](ctx, e, r)
}

// Packages implements Service.
func (e *Engine) Packages(ctx context.Context, r PackagesRequest) (*PackagesAnswer, error) {
	return look[PackagesAnswer](ctx, e, r)
}

// Symbols implements Service.
func (e *Engine) Symbols(ctx context.Context, r SymbolsRequest) (*SymbolsAnswer, error) {
	return look[SymbolsAnswer](ctx, e, r)
}

// Lines implements Service.
func (e *Engine) Lines(ctx context.Context, r LinesRequest) (*LinesAnswer, error) {
	return look[LinesAnswer](ctx, e, r)
}

// Closest implements Service.
func (e *Engine) Closest(ctx context.Context, r ClosestRequest) (*ClosestAnswer, error) {
	return look[ClosestAnswer](ctx, e, r)
}

// Freshness implements Service.
func (e *Engine) Freshness(ctx context.Context, r FreshnessRequest) (*FreshnessAnswer, error) {
	return look[FreshnessAnswer](ctx, e, r)
}

// Tree implements Service.
func (e *Engine) Tree(ctx context.Context, r TreeRequest) (*TreeAnswer, error) {
	return look[TreeAnswer](ctx, e, r)
}

// Verify implements Service.
func (e *Engine) Verify(ctx context.Context, r VerifyRequest) (*VerifyAnswer, error) {
	return look[VerifyAnswer](ctx, e, r)
}

// Reach implements Service.
func (e *Engine) Reach(ctx context.Context, r ReachRequest) (*ReachAnswer, error) {
	return look[ReachAnswer](ctx, e, r)
}

// Standing implements Service.
func (e *Engine) Standing(ctx context.Context, r StandingRequest) (*StandingAnswer, error) {
	return look[StandingAnswer](ctx, e, r)
}

// Beliefs implements Service.
func (e *Engine) Beliefs(ctx context.Context, r BeliefsRequest) (*BeliefsAnswer, error) {
	return look[BeliefsAnswer](ctx, e, r)
}

// Audit implements Service.
func (e *Engine) Audit(ctx context.Context, r AuditRequest) (*AuditAnswer, error) {
	return look[AuditAnswer](ctx, e, r)
}

// Proposals implements Service.
func (e *Engine) Proposals(ctx context.Context, r ProposalsRequest) (*ProposalsAnswer, error) {
	return look[ProposalsAnswer](ctx, e, r)
}
