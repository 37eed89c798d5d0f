package memorycmd

import (
	"cmp"
	"context"
	"errors"
	"time"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/memory"
)

// recallLimit is the default number of notes of "memory recall".
const recallLimit = 10

// A Recollection is a search of a project's notes by a caller that has no command line.
type Recollection struct {
	Query   string
	Path    string   // only notes about this file, unless empty
	Types   []string // only these types; nil: all
	Limit   int      // notes; 0: the default
	Budget  int      // with Inject: most tokens; 0: the default
	Inject  bool     // as "memory recall --inject": whole notes for the context of a model
	JSON    bool
	Dialect dialect.Dialect
}

// narrowed returns the flags of "memory recall" for the filters.
func (x Recollection) narrowed() (flags []string) {
	for _, t := range x.Types {
		flags = append(flags, "--type", t)
	}
	if x.Path != "" {
		flags = append(flags, "--file", x.Path)
	}
	return flags
}

// Recall prints the notes of a project that answer a question, like "memory recall". Without notes
// it returns cli.ExitNothing after the text.
func Recall(ctx context.Context, shared *cli.App, p project.Place, x Recollection) error {
	r := &remembering{app: &app{shared}, place: &p, sessions: withSessions}
	q := memory.Query{Text: x.Query}
	q.Filter = memory.Filter{Path: x.Path, Types: x.Types, Limit: cmp.Or(x.Limit, recallLimit)}
	in := injection{
		Budget: cmp.Or(x.Budget, InjectTokens), Max: cmp.Or(x.Limit, InjectMax), Format: "bullets", Dialect: x.Dialect,
		Narrowed: x.narrowed(),
	}
	if x.Inject {
		if in.Budget < leastInjected || in.Max < 0 {
			return errInjection
		}
		q.Filter.Limit = injectCandidates
	}
	if x.JSON {
		in.Format = "json"
	}
	found, err := r.findIn(ctx, p, q)
	switch in.Found = found; {
	case err != nil:
		return err
	case x.Inject:
		return writeFoundFor(shared.Out, q.Text, in)
	case x.JSON:
		err = writeJSON(shared.Out, append([]memory.Found{}, found...))
	default:
		err = writeRecalled(shared.Out, found, time.Now(), x.Dialect)
	}
	if err == nil && len(found) == 0 {
		err = cli.Exit(cli.ExitNothing)
	}
	return err
}

// The least budget of an injected set in tokens, and the number of memories that it is made of.
const (
	leastInjected    = 100
	injectCandidates = 50
)

var errInjection = errors.New("want a budget of 100 tokens or more, and 0 or more notes")
