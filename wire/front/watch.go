package front

import (
	"context"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/wire/config"
	"patina/wire/nodepb"
	"patina/wire/serve"
)

// The beats that a watcher of a front may have. A user's machine is told every other second unless
// it wants to know sooner.
const (
	fastestBeat = 200 * time.Millisecond
	usualBeat   = 2 * time.Second
	slowestBeat = 5 * time.Second
)

// Watch implements nodepb.NodeServer. The repositories are those of all nodes that the watcher may
// see. One whose replicas are all down stays among them, and is marked.
func (s *Server) Watch(m *nodepb.WatchRequest, st grpc.ServerStreamingServer[nodepb.State]) error {
	beat := usualBeat
	if m.GetBeatUs() > 0 {
		beat = min(max(time.Duration(m.GetBeatUs())*time.Microsecond, fastestBeat), slowestBeat)
	}
	a, err := s.Gate().Admit(st.Context())
	if err != nil {
		return err
	}
	leave, err := s.watches.beginWatch(a.User)
	if err != nil {
		return err
	}
	defer leave()
	w := &watcher{server: s, only: m.GetRepositories(), sent: map[string]*nodepb.Hosted{}}
	return s.SendStates(st, beat, w.next)
}

// mostWatches is how many streams of beats a user may have: one for each process that asks.
const mostWatches = 64

// watches counts the streams of beats of each user.
type watches struct {
	mu sync.Mutex
	of map[string]int
}

// begin counts a stream of a user until leave is called. "" is no user and has no limit. It returns
// an error of code RESOURCE_EXHAUSTED beyond mostWatches.
func (w *watches) beginWatch(user string) (leave func(), err error) {
	if user == "" {
		return func() {}, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of[user] >= mostWatches {
		return nil, status.Errorf(codes.ResourceExhausted,
			"%d processes of %q watch this front; end some of them", w.of[user], user)
	}
	if w.of == nil {
		w.of = map[string]int{}
	}
	w.of[user]++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.of[user]--; w.of[user] == 0 {
			delete(w.of, user)
		}
	}, nil
}

// A watcher knows what one Watch was told.
type watcher struct {
	server *Server
	only   []string // the repositories that it wants to hear of; empty means all
	seq    uint64
	seen   *listing       // when it was last told
	config *config.Config // and by which rights
	sent   map[string]*nodepb.Hosted
}

// next returns the next message, or nil if the front is not at work.
func (w *watcher) next(ctx context.Context, beat time.Duration) (*nodepb.State, error) {
	s := w.server
	a, err := s.Gate().Admit(ctx)
	if err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, beat)
	defer cancel()
	if s.hosts.beat(within) != nil {
		return nil, nil
	}
	m := s.State(w.seq)
	w.seq++
	l, c := s.hosts.now.Load(), s.options.Config()
	if l == w.seen && c == w.config {
		return m, nil
	}
	w.seen, w.config = l, c
	shown := map[string]bool{}
	for _, h := range l.visible(a, w.only) {
		name := h.GetRepository()
		shown[name] = true
		if w.sent[name] != h {
			w.sent[name] = h
			m.Hosted = append(m.Hosted, h)
		}
	}
	for name := range w.sent {
		if !shown[name] {
			delete(w.sent, name)
			m.Gone = append(m.Gone, name)
		}
	}
	return m, nil
}

// visible returns the repositories that an asker may see, by name. Of some only, if only is not
// empty.
func (l *listing) visible(a *serve.Asker, only []string) (all []*nodepb.Hosted) {
	if len(only) == 0 {
		for _, h := range l.entries {
			if a.MaySee(h.GetRepository()) {
				all = append(all, h)
			}
		}
		return all
	}
	twice := map[string]bool{}
	for _, name := range only {
		e, ok := l.byName[name]
		if ok && !twice[name] && a.MaySee(name) {
			twice[name] = true
			all = append(all, e.shown)
		}
	}
	return all
}
