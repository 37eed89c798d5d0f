package serve

import (
	"context"
	"time"

	"google.golang.org/grpc"

	"patina/wire"
	"patina/wire/nodepb"
)

// The beats that a watcher may have.
const (
	fastestBeat = 50 * time.Millisecond
	slowestBeat = 5 * time.Second
)

// Watch implements nodepb.NodeServer. A beat is sent only after the Backend is at work, because a
// node whose connections work while its repositories hang must look dead. A beat that is missed is
// left out, and nothing is sent twice.
func (s *Server) Watch(m *nodepb.WatchRequest, st grpc.ServerStreamingServer[nodepb.State]) error {
	beat := min(max(time.Duration(m.GetBeatUs())*time.Microsecond, fastestBeat), slowestBeat)
	w := &watcher{server: s, sent: map[string]*nodepb.Hosted{}}
	for _, name := range m.GetRepositories() {
		if w.only == nil {
			w.only = map[string]bool{}
		}
		w.only[name] = true
	}
	return s.SendStates(st, beat, w.next)
}

// SendStates sends what next returns, at once and then at each beat, until the Watch has come of
// age or the server ends. next must return within beat. It may return nil, and then nothing is
// sent.
func (s *Base) SendStates(
	st grpc.ServerStreamingServer[nodepb.State], beat time.Duration,
	next func(ctx context.Context, beat time.Duration) (*nodepb.State, error),
) error {
	t := time.NewTicker(beat)
	defer t.Stop()
	end := time.NewTimer(s.options.WatchAge)
	defer end.Stop()
	draining := s.draining
	for {
		state, err := next(st.Context(), beat)
		if err != nil {
			return err
		}
		if state != nil {
			if err := st.Send(state); err != nil {
				return err
			}
		}
		select {
		case <-t.C:
		case <-draining:
			draining = nil // told once, and then by each beat
		case <-end.C:
			return nil
		case <-s.over:
			return nil
		case <-st.Context().Done():
			return wire.ErrorOf(st.Context().Err())
		}
	}
}

// A watcher knows what one Watch was told.
type watcher struct {
	server *Server
	only   map[string]bool // the repositories that are wanted; nil means all
	seq    uint64
	sent   map[string]*nodepb.Hosted
}

// next returns the next message, or nil if the Backend did not answer within a beat.
func (w *watcher) next(ctx context.Context, beat time.Duration) (*nodepb.State, error) {
	s := w.server
	a, err := s.options.Gate.Admit(ctx)
	if err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, beat)
	defer cancel()
	if s.options.Backend.Beat(within) != nil {
		return nil, nil
	}
	m := s.State(w.seq)
	w.seq++
	hosted := map[string]bool{}
	for _, h := range s.options.Backend.Repositories() {
		name := h.GetRepository()
		if w.only != nil && !w.only[name] || !a.MaySee(name) {
			continue
		}
		hosted[name] = true
		if w.sent[name] != h {
			w.sent[name] = h
			m.Hosted = append(m.Hosted, h)
		}
	}
	for name := range w.sent {
		if !hosted[name] {
			delete(w.sent, name)
			m.Gone = append(m.Gone, name)
		}
	}
	return m, nil
}

// State returns a message of a Watch without repositories: the snapshot if seq is 0, and else a
// beat.
func (s *Base) State(seq uint64) *nodepb.State {
	m := &nodepb.State{
		BootId: s.boot, Seq: seq, Draining: isClosed(s.draining),
		InFlight: int32(min(s.Running(), 1<<30)), Slots: int32(s.options.Slots),
	}
	if s.options.Expires != nil {
		m.CertificateUnix = s.options.Expires().Unix()
	}
	if seq == 0 {
		m.Snapshot, m.Protocol, m.Version = true, wire.Protocol(), s.options.Version
	}
	return m
}
