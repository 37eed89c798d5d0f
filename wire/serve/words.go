package serve

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/registry/route"
	"patina/wire"
	"patina/wire/nodepb"
)

// The limits of a call about words. A question has some 20 stems, and edges lead to some 50
// repositories.
const (
	mostSketches   = 64
	mostStems      = 512
	mostCandidates = 256
	// mostSums is for how many keys of rights the counts are kept.
	mostSums = 64
)

// admitWords lets an asker make a call about words until leave is called.
func (s *Server) admitWords(ctx context.Context) (a *Asker, leave func(), err error) {
	if s.options.Sketch == nil {
		return nil, nil, status.Error(codes.Unimplemented, "this node counts no words")
	}
	if a, err = s.options.Gate.Admit(ctx); err != nil {
		return nil, nil, err
	}
	leave, err = s.Begin()
	return a, leave, err
}

// Route implements nodepb.NodeServer. It counts the repositories of this node alone.
func (s *Server) Route(ctx context.Context, m *nodepb.RouteRequest) (*nodepb.RouteReply, error) {
	if s.options.Route != nil {
		return s.routeElsewhere(ctx, m)
	}
	a, leave, err := s.admitWords(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if len(m.GetStems()) > mostStems || len(m.GetCandidates()) > mostCandidates {
		return nil, status.Errorf(codes.InvalidArgument, "more than %d stems or %d candidates", mostStems, mostCandidates)
	}
	out := &nodepb.RouteReply{}
	sums := make([]float64, len(m.GetStems()))
	for _, h := range s.options.Backend.Repositories() {
		name := h.GetRepository()
		if !a.May(name) {
			continue
		}
		sketch := s.options.Sketch(name)
		if sketch == nil {
			continue
		}
		c := &nodepb.Candidate{Repository: name, Chunks: uint64(max(0, sketch.Chunks))}
		for i, stem := range m.GetStems() {
			n := frequencyOf(sketch, stem)
			sums[i] += n
			c.Documents = append(c.Documents, uint64(math.Round(n)))
		}
		out.Chunks += c.GetChunks()
		if slices.Contains(m.GetCandidates(), name) {
			out.Candidates = append(out.Candidates, c)
		}
	}
	for _, n := range sums {
		out.Documents = append(out.Documents, uint64(math.Round(n)))
	}
	return out, nil
}

// frequencyOf returns in how many chunks a stem is, by its hash. A hash that is too large is no
// stem's.
func frequencyOf(s *route.Sketch, stem uint64) float64 {
	if stem > math.MaxUint32 {
		return 0
	}
	return s.FrequencyOf(uint32(stem))
}

func (s *Server) routeElsewhere(ctx context.Context, m *nodepb.RouteRequest) (*nodepb.RouteReply, error) {
	a, err := s.options.Gate.Admit(ctx)
	if err != nil {
		return nil, err
	}
	leave, err := s.Begin()
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, wire.BudgetOf(m.GetBudgetUs()))
	defer cancel()
	reply, err := s.options.Route(ctx, m, a.May)
	return reply, wire.ErrorOf(err)
}

// Sketches implements nodepb.NodeServer. It leaves out repositories that the caller may not see and
// those without a sketch, which look the same.
func (s *Server) Sketches(ctx context.Context, m *nodepb.SketchesRequest) (*nodepb.SketchesReply, error) {
	a, leave, err := s.admitWords(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if n := len(m.GetRepositories()); n > mostSketches {
		return nil, status.Errorf(codes.InvalidArgument, "%d repositories: ask for %d at most", n, mostSketches)
	}
	out := &nodepb.SketchesReply{}
	size := 0
	for _, name := range m.GetRepositories() {
		_, hosted := s.options.Backend.Target(name)
		if !a.May(name) || !hosted {
			continue
		}
		if sketch := s.options.Sketch(name); sketch != nil {
			x := &nodepb.Sketch{Repository: name, Sketch: sketch.Words(), Statements: sketch.Statements()}
			if size += len(x.GetSketch()) + len(x.GetStatements()); size > wire.MaxReply/2 {
				break // the caller asks again for those that are missing
			}
			out.Sketches = append(out.Sketches, x)
		}
	}
	return out, nil
}

// sums keeps counts by their keys of rights, because making them takes longer than sending them.
type sums struct {
	mu   sync.Mutex
	kept map[string]*nodepb.CountsReply
}

// Counts implements nodepb.NodeServer.
func (s *Server) Counts(ctx context.Context, m *nodepb.CountsRequest) (*nodepb.CountsReply, error) {
	a, leave, err := s.admitWords(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if !a.mayCount() {
		return nil, status.Error(codes.PermissionDenied, "only fronts are told these counts")
	}
	names, etag := s.counted(a, m)
	if m.GetEtag() == etag {
		return &nodepb.CountsReply{Etag: etag, Unchanged: true}, nil
	}
	s.sums.mu.Lock()
	defer s.sums.mu.Unlock()
	if kept := s.sums.kept[m.GetRights()]; kept.GetEtag() == etag {
		return kept, nil
	}
	var all []route.Sketch
	for _, name := range names {
		if sketch := s.options.Sketch(name); sketch != nil {
			all = append(all, *sketch)
		}
	}
	reply := countsReply(route.Sum(all))
	reply.Etag = etag
	if s.sums.kept == nil || len(s.sums.kept) >= mostSums {
		s.sums.kept = map[string]*nodepb.CountsReply{}
	}
	s.sums.kept[m.GetRights()] = reply
	return reply, nil
}

// counted returns the repositories that a request for counts is about, and the etag of their words.
func (s *Server) counted(a *Asker, m *nodepb.CountsRequest) (names []string, etag string) {
	only := map[string]bool{}
	for _, name := range m.GetRepositories() {
		only[name] = true
	}
	h := sha256.New()
	for _, x := range s.options.Backend.Repositories() {
		name := x.GetRepository()
		if len(only) > 0 && !only[name] || !a.mayRights(m.GetRights(), name) {
			continue
		}
		names = append(names, name)
		fmt.Fprintf(h, "%q %x\n", name, x.GetSketchHash())
	}
	return names, fmt.Sprintf("%x", h.Sum(nil)[:16])
}

func countsReply(c route.Counts) *nodepb.CountsReply {
	out := &nodepb.CountsReply{Chunks: uint64(c.Chunks)}
	for _, hash := range slices.Sorted(maps.Keys(c.Terms)) {
		out.Terms = append(out.Terms, uint64(hash))
		out.Documents = append(out.Documents, uint64(math.Round(c.Terms[hash])))
	}
	return out
}
