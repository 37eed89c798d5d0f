package ranking

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"patina/actors/api"
	"patina/fusion"
	"patina/fusion/period"
	"patina/oracles"
	"patina/store/text"
)

// defaultLimit is the limit of a request without one.
const defaultLimit = 10

// Oracles return at least hitsAKind hits for each kind, or hitsALimit times the limit, because
// agreement needs ranks far below the last shown result. Only the first hitsAKind are ranked, so
// that the limit changes no place (docs/ranking.md, "Candidates").
const (
	hitsAKind  = 100
	hitsALimit = 3
	// hitsAVisit is hitsAKind for a project other than home, which gets at most five places of ten
	// (bench/history/repositories.md, "Questions across repositories").
	hitsAVisit = 30
)

// A Question is a checked request with defaults, terms and intent. Prepare makes it.
type Question struct {
	api.Request
	Reading
	// Shown chooses the results by their indexes in the ranking. If it is nil, the first Limit are
	// shown, or the sections of a document that the question names.
	Shown func([]fusion.Result) []int
}

// Prepare checks a request and sets its defaults. It does not check names of projects and oracles,
// because only an engine knows them. The error names the invalid field.
func (t *Readings) Prepare(r api.Request) (Question, error) {
	if strings.TrimSpace(r.Text) == "" {
		return Question{}, errors.New("read question: it is empty")
	}
	if r.Limit < 0 || r.Timeout < 0 {
		return Question{}, fmt.Errorf("read request: limit %d, timeout %s: neither may be negative", r.Limit, r.Timeout)
	}
	if r.Rule != "" && r.Rule != fusion.Blend && r.Rule != fusion.RRF {
		return Question{}, fmt.Errorf("read request: no rule %q; there are %s and %s",
			string(r.Rule), fusion.Blend, fusion.RRF)
	}
	if err := checkTuning(r.Tuning); err != nil {
		return Question{}, err
	}
	if err := r.Filter.Check(); err != nil {
		return Question{}, err
	}
	r.Limit = cmp.Or(r.Limit, defaultLimit)
	r.Timeout = cmp.Or(r.Timeout, api.DefaultTimeout)
	if r.Now.IsZero() {
		r.Now = time.Now()
	}
	return Question{Request: r, Reading: t.understand(wordsOfRequest(r))}, nil
}

// A Reading holds the terms and the intent of a text. It must not be changed, because Readings
// shares it.
type Reading struct {
	asked  words
	parsed text.Question
	intent fusion.Intent
	form   fusion.Form
	news   []string // words that ask for news, which are not searched for
	done   []string // words for changes, which are not searched for next to a time or an author
	time   period.Reading
	people []period.Person // possible authors
}

// readText interprets a text. Every node does so by itself, so equal words must give equal terms.
func readText(asked words) Reading {
	s := asked.text
	q := Reading{asked: asked, parsed: text.ParseQuestion(s)}
	asks := s
	if q.parsed.Long {
		asks = q.parsed.Title // the rest is a report
	}
	q.intent, q.form = fusion.IntentOf(asks), fusion.FormOf(asks)
	q.parsed.HowTo = q.intent == fusion.HowTo && !q.parsed.Long
	if !asked.asWritten {
		q.readWords(asks)
	}
	return q
}

// Readings interprets texts and keeps the last few. Both sides of a query interpret its text,
// mostly in one process, and a pasted issue takes a millisecond. The zero value is ready for use.
// It is safe for concurrent use.
type Readings struct {
	mu   sync.Mutex
	next int
	last [16]Reading
}

// ReadAsk returns the Reading of an Ask.
func (t *Readings) ReadAsk(m *api.Ask) Reading { return t.understand(wordsOfAsk(m)) }

func (t *Readings) understand(s words) Reading {
	t.mu.Lock()
	i := slices.IndexFunc(t.last[:], func(u Reading) bool { return u.asked == s })
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

// QuestionOf returns the question of an Ask for oracles.
func (t *Readings) QuestionOf(m *api.Ask) oracles.Question {
	parsed := t.ReadAsk(m).parsed
	parsed.Wide = m.Counts
	return oracles.Question{
		Text: m.Text, Parsed: parsed, Filter: m.Filter,
		Limit: max(hitsOf(m), hitsALimit*m.Limit), Visit: m.Visit, Vectors: m.Vectors,
	}
}

// hitsOf returns the number of hits that are ranked for each kind.
func hitsOf(m *api.Ask) int {
	if m.Visit {
		return hitsAVisit
	}
	return hitsAKind
}

// notes returns notes about the parts of the question that were not searched for.
func (q Question) notes() []string {
	switch n := len(q.parsed.Terms); {
	case q.parsed.Long && n > oracles.LongTerms:
		const report = "read as a report: of its %d terms the %d of most weight count"
		return []string{fmt.Sprintf(report, n, oracles.LongTerms)}
	case n > oracles.MaxTerms:
		return []string{fmt.Sprintf("the question has %d terms; the %d rarest count", n, oracles.MaxTerms)}
	}
	return nil
}
