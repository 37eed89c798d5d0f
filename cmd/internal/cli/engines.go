package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/layout"
	"patina/scrape"
	"patina/store"
	"patina/wire/local"
)

// Engines opens an engine for each call of a command, and offers to scrape if there is no index. It
// implements ask.Engines. App must not be nil.
type Engines struct {
	App       *App
	NoRefresh bool // do not read a new working tree without asking
}

// Open implements ask.Engines. The caller must call the returned function after its answer.
func (e Engines) Open(ctx context.Context, p project.Place, within time.Duration) (api.Service, func(), error) {
	opened, err := Open(ctx, p, within)
	if err != nil {
		return nil, nil, err
	}
	return opened, func() { Closing(opened) }, nil
}

// Mend implements ask.Engines. It scrapes if the user agrees.
func (e Engines) Mend(ctx context.Context, p project.Place, m ask.Missing) (bool, error) {
	if m.Opened || !e.agreed(ctx, p, m.Cause) {
		return false, nil
	}
	_, err := e.App.Fill(ctx, p, scrape.Options{})
	return true, err
}

// agreed asks on a terminal whether to scrape now. It does not ask for a new working tree of a
// repository that has an index, because only the differences to other trees must be read.
func (e Engines) agreed(ctx context.Context, p project.Place, why error) bool {
	if errors.Is(why, store.ErrNoIndex) && p.Published() && !e.NoRefresh {
		e.App.Warn("%s is a new working tree: reading what differs from the others", Quoted(p.Root))
		return true
	}
	if !e.App.CanAsk() {
		return false
	}
	said := "no index for " + Quoted(p.Root) + " yet"
	if errors.Is(why, store.ErrForeign) {
		said = layout.Plain(why.Error())
	}
	return e.App.Confirm(ctx, said+". Scrape it now?", false)
}

// Turn implements ask.Engines. The process makes one call, so nothing waits.
func (Engines) Turn(context.Context, project.Place) func() { return func() {} }

// Follow implements ask.Engines. It returns nil: a command does not watch the tree.
func (Engines) Follow(project.Place, api.Service) ask.Follower { return nil }

// Following prints on a terminal that the lines of a symbol are followed, if that takes long. The
// caller must call the returned function, which removes the line.
func (a *App) Following(symbol string) (done func()) {
	if !Terminal(a.Errs) {
		return func() {}
	}
	told := make(chan struct{})
	timer := time.AfterFunc(followAfter, func() {
		fmt.Fprintf(a.Errs, "\r\x1b[Kfollowing the lines of %s through the history", Quoted(symbol))
		close(told)
	})
	return func() {
		if !timer.Stop() {
			<-told
			fmt.Fprint(a.Errs, "\r\x1b[K")
		}
	}
}

// followAfter is the time after which a terminal is told that lines are followed.
const followAfter = time.Second

// CallOptions returns the options of a call from a command: its place and its flags.
func (a *App) CallOptions(p project.Place, given map[string]string, noRefresh bool) ask.Options {
	return ask.Options{
		Place: p, Given: given, NoRefresh: noRefresh, Repos: a.Repos,
		Engines: a.Borrowing(p.Home, Engines{App: a, NoRefresh: noRefresh}), Mother: a.Mother(p.Home),
		Warn: a.Warn, Following: a.Following,
	}
}

// Borrowing returns the engines of the user's server where it runs ("patina serve"), and others
// where it does not.
func (a *App) Borrowing(home string, others ask.Engines) local.Engines {
	return local.Engines{Engines: others, Client: &local.Client{Home: home, Version: Version}}
}
