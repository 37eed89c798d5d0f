package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patina/ask/project"
	"patina/store"
)

// Embed makes the missing vectors of a project by the models that are chosen for it, with progress
// on a terminal. A model that fails is a note. If ctx ends, its error comes with a note that says
// how many texts are done.
func (a *App) Embed(ctx context.Context, p project.Place) (made []project.Embedded, notes []string, err error) {
	var tell func(model string, done, total int)
	last := [2]int{}
	if Terminal(a.Errs) {
		b := NewBar(a.Errs, time.Now)
		defer b.Clear()
		tell = func(model string, done, total int) {
			last = [2]int{done, total}
			b.Show("embedding by "+model+timeLeft(b.now().Sub(b.started), done, total), done, total)
		}
	} else {
		tell = func(_ string, done, total int) { last = [2]int{done, total} }
	}
	made, err = project.EmbedChosen(ctx, p, tell)
	if ctx.Err() != nil {
		if len(made) > 0 {
			notes = append(notes, fmt.Sprintf("embedded %d of %d texts by %s: the next scrape goes on", last[0], last[1],
				made[len(made)-1].Name))
		}
		return made, notes, ctx.Err()
	}
	if err != nil {
		return made, []string{"no vectors by a model of yours: " + err.Error()}, nil
	}
	for _, e := range made {
		switch {
		case errors.Is(e.Err, store.ErrLocked):
			notes = append(notes, "another process embeds by "+e.Name+" now")
		case e.Err != nil:
			notes = append(notes, fmt.Sprintf("not embedded by %s, so the built-in model answers: %v", e.Name, e.Err))
		}
	}
	if err := project.KeepChosen(ctx, p); err != nil {
		notes = append(notes, "vectors of models that are not chosen stay: "+err.Error())
	}
	return made, notes, nil
}

// timeLeft returns how much time is left, for a line of progress, or "" if that is not known.
func timeLeft(since time.Duration, done, total int) string {
	if done == 0 || done >= total {
		return ""
	}
	return fmt.Sprintf(", %s left:", (since / time.Duration(done) * time.Duration(total-done)).Round(time.Second))
}

// EmbeddedLine returns one line about what a chosen model did, or "" if nothing was missing.
func EmbeddedLine(e project.Embedded) string {
	if e.Texts == 0 || e.Err != nil && e.Embedded == 0 {
		return ""
	}
	line := fmt.Sprintf("embedded by %s in %s: %s", e.Name, e.Took.Round(time.Millisecond), Plural(e.Embedded, "text"))
	if e.Copied > 0 {
		line += fmt.Sprintf(", %d known from before", e.Copied)
	}
	return line
}
