// Package session gathers the knowledge that a coding agent should have when its session begins,
// and the answers that it need not ask for again when the session goes on without its context.
//
// It is for a hook that a client waits for. So it reads a few rows of the index and no vectors,
// reads no file of the tree but the last session's record, and ends in time: a part that is
// late or broken is left out and named. It changes nothing but a small record of the last sessions
// (visits.go), from which it tells which beliefs are new.
//
// All words are as they were written, and a printer must quote them. A text that reads like an
// instruction to a model is left out (govern.Refused). Of a repository without a commit of the user
// nothing but its purpose is told.
package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"patina/ask/govern"
	"patina/ask/project"
	"patina/code/brief"
	"patina/memory"
	"patina/scrape/prose"
	"patina/scrape/walk"
)

// A Moment is the session that begins or goes on. Place must be of an index that is trusted.
type Moment struct {
	Place  project.Place
	ID     string // of the session; empty: it is not recorded, and is taken for the last one
	GoesOn bool   // it was resumed, or its context was compacted
	Log    bool   // the query log may be read
	Now    time.Time
	Within time.Duration // for all parts
}

// An Opening is the knowledge for a session.
type Opening struct {
	Purpose *brief.Quote // nil if the project does not say it
	Theirs  bool         // no commit is known to be the user's
	NoIndex error        // why the index cannot be read, or nil

	Pinned, Recent []memory.Memory // current notes, the newest first

	Since   time.Time // of the beliefs that Changes compares with; zero: there was no session before
	Changes []BeliefChange

	Record string // path of the last session's record; empty if it left nothing open
	Goals  []prose.Goal

	Conversation *Conversation // nil if no transcript was ingested

	Branch string // empty if HEAD is detached, or there is no repository
	Work   walk.Work

	Told bool // the session has begun before, and does not go on: a client has run its hook again

	// Of a session that goes on.
	Began  time.Time // zero: not known
	Asked  []Question
	Opened []string // documents that were shown whole, the newest first
	Edited []string // uncommitted files that were written since it began

	Unknown []error // the parts that are missing, and why

	held, statements map[string]string // of the beliefs, by id: fingerprints and statements
}

// A BeliefChange is a belief that is new, changed or gone.
type BeliefChange struct {
	How       string // "new", "changed" or "gone"
	ID        string
	Statement string // empty if it is gone
}

// A part of an Opening. read returns the function that puts it there, or nil.
type part struct {
	name string
	read func(ctx context.Context) (put func(*Opening), err error)
}

// Gather returns the knowledge for a session. Its parts are read at the same time.
func Gather(ctx context.Context, m Moment) Opening {
	ctx, cancel := context.WithTimeout(ctx, m.Within)
	defer cancel()
	parts := []part{
		{"index", m.readIndex},
		{"notes", m.readNotes},
		{"uncommitted work", m.readWork},
		{"last session", m.readRecord},
		{"last conversation", m.readConversation},
	}
	type outcome struct {
		put func(*Opening)
		err error
	}
	outcomes := make([]chan outcome, len(parts))
	for i, p := range parts {
		outcomes[i] = make(chan outcome, 1)
		go func() {
			put, err := p.read(ctx)
			outcomes[i] <- outcome{put, err}
		}()
	}
	o := Opening{Theirs: true}
	for i, p := range parts {
		var got outcome
		select {
		case got = <-outcomes[i]:
		case <-ctx.Done():
			got.err = errLate
		}
		if i == 0 {
			o.NoIndex = got.err
		}
		if got.err != nil {
			o.Unknown = append(o.Unknown, fmt.Errorf("%s: %w", p.name, got.err))
		} else if got.put != nil {
			got.put(&o)
		}
	}
	m.compareBeliefs(ctx, &o)
	if m.GoesOn && m.Log {
		m.readLog(&o)
	}
	o.keepEdited(m.Place.Root)
	if o.Theirs {
		o.Changes, o.Record, o.Goals = nil, "", nil
		if o.Conversation != nil {
			o.Conversation.Goals = nil // an agent wrote them that has read the repository
		}
	}
	o.leaveOutRefused()
	return o
}

// leaveOutRefused leaves out texts that read like an instruction to a model, whoever wrote them.
func (o *Opening) leaveOutRefused() {
	if o.Purpose != nil && govern.Refused(o.Purpose.Text) != "" {
		o.Purpose = nil
	}
	isRefused := func(n memory.Memory) bool { return govern.Refused(n.Content) != "" }
	o.Pinned, o.Recent = slices.DeleteFunc(o.Pinned, isRefused), slices.DeleteFunc(o.Recent, isRefused)
	o.Changes = slices.DeleteFunc(o.Changes, func(c BeliefChange) bool { return govern.Refused(c.Statement) != "" })
	o.Goals = slices.DeleteFunc(o.Goals, func(g prose.Goal) bool { return govern.Refused(g.Text) != "" })
	if c := o.Conversation; c != nil {
		c.Goals = slices.DeleteFunc(c.Goals, func(s string) bool { return govern.Refused(s) != "" })
		if govern.Refused(c.Request) != "" {
			o.Conversation = nil
		}
	}
	o.Asked = slices.DeleteFunc(o.Asked, func(q Question) bool { return govern.Refused(q.Text) != "" })
}

var errLate = errors.New("too slow")

// compareBeliefs fills in the changes of beliefs since another session began, and records this one.
func (m Moment) compareBeliefs(ctx context.Context, o *Opening) {
	this, before, err := recordVisit(ctx, m.Place, m.ID, m.Now, o.held)
	if err != nil {
		o.Unknown = append(o.Unknown, fmt.Errorf("changes of beliefs: %w", err))
	}
	with := before
	o.Told = m.ID != "" && !m.GoesOn && !this.Began.Equal(m.Now.UTC())
	if m.GoesOn {
		if o.Began = this.Began; this.Held != nil {
			with = this
		}
	}
	if with.Held != nil && o.held != nil {
		o.Since, o.Changes = with.Began, changesOf(with.Held, o.held, o.statements)
	}
}
