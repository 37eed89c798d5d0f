package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"patina/fusion"
	"patina/oracles"
	"patina/querylog"
	"patina/store/text"
)

// The defaults of a request.
const (
	defaultLimit   = 10
	defaultTimeout = 1500 * time.Millisecond
)

// Oracles return at least hitsAKind hits a kind, or hitsALimit times the limit. Agreement needs
// ranks far below the last result shown (docs/ranking.md, "Candidates").
const (
	hitsAKind  = 100
	hitsALimit = 3
)

// prepare checks a request and fills in its defaults.
func (e *Engine) prepare(r Request) (question, error) {
	if strings.TrimSpace(r.Text) == "" {
		return question{}, errors.New("read question: it is empty")
	}
	if r.Limit < 0 || r.Timeout < 0 {
		return question{}, fmt.Errorf("read request: limit %d, timeout %s: neither may be negative", r.Limit, r.Timeout)
	}
	if r.Rule != "" && r.Rule != fusion.Blend && r.Rule != fusion.RRF {
		return question{}, fmt.Errorf("read request: no rule %q; there are %s and %s", string(r.Rule), fusion.Blend, fusion.RRF)
	}
	if err := r.Filter.Check(); err != nil {
		return question{}, err
	}
	for _, name := range r.Oracles {
		if !slices.Contains(e.names, name) {
			return question{}, fmt.Errorf("no oracle %q; there are %s", name, strings.Join(e.names, ", "))
		}
	}
	r.Oracles = e.inOrder(r.Oracles)
	r.Limit = cmp.Or(r.Limit, defaultLimit)
	r.Timeout = cmp.Or(r.Timeout, defaultTimeout)
	q := question{Request: r, parsed: text.ParseQuestion(r.Text)}
	asks := r.Text
	if q.parsed.Long {
		asks = q.parsed.Title // the rest reports
	}
	q.intent = fusion.IntentOf(asks)
	if q.news = fusion.NewsWords(asks); !q.parsed.Long {
		q.parsed.Without(q.news)
	}
	return q, nil
}

// inOrder sorts names of oracles as the engine has them, each once.
func (e *Engine) inOrder(names []string) []string {
	var out []string
	for _, n := range e.names {
		if slices.Contains(names, n) {
			out = append(out, n)
		}
	}
	return out
}

// forOracles is the question as oracles see it.
func (q question) forOracles() oracles.Question {
	return oracles.Question{
		ID: q.ID, Text: q.Text, Parsed: q.parsed, Filter: q.Filter,
		Limit: max(hitsAKind, hitsALimit*q.Limit),
	}
}

// notes says what of the question is not looked at.
func (q question) notes() []string {
	switch n := len(q.parsed.Terms); {
	case q.parsed.Long && n > oracles.LongTerms:
		return []string{fmt.Sprintf("read as a report: of its %d terms the %d of most weight count", n, oracles.LongTerms)}
	case n > oracles.MaxTerms:
		return []string{fmt.Sprintf("the question has %d terms; the %d rarest count", n, oracles.MaxTerms)}
	case len(q.news) > 0:
		return []string{"ranked by words, not by age; newest first: scry recent"}
	}
	return nil
}

// queries names queries and counts those under way, so that an engine can wait for them.
type queries struct {
	mu      sync.Mutex
	closed  bool
	serial  uint64
	second  string          // of the ids in given
	given   map[string]bool // ids made in this second
	running sync.WaitGroup
}

// begin names a query: by a key that is unique in the engine, and by an id that it makes unless there is one.
func (s *queries) begin(id string) (key, named string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", "", ErrClosed
	}
	if id == "" {
		id = s.fresh(querylog.NewID)
	}
	s.serial++
	s.running.Add(1)
	return id + "." + strconv.FormatUint(s.serial, 36), id, nil
}

// fresh makes an id that this engine has not given yet. One second has 17,576 of them; an engine that spends most of them
// in a second repeats one rather than wait.
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

func (s *queries) end() { s.running.Done() }

// close lets no query begin any more. It is true once.
func (s *queries) close() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.closed
	s.closed = true
	return first
}

// scry runs a request and shows the places that shown chooses.
func (e *Engine) scry(ctx context.Context, r Request, shown func(limit int, ranking []fusion.Result) []int) (*Answer, error) {
	q, err := e.prepare(r)
	if err != nil {
		return nil, err
	}
	key, id, err := e.queries.begin(q.ID)
	if err != nil {
		return nil, err
	}
	defer e.queries.end()
	q.ID = id
	q.shown = func(ranking []fusion.Result) []int { return shown(q.Limit, ranking) }
	reply := make(chan *Answer, 1)
	e.system.Root.Send(e.router, &scry{ctx: ctx, query: key, question: q, reply: reply})
	last := time.NewTimer(q.Timeout + answerGrace)
	defer last.Stop()
	select {
	case a := <-reply:
		return a, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("ask %q: %w", r.Text, ctx.Err())
	case <-last.C:
		return nil, fmt.Errorf("ask %q: no answer within %s of its deadline", r.Text, answerGrace)
	}
}
