package actors

import "context"

// Detail implements Service.
func (e *Engine) Detail(ctx context.Context, r DetailRequest) (*DetailAnswer, error) {
	return lookUp[DetailAnswer](ctx, e, r)
}

// Resolve implements Service.
func (e *Engine) Resolve(ctx context.Context, r ResolveRequest) (*ResolveAnswer, error) {
	return lookUp[ResolveAnswer](ctx, e, r)
}

// Links implements Service.
func (e *Engine) Links(ctx context.Context, r LinksRequest) (*LinksAnswer, error) {
	return lookUp[LinksAnswer](ctx, e, r)
}

// NearNames implements Service.
func (e *Engine) NearNames(ctx context.Context, r NearNamesRequest) (*NearNamesAnswer, error) {
	return lookUp[NearNamesAnswer](ctx, e, r)
}

// Assay implements Service.
func (e *Engine) Assay(ctx context.Context, r AssayRequest) (*AssayAnswer, error) {
	return lookUp[AssayAnswer](ctx, e, r)
}

// Recent implements Service.
func (e *Engine) Recent(ctx context.Context, r RecentRequest) (*RecentAnswer, error) {
	return lookUp[RecentAnswer](ctx, e, r)
}

// Overview implements Service.
func (e *Engine) Overview(ctx context.Context, r OverviewRequest) (*OverviewAnswer, error) {
	return lookUp[OverviewAnswer](ctx, e, r)
}

// Brief implements Service.
func (e *Engine) Brief(ctx context.Context, r BriefRequest) (*BriefAnswer, error) {
	return lookUp[BriefAnswer](ctx, e, r)
}

// Packages implements Service.
func (e *Engine) Packages(ctx context.Context, r PackagesRequest) (*PackagesAnswer, error) {
	return lookUp[PackagesAnswer](ctx, e, r)
}

// Symbols implements Service.
func (e *Engine) Symbols(ctx context.Context, r SymbolsRequest) (*SymbolsAnswer, error) {
	return lookUp[SymbolsAnswer](ctx, e, r)
}

// Lines implements Service.
func (e *Engine) Lines(ctx context.Context, r LinesRequest) (*LinesAnswer, error) {
	return lookUp[LinesAnswer](ctx, e, r)
}

// Closest implements Service.
func (e *Engine) Closest(ctx context.Context, r ClosestRequest) (*ClosestAnswer, error) {
	return lookUp[ClosestAnswer](ctx, e, r)
}

// Freshness implements Service.
func (e *Engine) Freshness(ctx context.Context, r FreshnessRequest) (*FreshnessAnswer, error) {
	return lookUp[FreshnessAnswer](ctx, e, r)
}

// Tree implements Service.
func (e *Engine) Tree(ctx context.Context, r TreeRequest) (*TreeAnswer, error) {
	return lookUp[TreeAnswer](ctx, e, r)
}

// Verify implements Service.
func (e *Engine) Verify(ctx context.Context, r VerifyRequest) (*VerifyAnswer, error) {
	return lookUp[VerifyAnswer](ctx, e, r)
}

// Reach implements Service.
func (e *Engine) Reach(ctx context.Context, r ReachRequest) (*ReachAnswer, error) {
	return lookUp[ReachAnswer](ctx, e, r)
}

// Standing implements Service.
func (e *Engine) Standing(ctx context.Context, r StandingRequest) (*StandingAnswer, error) {
	return lookUp[StandingAnswer](ctx, e, r)
}

// Beliefs implements Service.
func (e *Engine) Beliefs(ctx context.Context, r BeliefsRequest) (*BeliefsAnswer, error) {
	return lookUp[BeliefsAnswer](ctx, e, r)
}

// Audit implements Service.
func (e *Engine) Audit(ctx context.Context, r AuditRequest) (*AuditAnswer, error) {
	return lookUp[AuditAnswer](ctx, e, r)
}

// Proposals implements Service.
func (e *Engine) Proposals(ctx context.Context, r ProposalsRequest) (*ProposalsAnswer, error) {
	return lookUp[ProposalsAnswer](ctx, e, r)
}
