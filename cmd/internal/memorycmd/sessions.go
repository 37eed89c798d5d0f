package memorycmd

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/memory"
	"patina/memory/transcript"
)

// The values of --sessions.
const (
	withSessions    = "yes"
	withoutSessions = "no"
	onlySessions    = "only"
)

// sessionFlag adds the flag that selects turns of sessions.
func (r *remembering) sessionFlag(c *cobra.Command) {
	values := []string{withSessions, withoutSessions, onlySessions}
	c.Flags().StringVar(&r.sessions, "sessions", withSessions, "also what was said in sessions: yes, no, only")
	_ = c.RegisterFlagCompletionFunc("sessions", cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// searched reports whether a query is about notes, and about sessions. Sessions have no tags, and
// only their own type.
func (r *remembering) searched(q memory.Query) (notes, sessions bool, err error) {
	switch r.sessions {
	case withSessions, withoutSessions, onlySessions:
	default:
		return false, false, fmt.Errorf("unknown value %q of --sessions, there are: yes, no, only", r.sessions)
	}
	types := q.Filter.Types
	sessions = r.sessions != withoutSessions && len(q.Filter.Tags) == 0 &&
		(len(types) == 0 || slices.Contains(types, memory.SessionTurn))
	notes = r.sessions != onlySessions && !(len(types) == 1 && types[0] == memory.SessionTurn)
	return notes, sessions, nil
}

// withTurns appends turns of sessions to the notes. Notes come first because somebody chose to keep
// them. But a third of the places is for turns, even if there are enough notes.
func withTurns(ctx context.Context, p project.Place, q memory.Query, notes []memory.Found) ([]memory.Found, error) {
	limit := q.Filter.Limit
	found, err := transcript.FindTurns(ctx, p.Root, transcript.TurnQuery{
		Text: q.Text, Path: q.Filter.Path, AsOf: q.Filter.AsOf, Limit: limit, Scoring: q.Scoring, Model: q.Model,
	})
	if err != nil {
		return notes, err
	}
	room := max(limit-len(notes), min(len(found), limit/3))
	found = found[:min(len(found), room)]
	notes = notes[:min(len(notes), limit-len(found))]
	for _, f := range found {
		notes = append(notes, memory.Found{Score: f.Score, Relevance: f.Relevance, Memory: memory.Memory{
			ID: fmt.Sprintf("%s:%d", f.Path, f.Line), Content: f.Text, Type: memory.SessionTurn, Tags: []string{},
			Confidence: 1,
			Session:    f.Session, Path: f.Path, Created: f.At, Origin: memory.Untrusted,
		}})
	}
	return notes, nil
}
