package hookcmd

import (
	"context"
	"errors"
	"time"

	"patina/ask/govern"
	"patina/ask/project"
	"patina/ask/session"
	"patina/store"
)

const (
	// startTime bounds the time of a hook when a session begins. Clients wait for it once.
	startTime = 400 * time.Millisecond
	// startRest is the part of startTime that is left to start and to print. In the other part,
	// knowledge is gathered.
	startRest = 100 * time.Millisecond
)

// answerStart returns the text for a session that begins or goes on. It returns "" where the index
// is missing or not trusted, because then nothing of the project may be told.
func (a *app) answerStart(e Event) string {
	m := session.Moment{
		Place: a.place, GoesOn: e.Reason == Resume || e.Reason == Compact, Log: logsQueries(a.place), Now: time.Now(),
		Within: lengthen(startTime) - startRest,
	}
	if e.Session != "" {
		m.ID = e.Client + "\x00" + e.Session
	}
	if e.Reason == Compact && e.Session != "" {
		_ = govern.ForgetShown(context.Background(), a.place, e.Session) // else it is not shown again
	}
	o := session.Gather(context.Background(), m)
	if errors.Is(o.NoIndex, store.ErrForeign) || errors.Is(o.NoIndex, store.ErrNoIndex) {
		return ""
	}
	if o.Told && e.Reason == Startup {
		return "" // the hook is in two of the client's files, or the client runs it at each prompt
	}
	return openingText(o, a.place.Name, e.Reason, m.Now)
}

// StartText returns the text that a hook gives when a session begins. Nothing is recorded, and the
// caller waits longer than a client would. It returns an error if the index cannot be read.
func StartText(ctx context.Context, p project.Place) (string, error) {
	m := session.Moment{Place: p, Log: logsQueries(p), Now: time.Now(), Within: 10 * time.Second}
	o := session.Gather(ctx, m)
	return openingText(o, p.Name, Startup, m.Now), o.NoIndex
}

// logsQueries reports whether the settings allow to log questions, and so to read them back.
func logsQueries(p project.Place) bool {
	settings, _, err := p.Settings(nil)
	return err == nil && settings.LogQueries
}
