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
	"sync/atomic"
	"time"

	"patina/actors/actor"
	"patina/fusion"
	"patina/fusion/period"
	"patina/oracles"
	"patina/registry/querylog"
	"patina/store/text"
)

// The defaults for a request.
const (
	defaultLimit   = 10
	defaultTimeout = 10 * time.Second
)

// Oracles return at least hitsAKind hits a kind, or hitsALimit times the limit. Agreement needs
// ranks far below the last result shown. The first hitsAKind alone are ranked, so that the limit
// changes no place; the others follow (docs/ranking.md, "Candidates").
const (
	hitsAKind  = 100
	hitsALimit = 3
	// hitsAVisit is hitsAKind of a project asked beside home, to which five places of ten are open
	// at most (bench/history/repositories.md, "Questions across repositories").
	hitsAVisit = 30
)

// prepareRequest checks a request, except its names, and fills in its defaults.
func (e *Engine) prepareRequest(r Request) (question, error) {
	if strings.TrimSpace(r.Text) == "" {
		return question{}, errors.New("read question: it is empty")
	}
	if r.Limit < 0 || r.Timeout < 0 {
		return question{}, fmt.Errorf("read request: limit %d, timeout %s: neither may be negative", r.Limit, r.Timeout)
	}
	if r.Rule != "" && r.Rule != fusion.Blend && r.Rule != fusion.RRF {
		return question{}, fmt.Errorf("read request: no rule %q; there are %s and %s", string(r.Rule), fusion.Blend, fusion.RRF)
	}
	if err := checkTuning(r.Tuning); err != nil {
		return question{}, err
	}
	if err := r.Filter.Check(); err != nil {
		return question{}, err
	}
	r.Limit = cmp.Or(r.Limit, defaultLimit)
	r.Timeout = cmp.Or(r.Timeout, defaultTimeout)
	if r.Now.IsZero() {
		r.Now = time.Now()
	}
	return question{Request: r, understood: e.texts.understand(wordsOfRequest(r))}, nil
}

// understood holds the terms and the intent of a question. It is never changed.
type understood struct {
	asked  words
	parsed text.Question
	intent fusion.Intent
	form   fusion.Form
	news   []string // words asking for news; they are not searched for
	done   []string // words saying that something was done: not, beside a time or an author
	time   period.Reading
	people []period.Person // who may be an author
}

// readText reads a text. Every node reads it by itself: equal words give equal terms.
func readText(asked words) understood {
	s := asked.text
	q := understood{asked: asked, parsed: text.ParseQuestion(s)}
	asks := s
	if q.parsed.Long {
		asks = q.parsed.Title // the rest reports
	}
	q.intent, q.form = fusion.IntentOf(asks), fusion.FormOf(asks)
	q.parsed.HowTo = q.intent == fusion.HowTo && !q.parsed.Long
	if !asked.asWritten {
		q.readWords(asks)
	}
	return q
}

// texts caches the last few texts read. Both sides of a query read its text, mostly in one process,
// and a pasted issue takes a millisecond.
type texts struct {
	mu   sync.Mutex
	next int
	last [16]understood
}

func (t *texts) understand(s words) understood {
	t.mu.Lock()
	i := slices.IndexFunc(t.last[:], func(u understood) bool { return u.asked == s })
	if i >= 0 {
		defer t.mu.Unlock()
		return t.last[i]
	}
	t.mu.Unlock()
	u := readText(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last[t.next%len(t.last)] = u
	t.next++
	return u
}

// questionOf is the question as oracles see it.
func (h *host) questionOf(m *Ask) oracles.Question {
	parsed := h.texts.understand(wordsOfAsk(m)).parsed
	parsed.Wide = m.Counts
	return oracles.Question{
		Text: m.Text, Parsed: parsed, Filter: m.Filter,
		Limit: max(hitsOf(m), hitsALimit*m.Limit), Visit: m.Visit,
	}
}

// hitsOf is how many hits a kind are ranked for an Ask.
func hitsOf(m *Ask) int {
	if m.Visit {
		return hitsAVisit
	}
	return hitsAKind
}

// channelsAsked returns the channels in names, each once, or all of them if there are no names.
func channelsAsked(channels, names []string) []string {
	if len(names) == 0 {
		return channels
	}
	return slices.DeleteFunc(slices.Clone(channels), func(c string) bool { return !slices.Contains(names, c) })
}

// notes names the parts of the question left out of the search.
func (q question) notes() []string {
	switch n := len(q.parsed.Terms); {
	case q.parsed.Long && n > oracles.LongTerms:
		return []string{fmt.Sprintf("read as a report: of its %d terms the %d of most weight count", n, oracles.LongTerms)}
	case n > oracles.MaxTerms:
		return []string{fmt.Sprintf("the question has %d terms; the %d rarest count", n, oracles.MaxTerms)}
	}
	return nil
}

// queries names queries and counts the running ones, so that an engine can wait for them.
type queries struct {
	mu      sync.Mutex
	closed  bool
	serial  uint64
	second  string          // in the ids in given
	given   map[string]bool // ids made in this second
	running sync.WaitGroup
	count   atomic.Int64 // of the running ones
	stall   actor.Meter  // measures while some run
}

// beginQuery names a query: by a key, unique in the engine, and by an id, made if it is empty.
func (s *queries) beginQuery(id string) (key, named string, err error) {
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
	s.count.Add(1)
	s.stall.Start()
	return id + "." + strconv.FormatUint(s.serial, 36), id, nil
}

// fresh makes an id that this engine has not given yet. One second has 17,576 ids. An engine that
// spends most of them in a second repeats one rather than wait.
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

// closeOnce lets no query begin any more. It is true once.
func (s *queries) closeOnce() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.closed
	s.closed = true
	return first
}

// scry runs a request and shows the places chosen by shown.
func (e *Engine) scry(ctx context.Context, r Request, shown func(limit int, ranking []fusion.Result) []int) (*Answer, error) {
	q, err := e.prepareRequest(r)
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
	q.shown = func(ranking []fusion.Result) []int { return shown(q.Limit, ranking) }
	reply := make(chan *Answer, 1)
	e.router.Send(&scry{ctx: ctx, query: key, question: q, targets: targetsOf(of), reply: reply, stalled: e.options.stalled})
	a, err := receiveReply(ctx, e, reply, longestQuestion(q.Timeout))
	if err != nil {
		return nil, fmt.Errorf("ask %q: %w", r.Text, err)
	}
	return a, nil
}

// oraclesOf sorts names of oracles as the projects have them, each once. A name unknown to every
// project is an error.
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
