package api

import (
	"context"
	"fmt"
)

// Read answers a look-up by the method of a service that is for it: a DetailRequest by Detail and
// so on. The answer is a pointer to a DetailAnswer and so on. It returns an error for a type that
// is no request of Service.
func Read(ctx context.Context, s Service, r Lookup) (any, error) {
	switch r := r.(type) {
	case ClosestRequest:
		return answerOf(s.Closest(ctx, r))
	case ResolveRequest:
		return answerOf(s.Resolve(ctx, r))
	case DetailRequest:
		return answerOf(s.Detail(ctx, r))
	case LinksRequest:
		return answerOf(s.Links(ctx, r))
	case NearNamesRequest:
		return answerOf(s.NearNames(ctx, r))
	case AssayRequest:
		return answerOf(s.Assay(ctx, r))
	case RecentRequest:
		return answerOf(s.Recent(ctx, r))
	case OverviewRequest:
		return answerOf(s.Overview(ctx, r))
	case BriefRequest:
		return answerOf(s.Brief(ctx, r))
	case PackagesRequest:
		return answerOf(s.Packages(ctx, r))
	case SymbolsRequest:
		return answerOf(s.Symbols(ctx, r))
	case LinesRequest:
		return answerOf(s.Lines(ctx, r))
	case MatchesRequest:
		return answerOf(s.Matches(ctx, r))
	case ImpactRequest:
		return answerOf(s.Impact(ctx, r))
	}
	return readKnowledge(ctx, s, r)
}

// readKnowledge is Read for look-ups about beliefs and about the index.
func readKnowledge(ctx context.Context, s Service, r Lookup) (any, error) {
	switch r := r.(type) {
	case VerifyRequest:
		return answerOf(s.Verify(ctx, r))
	case BeliefsRequest:
		return answerOf(s.Beliefs(ctx, r))
	case ProposalsRequest:
		return answerOf(s.Proposals(ctx, r))
	case AuditRequest:
		return answerOf(s.Audit(ctx, r))
	case ReachRequest:
		return answerOf(s.Reach(ctx, r))
	case StandingRequest:
		return answerOf(s.Standing(ctx, r))
	case TreeRequest:
		return answerOf(s.Tree(ctx, r))
	case FreshnessRequest:
		return answerOf(s.Freshness(ctx, r))
	}
	return nil, fmt.Errorf("read: no look-up %T", r)
}

// answerOf returns an answer as any. A nil answer with an error is nil.
func answerOf[A any](a *A, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}
