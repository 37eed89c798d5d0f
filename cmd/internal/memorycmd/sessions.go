package memorycmd

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/memory"
	"patina/memory/recall"
	"patina/memory/transcript"
	"patina/memory/turns"
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
	said := slices.DeleteFunc(slices.Clone(types), func(t string) bool {
		return t != memory.SessionTurn && t != memory.TranscriptTurn
	})
	sessions = r.sessions != withoutSessions && len(q.Filter.Tags) == 0 && (len(types) == 0 || len(said) > 0)
	notes = r.sessions != onlySessions && (len(types) == 0 || len(said) < len(types))
	return notes, sessions, nil
}

// withTurns appends turns of sessions, and of conversations with agents, to the notes. Notes come
// first because somebody chose to keep them. But a third of the places is for turns, even if there
// are enough notes.
func withTurns(ctx context.Context, p project.Place, q memory.Query, notes []memory.Found) ([]memory.Found, error) {
	limit := q.Filter.Limit
	found, err := findSaid(ctx, p, q)
	if err != nil {
		return notes, err
	}
	room := max(limit-len(notes), min(len(found), limit/3))
	found = found[:min(len(found), room)]
	notes = notes[:min(len(notes), limit-len(found))]
	return append(notes, found...), nil
}

// findSaid returns turns of sessions and of conversations with agents. The two are merged
// by relevance, each in its own order, because their scores mean nothing beside each other.
func findSaid(ctx context.Context, p project.Place, q memory.Query) (out []memory.Found, err error) {
	wants := func(kind string) bool { return len(q.Filter.Types) == 0 || slices.Contains(q.Filter.Types, kind) }
	var recorded, spoken []memory.Found
	if wants(memory.SessionTurn) {
		if recorded, err = findRecorded(ctx, p, q); err != nil {
			return nil, err
		}
	}
	// A transcript is no file of the project.
	if wants(memory.TranscriptTurn) && q.Filter.Path == "" && p.ID != "" {
		if spoken, err = findSpoken(ctx, p, q); err != nil {
			return nil, err
		}
	}
	for len(recorded)+len(spoken) > 0 {
		if len(spoken) == 0 || len(recorded) > 0 && recorded[0].Relevance >= spoken[0].Relevance {
			out, recorded = append(out, recorded[0]), recorded[1:]
		} else {
			out, spoken = append(out, spoken[0]), spoken[1:]
		}
	}
	return out, nil
}

// findRecorded returns turns of the project's session records.
func findRecorded(ctx context.Context, p project.Place, q memory.Query) (out []memory.Found, err error) {
	found, err := transcript.FindTurns(ctx, p.Root, transcript.TurnQuery{
		Text: q.Text, Path: q.Filter.Path, AsOf: q.Filter.AsOf, Limit: q.Filter.Limit, Scoring: q.Scoring, Model: project.Model(ctx, p),
	})
	for _, f := range found {
		out = append(out, memory.Found{Score: f.Score, Relevance: f.Relevance, Memory: memory.Memory{
			ID: fmt.Sprintf("%s:%d", f.Path, f.Line), Content: f.Text, Type: memory.SessionTurn, Tags: []string{},
			Confidence: 1,
			Session:    f.Session, Path: f.Path, Created: f.At, Origin: memory.Untrusted,
		}})
	}
	return out, err
}

// findSpoken returns turns of conversations with agents. It reads only what "patina memory ingest
// --all" has kept.
func findSpoken(ctx context.Context, p project.Place, q memory.Query) (out []memory.Found, err error) {
	found, err := turns.Find(ctx, turns.File(p.Home, p.ID), turns.Query{
		Text: q.Text, AsOf: q.Filter.AsOf, Limit: q.Filter.Limit, Floor: recall.Floor,
	})
	for _, f := range found {
		out = append(out, memory.Found{Score: f.Score, Relevance: f.Relevance, Memory: turnAsMemory(f.Turn)})
	}
	return out, err
}

// turnPrefix begins the id of a turn of a conversation with an agent.
const turnPrefix = "turn:"

// turnAsMemory returns a turn in the form of a memory, with its role as a tag. All of them are
// untrusted, because a transcript is a file that any program of the user may have written.
func turnAsMemory(t turns.Turn) memory.Memory {
	return memory.Memory{
		ID: turnPrefix + strconv.FormatInt(t.Key, 10), Content: t.Text, Type: memory.TranscriptTurn, Tags: []string{t.Role},
		Confidence: 1, Source: t.Agent, Session: t.Session, Created: t.At,
		Origin: memory.Untrusted,
	}
}
