package actors

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/fusion"
	"patina/registry/querylog"
)

// channelsAsked returns the channels in names, or all channels if names is empty.
func channelsAsked(channels, names []string) []string {
	if len(names) == 0 {
		return channels
	}
	return slices.DeleteFunc(slices.Clone(channels), func(c string) bool { return !slices.Contains(names, c) })
}

// queries names queries and counts the running ones, so that Close can wait for them.
type queries struct {
	mu      sync.Mutex
	closed  bool
	serial  uint64
	second  string          // second of the ids in given
	given   map[string]bool // ids given in this second
	running sync.WaitGroup
	count   atomic.Int64 // of running queries
	stall   actor.Meter  // measures while queries run
}

// beginQuery returns a key that is unique in the engine, and id, or a new id if it is empty. It
// returns api.ErrClosed after Close.
func (s *queries) beginQuery(id string) (key, named string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", "", api.ErrClosed
	}
	if id == "" {
		id = s.fresh(querylog.NewID)
	}
	s.serial++
	s.running.Add(1)
	s.count.Add(1)
	s.stall.Start()
	return id + "." + strconv.FormatUint(s.serial, 36), id, nil
}

// fresh returns an id that this engine has not given in this second, if it finds one in 100 tries.
// There are 17,576 ids in a second.
func (s *queries) fresh(make func(time.Time) string) string {
	id := ""
	for range 100 {
		id = make(time.Now())
		second := id[:strings.LastIndexByte(id, '_')]
		if second != s.second {
			s.second, s.given = second, map[string]bool{}
		}
		if !s.given[id] {
			break
		}
	}
	s.given[id] = true
	return id
}

func (s *queries) endQuery() {
	stayAwake()
	s.count.Add(-1)
	s.stall.Stop()
	s.running.Done()
}

// closeOnce refuses new queries. It returns true only the first time.
func (s *queries) closeOnce() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.closed
	s.closed = true
	return first
}

// scry runs a request and shows the places chosen by shown, or the first ones if it is nil. came
// gets glimpses; it may be nil.
func (e *Engine) scry(
	ctx context.Context, r api.Request, shown func(ranking []fusion.Result) []int, came chan<- *api.Glimpse,
) (*api.Answer, error) {
	q, err := e.texts.Prepare(r)
	if err != nil {
		return nil, err
	}
	key, id, err := e.queries.beginQuery(q.ID)
	if err != nil {
		return nil, err
	}
	defer e.queries.endQuery()
	of, err := e.use(q.Projects)
	if err != nil {
		return nil, err
	}
	defer releaseMembers(of)
	if q.Oracles, err = oraclesOf(of, q.Oracles); err != nil {
		return nil, err
	}
	q.ID = id
	q.Shown = shown
	reply := make(chan *api.Answer, 1)
	e.router.Send(
		&scry{ctx: ctx, query: key, question: q, targets: targetsOf(of), reply: reply, came: came, stalled: e.options.stalled},
	)
	a, err := receiveReply(ctx, e, reply, longestQuestion(q.Timeout))
	if err != nil {
		return nil, fmt.Errorf("ask %q: %w", r.Text, err)
	}
	return a, nil
}

// oraclesOf returns names in the order of the projects' channels, each once. It returns nil if
// names is empty, and an error if no project has a name.
func oraclesOf(of []*member, names []string) ([]string, error) {
	var all []string
	for _, m := range of {
		for _, c := range m.channels {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no oracle %q; there are %s", name, strings.Join(all, ", "))
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return channelsAsked(all, names), nil
}
