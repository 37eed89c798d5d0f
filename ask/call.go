// Package ask answers requests, whoever makes them: a command, or a client of a server.
//
// Begin finds the project of a call and reads its settings. Call.Ask then answers a Request: it
// opens an engine on the index, compares the tree with the index and reads the changes (fresh.go),
// visits other projects (visits.go), asks, and logs (log.go). Each form of a request has a
// function, in find.go, detail.go, why.go, recent.go, belief.go, facts.go, impact.go or
// context.go. Call.Read
// lends the engine itself, for requests without a form.
//
// An Answer is plain data, which front ends print. Nothing here depends on the caller, because
// Options bring the engines (Engines), the right to see a project (Admits), and a listener for
// warnings. Errors that callers must word themselves have types (errors.go).
package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/belief/mine"
	"patina/memory/recall"
	"patina/registry"
	"patina/registry/querylog"
	"patina/store/doc"
)

// Options say where a call is made, under which limits, and by whom. Engines and Warn must not be
// nil.
type Options struct {
	Place   project.Place // the project of the call
	Repos   []string      // other projects: to ask as well, or the one to look up in
	LooksUp bool          // the call is a look-up: in the project that Repos names, if it names one

	Given     map[string]string // settings given with the call, by name; may be nil
	Patience  time.Duration     // longest wait without a timeout of the user; 0: the default
	AtLeast   time.Duration     // shortest timeout, unless one is given with the call
	NoRefresh bool              // the index is not compared with the tree
	// Resident is true if the process goes on after the call, as a server does: then it completes
	// drafts, and an answer waits less for changes.
	Resident bool

	Engines Engines
	Mother  visit.Mother                     // reaches other machines; nil: they are not asked
	Warn    func(format string, args ...any) // gets problems that do not prevent an answer
	// Admits reports whether the caller may see answers about the project at a root. If it is nil,
	// the caller may see all.
	Admits func(ctx context.Context, root string) bool
	// Following is called when the lines of a symbol are followed, which may take long. done is
	// called at the end. It may be nil.
	Following func(symbol string) (done func())
	Sent      querylog.Delivery // the log's entry for the call
	// Glimpse is called in the goroutine of Ask with the answer of home, while other projects or
	// slow channels are still asked (Find). Nothing of it is logged or counted. It may be nil.
	Glimpse func(*api.Glimpse)
}

// A Call is one call of a caller, which answers one request. It must not be used concurrently.
type Call struct {
	Options
	Settings registry.Settings
	Moved    string // the project to look up in, as Repos named it, or empty
	Recalled bool   // it moved to another project, that of an earlier answer
	Visits   []visit.Visit
	Route    visit.Route

	far    farIndex
	chosen bool       // the user has set a timeout
	guests []doc.Kind // the kinds that another project shows; nil in a project of the user
	closed []string   // notes on projects that show nothing, and on what other machines left open
	deadline
	tree
}

// Begin finds the project of a call and reads its settings. It returns an error if Repos names a
// project that is unknown or shows nothing, or if a setting is invalid.
func Begin(o Options) (*Call, error) {
	c := &Call{Options: o}
	if c.Following == nil {
		c.Following = func(string) func() { return func() {} }
	}
	if o.LooksUp {
		if err := c.moveToRepo(); err != nil {
			return nil, err
		}
	}
	chosen, origins, err := c.Place.Settings(o.Given)
	if err != nil {
		return nil, err
	}
	c.Settings = chosen
	c.Place.Scoring = recall.Scoring(chosen.Scoring)
	for _, x := range origins {
		if x.Key == "timeout" && x.Origin != "default" {
			c.chosen = true
		}
	}
	if !c.chosen && o.Patience > 0 {
		c.Settings.Timeout = o.Patience
	}
	if o.Given["timeout"] == "" {
		c.Settings.Timeout = max(c.Settings.Timeout, o.AtLeast)
	}
	if o.NoRefresh {
		c.Settings.Refresh = 0
	}
	c.tree = tree{engines: o.Engines, refresh: c.Settings.Refresh, frozen: o.NoRefresh, resident: o.Resident, limit: &c.deadline}
	return c, nil
}

// moveToRepo moves a look-up to the project that Repos names. Repos may name at most one.
func (c *Call) moveToRepo() error {
	switch len(c.Repos) {
	case 0:
		return nil
	case 1:
	default:
		return project.AddHint(errors.New("a look-up is in one project"), "give --repo once")
	}
	p, err := visit.FindPlace(c.Place, c.Repos[0])
	if err != nil {
		return Misnamed(err)
	}
	if c.guests, err = visit.SharedKinds(p); err != nil {
		return err
	}
	c.Place, c.Moved, c.Repos = p, c.Repos[0], nil
	return nil
}

// Misnamed adds hints to a *visit.UnknownError. It returns other errors as they are.
func Misnamed(err error) error {
	e, ok := errors.AsType[*visit.UnknownError](err)
	switch {
	case !ok:
		return err
	case e.Many:
		return project.AddHint(err, "name it by its path: "+strings.Join(e.Roots, ", "))
	}
	return project.AddHint(err, "name it by its path, after a scrape there")
}

// Budget returns the maximum size of a text in tokens: the one given with the call, or else usual,
// which is that of its form.
func (c *Call) Budget(usual int) int {
	if c.Given["budget"] == "" || c.Settings.Budget == 0 {
		return usual
	}
	return c.Settings.Budget
}

// forms maps each form to the function that answers it.
var forms = map[Form]func(context.Context, *Call, Request) (*Answer, error){
	Find: findDocuments, Lines: findLines, Detail: showDocument, Attach: showDocument, Why: explainWhy,
	Neighbours: listNeighbours, Recent: listChanges, Orient: describeFolder,
	Belief: showBelief, Beliefs: listHeld, Facts: findFacts, Impact: findImpact, Context: introduceProject,
	Graph: drawGraph,
}

// Ask answers a request. The caller must print the answer, and then report its size with Delivered.
// An error has the hints that are right for every caller (project.AddHint), or a type of this
// package.
func (c *Call) Ask(ctx context.Context, r Request) (*Answer, error) {
	answer, ok := forms[r.Form]
	if !ok {
		return nil, fmt.Errorf("ask: unknown form %q", r.Form)
	}
	return answer(ctx, c, r)
}

// Read passes an engine to f, limited to the kinds that another project shares. Before f it
// compares the tree with the index, and reads the changes if that is quick. If a look-up of f
// exceeds the timeout of the call, the error is a *LateError. f must not keep the engine.
func (c *Call) Read(ctx context.Context, f func(api.Service) error) error {
	return c.read(ctx, nil, true, f)
}

// read is Read for a request that names packages, which must be in the index. If first is false, f
// must wait for the comparison of the tree itself (catchUp).
func (c *Call) read(
	ctx context.Context, packages []string, first bool, f func(api.Service) error,
) error {
	defer c.measure(c.Settings.Timeout)()
	engines := c.Engines
	if c.Place.Far != "" {
		engines = farEngines{c.Mother, &c.far}
	}
	return Open(ctx, engines, &c.Place, c.Settings.Timeout, c.startClock, func(e api.Service) error {
		c.look(ctx, c.Place, e)
		defer c.sighted.release()
		if first {
			c.catchUp(ctx, c.Place)
		}
		err := checkPackages(ctx, c, c.limitService(e), packages)
		if err == nil {
			err = f(c.limitService(e))
		}
		return c.nameTimeout(err)
	})
}

// limitService returns a service with the kinds that this call may see.
func (c *Call) limitService(e api.Service) api.Service {
	if c.guests == nil {
		return e
	}
	return visit.Service{Service: e, Project: c.Place.Project.Name, Kinds: c.guests}
}

// nameTimeout turns the error of a late look-up into a *LateError, which names the timeout of the
// whole call. It returns other errors as they are.
func (c *Call) nameTimeout(err error) error {
	f, ok := errors.AsType[*api.Failure](err)
	if !ok || f.Status != api.Deadline {
		return err
	}
	_, why, _ := strings.Cut(f.Detail, ": ")
	return &LateError{Read: f.Read, Project: f.Project, Within: c.Settings.Timeout, Why: why}
}

// Dismissed returns the keys of the sentences that users have dismissed as beliefs. It warns of
// lines that it could not read.
func (c *Call) Dismissed() (keys []string, err error) {
	all, broken, err := mine.ReadDismissals(c.Place.Home, c.Place.ID)
	if broken > 0 {
		c.Warn("%q: %s could not be read", mine.DismissalsFile(c.Place.Home, c.Place.ID), plural(broken, "line"))
	}
	for _, x := range all {
		keys = append(keys, x.Key)
	}
	return keys, err
}
