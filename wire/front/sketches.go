package front

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/wire/nodepb"
	"patina/wire/serve"
)

// mostSketches bounds one request for sketches.
const mostSketches = 64

// Sketches implements nodepb.NodeServer. The node is asked whose replica is shown for a repository,
// because its sketch is the one whose hash is known. What it does not return is left out, as what
// there is not.
func (s *Server) Sketches(ctx context.Context, m *nodepb.SketchesRequest) (*nodepb.SketchesReply, error) {
	a, leave, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if n := len(m.GetRepositories()); n > mostSketches {
		return nil, status.Errorf(codes.InvalidArgument, "%d repositories: ask for %d at most", n, mostSketches)
	}
	all := eachNode(ctx, s, a, m.GetRepositories(),
		func(ctx context.Context, c nodepb.NodeClient, names []string) ([]*nodepb.Sketch, error) {
			reply, err := c.Sketches(ctx, &nodepb.SketchesRequest{Repositories: names})
			return reply.GetSketches(), err
		})
	slices.SortFunc(all, func(a, b *nodepb.Sketch) int { return strings.Compare(a.GetRepository(), b.GetRepository()) })
	return &nodepb.SketchesReply{Sketches: all}, nil
}

// candidates returns the counts of single repositories.
func (s *Server) candidates(ctx context.Context, a *serve.Asker, m *nodepb.RouteRequest) []*nodepb.Candidate {
	all := eachNode(ctx, s, a, m.GetCandidates(),
		func(ctx context.Context, c nodepb.NodeClient, names []string) ([]*nodepb.Candidate, error) {
			r := &nodepb.RouteRequest{Stems: m.GetStems(), Candidates: names, BudgetUs: timeLeft(ctx).Microseconds()}
			reply, err := c.Route(ctx, r)
			return reply.GetCandidates(), err
		})
	slices.SortFunc(all, func(a, b *nodepb.Candidate) int { return cmp.Compare(a.GetRepository(), b.GetRepository()) })
	return all
}

// eachNode asks nodes about those of the repositories that an asker may ask, for whom it asks: each
// node about those whose replica on it is shown. It leaves out nodes that do not answer, and
// answers about anything else.
func eachNode[T interface{ GetRepository() string }](
	ctx context.Context, s *Server, a *serve.Asker, repositories []string,
	ask func(context.Context, nodepb.NodeClient, []string) ([]T, error),
) (all []T) {
	l := s.hosts.now.Load()
	byNode := map[string][]string{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(repositories))) {
		if e := l.byName[name]; e.node != "" && a.May(name) {
			byNode[e.node] = append(byNode[e.node], name)
		}
	}
	var mu sync.Mutex
	var asked sync.WaitGroup
	for node, names := range byNode {
		asked.Go(func() {
			call, err := s.set.Begin(forUser(ctx, a), node)
			if err != nil {
				return
			}
			defer call.End()
			found, err := ask(call.Context(), nodepb.NewNodeClient(call.Conn), names)
			if err != nil {
				s.Log().Debug("node did not answer about words", "node", node, "why", err.Error())
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, x := range found {
				if slices.Contains(names, x.GetRepository()) {
					all = append(all, x)
				}
			}
		})
	}
	asked.Wait()
	return all
}
