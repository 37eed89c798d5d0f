// Package memory stores notes: lessons, decisions, preferences. Each has a scope: a project, or the
// user in all projects.
//
// Notes about a project are authored data, in memory.db beside the project's record in
// $PATINA_HOME. No scrape touches it. Many processes may change it at the same time, and a change
// is on disk when the call returns. Superseded and forgotten notes stay, with their history. Only
// Purge removes them.
//
// Notes of the user are in a log that any process may append to (memory/persona), and in a store of
// the same form that is derived from it (UserNotes). Ranking them among code is left to package
// oracles.
package memory

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"patina/internal/secrets"
)

// Types are the types that a memory may have.
var Types = []string{"lesson", "decision", "gotcha", "pattern", "preference", "summary", "self_report"}

// SessionTurn is the type of a turn of a session, which recall finds beside memories. No memory has
// it.
const SessionTurn = "session"

// TranscriptTurn is the type of a turn of a conversation with an agent (package memory/turns). No
// memory has it.
const TranscriptTurn = "turn"

// IsTurn reports whether a result of a search is something that was said, and no memory.
func (m Memory) IsTurn() bool { return m.Type == SessionTurn || m.Type == TranscriptTurn }

// The origins of a memory: who vouches for it.
const (
	User      = "user"
	Agent     = "agent"
	Imported  = "imported"
	Untrusted = "untrusted"
)

// Limits for one memory. A note is a few sentences. Longer texts should be documents.
const (
	MaxContent = 64 << 10 // bytes
	maxField   = 1 << 10  // bytes in a path, a symbol, a source and the like
	maxTags    = 32
)

var (
	// ErrNone means that no memory has the id.
	ErrNone = errors.New("no such memory")
	// ErrAmbiguous means that several memories have ids with this start.
	ErrAmbiguous = errors.New("several memories begin so")
	// ErrInvalid means that a memory cannot be stored as it is.
	ErrInvalid = errors.New("invalid memory")
	// ErrSecret means that a memory contains a password or a token.
	ErrSecret = errors.New("it holds a secret")
)

// A Memory is one note.
type Memory struct {
	ID           string     `json:"id"`
	Content      string     `json:"content"`
	Type         string     `json:"type"`
	Tags         []string   `json:"tags"`              // must be sorted
	Aliases      []string   `json:"aliases,omitempty"` // other words for its subject, sorted
	Confidence   float64    `json:"confidence"`
	Pinned       bool       `json:"pinned"`
	Source       string     `json:"source"`
	Session      string     `json:"session"`
	Commit       string     `json:"commit"`
	Path         string     `json:"path"`
	Symbol       string     `json:"symbol"`
	Created      time.Time  `json:"created_at"`
	Ended        time.Time  `json:"valid_to,omitzero"`
	SupersededBy string     `json:"superseded_by"`
	Origin       string     `json:"origin"`
	Scope        string     `json:"-"`                      // ScopeProject or ScopeUser
	Ground       string     `json:"ground,omitempty"`       // hash of its subject, when written
	Moved        string     `json:"ground_moved,omitempty"` // how that has changed; never stored
	Similar      []Likeness `json:"similar_to,omitempty"`   // set only by show and Export
	Log          []Event    `json:"log,omitempty"`          // oldest first; set only by Get and Export
}

// An Event is one change to a memory.
type Event struct {
	At     time.Time `json:"at"`
	Action string    `json:"action"`
	Detail string    `json:"detail"`
}

// Current reports whether the memory is neither superseded nor forgotten.
func (m Memory) Current() bool { return m.Ended.IsZero() }

// completed fills in the defaults. It returns ErrInvalid for a memory that cannot be stored.
func (m Memory) completed(now time.Time) (Memory, error) {
	m.Content = strings.TrimSpace(m.Content)
	m.Type = cmp.Or(strings.ToLower(m.Type), "lesson")
	m.Origin = cmp.Or(m.Origin, User)
	if m.Confidence == 0 {
		m.Confidence = 0.8
		if m.Type == "decision" || m.Type == "preference" {
			m.Confidence = 0.95
		}
	}
	if m.Created.IsZero() {
		m.Created = now
	}
	m.Created = m.Created.UTC().Truncate(time.Second)
	var err error
	if m.Tags, err = cleanTags(m.Tags); err != nil {
		return m, err
	}
	if m.Aliases, err = cleanAliases(m.Aliases); err != nil {
		return m, err
	}
	return m, m.check()
}

func (m Memory) check() error {
	switch {
	case m.Content == "":
		return fmt.Errorf("%w: it has no text", ErrInvalid)
	case len(m.Content) > MaxContent:
		return fmt.Errorf("%w: its text has %d bytes, at most %d fit", ErrInvalid, len(m.Content), MaxContent)
	case !isReadable(m.Content):
		return fmt.Errorf("%w: its text is not UTF-8, or has control characters", ErrInvalid)
	case !slices.Contains(Types, m.Type):
		return fmt.Errorf("%w: unknown type %q, there are: %s", ErrInvalid, m.Type, strings.Join(Types, ", "))
	case !slices.Contains([]string{User, Agent, Imported, Untrusted}, m.Origin):
		return fmt.Errorf("%w: unknown origin %q", ErrInvalid, m.Origin)
	case !(m.Confidence > 0 && m.Confidence <= 1):
		return fmt.Errorf("%w: confidence %v is not above 0 and at most 1", ErrInvalid, m.Confidence)
	}
	for _, f := range []string{m.Source, m.Session, m.Commit, m.Path, m.Symbol, m.SupersededBy, m.Ground} {
		if len(f) > maxField || !isReadable(f) || strings.Contains(f, "\n") {
			return fmt.Errorf("%w: %.40q is too long for a field, or no plain line", ErrInvalid, f)
		}
	}
	return nil
}

// isReadable reports whether a text is UTF-8 without control characters, except line breaks and
// tabs.
func isReadable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool {
		return c != '\n' && c != '\t' && unicode.IsControl(c)
	})
}

// cleanTags returns tags in lower case, sorted, each once.
func cleanTags(tags []string) ([]string, error) {
	out := []string{}
	for _, t := range tags {
		if t = strings.ToLower(strings.TrimSpace(t)); t != "" {
			out = append(out, t)
		}
		if len(t) > maxField || !isReadable(t) || strings.ContainsAny(t, ",\n\t") {
			return nil, fmt.Errorf("%w: tag %.40q is too long, or has a comma", ErrInvalid, t)
		}
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > maxTags {
		return nil, fmt.Errorf("%w: it has %d tags, at most %d fit", ErrInvalid, len(out), maxTags)
	}
	return out, nil
}

// cleanAliases returns aliases sorted, each once.
func cleanAliases(aliases []string) (out []string, err error) {
	for _, a := range aliases {
		if a = strings.TrimSpace(a); a != "" {
			out = append(out, a)
		}
		if len(a) > maxField || !isReadable(a) || strings.ContainsAny(a, "\n\t") {
			return nil, fmt.Errorf("%w: alias %.40q is too long, or no plain line", ErrInvalid, a)
		}
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > maxTags {
		return nil, fmt.Errorf("%w: it has %d aliases, at most %d fit", ErrInvalid, len(out), maxTags)
	}
	return out, nil
}

// namedTexts returns every text in a memory, with the name of its field.
func namedTexts(m Memory) [][2]string {
	fields := [][2]string{
		{"text", m.Content},
		{"type", m.Type},
		{"origin", m.Origin},
		{"source", m.Source},
		{"session", m.Session},
		{"commit", m.Commit},
		{"path", m.Path},
		{"symbol", m.Symbol},
		{"id", m.ID},
		{"superseded_by", m.SupersededBy},
		{"ground", m.Ground},
		{"tags", strings.Join(m.Tags, "\n")},
		{"aliases", strings.Join(m.Aliases, "\n")},
	}
	for _, e := range m.Log {
		fields = append(fields, [2]string{"log", e.Action + "\n" + e.Detail})
	}
	for _, n := range m.Similar {
		fields = append(fields, [2]string{"similar_to", n.ID})
	}
	return fields
}

// Valid returns ErrInvalid for a memory that cannot be stored. Unless allowSecret is set, it
// returns ErrSecret for one with a secret in any field. ErrSecret does not repeat the secret. It is
// checked first. ErrInvalid quotes a field.
func (m Memory) Valid(allowSecret bool) error {
	if !allowSecret {
		if err := findSecret(m); err != nil {
			return err
		}
	}
	_, err := m.completed(time.Now())
	return err
}

// findSecret returns ErrSecret if a field of a memory contains a secret.
func findSecret(m Memory) error {
	for _, f := range namedTexts(m) {
		if f[1] == "" {
			continue
		}
		if found := secrets.FindKept(f[1]); len(found) > 0 {
			return fmt.Errorf("%w (%s, in its %s, line %d)", ErrSecret, found[0].Rule, f[0], found[0].Line)
		}
	}
	return nil
}
