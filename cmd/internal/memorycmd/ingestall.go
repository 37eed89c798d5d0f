package memorycmd

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/memory/turns"
	"patina/registry"
	"patina/store/sqlite"
)

// ingestGrace is the time in which an interrupted reading of transcripts keeps its turns.
const ingestGrace = 20 * time.Second

// ingestAll keeps the turns of all transcripts of the project.
func (r *remembering) ingestAll(c *cobra.Command) error {
	p, err := r.app.Here()
	if err == nil && p.ID == "" {
		p, err = r.app.Claim(p)
	}
	if err != nil {
		return err
	}
	home, err := registry.UserHome()
	if err != nil {
		return err
	}
	s, _, err := r.app.Settings(c, p)
	if err != nil {
		return err
	}
	var sources []turns.Source
	for _, t := range transcriptsOf(home, p.Root, math.MaxInt) {
		sources = append(sources, turns.Source{Path: t.Path, Form: t.Form, Session: sessionOf(t.Path)})
	}
	o := turns.Options{Limit: s.Turns}
	cleared := func() {}
	if cli.Terminal(r.app.Errs) {
		b := cli.NewBar(r.app.Errs, time.Now)
		o.Progress = func(done, total int64) { b.Show("transcripts, MB:", int(done>>20), int(total>>20)) }
		cleared = b.Clear
	}
	r.app.SetGrace(ingestGrace)
	file := turns.File(p.Home, p.ID)
	report, err := turns.Ingest(c.Context(), file, sources, o)
	cleared()
	for i, f := range report.Faults {
		if i == maxFaults {
			r.app.Warn("and %d more", len(report.Faults)-i)
			break
		}
		r.app.Warn("%v", f)
	}
	if errors.Is(err, context.Canceled) {
		r.app.Warn("%s new are kept, the next call goes on", cli.Plural(report.New, "turn"))
		return err
	}
	if err != nil {
		return explainTurns(err, file)
	}
	return r.ingestedAll(p.Root, report, s.Turns)
}

// sessionOf returns the id of a session by the name of its transcript.
func sessionOf(path string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), ".json")
	if id := len(name) - idLength; strings.HasPrefix(name, "rollout-") && id > 0 && name[id-1] == '-' {
		return name[id:] // a time comes before it
	}
	return name
}

// idLength is the length of a UUID as text.
const idLength = 36

// explainTurns adds hints to an error about turns.
func explainTurns(err error, file string) error {
	switch {
	case errors.Is(err, turns.ErrHeld):
		return cli.Hint(err, "try again once it has ended")
	case errors.Is(err, sqlite.ErrDamaged):
		return cli.Hint(fmt.Errorf("open %s: %w", layout.OneLine(file), err),
			"it can be made again: patina memory forget --transcripts, then patina memory ingest --all")
	}
	return taughtMemory(err, file)
}

// ingestedAll prints the result of ingestAll.
func (r *remembering) ingestedAll(root string, done turns.Report, limit int64) (err error) {
	w := r.app.Out
	if r.asJSON {
		err = writeJSON(w, done)
	} else {
		if done.Broken > 0 {
			r.app.Warn("%s not read: no JSON", cli.Plural(done.Broken, "line"))
		}
		if done.Long > 0 {
			r.app.Warn("%s not read: longer than 16 MB", cli.Plural(done.Long, "line"))
		}
		if done.Dropped > 0 {
			r.app.Warn("the oldest %s went, because %d MB of text are kept at most (memory.transcripts.size)",
				cli.Plural(done.Dropped, "turn"), limit>>20)
		}
		if done.Transcripts+done.Turns == 0 {
			_, err = fmt.Fprintf(w, "no transcript of a session in %s\n", layout.Plain(root))
			return errors.Join(err, cli.Exit(cli.ExitNothing))
		}
		gone := ""
		if done.Gone > 0 {
			gone = fmt.Sprintf(", also of %s that are gone", cli.Plural(done.Gone, "transcript"))
		}
		_, err = fmt.Fprintf(w, "%s, %d of them new or longer: %s\nkept: %s (%.1f MB of text)%s\n"+
			"find them: patina memory recall QUESTION; remove them: patina memory forget --transcripts\n",
			cli.Plural(done.Transcripts, "transcript"), done.Read, cli.Plural(done.New, "new turn"),
			cli.Plural(done.Turns, "turn"), float64(done.Text)/(1<<20), gone)
	}
	if err == nil && done.Transcripts+done.Turns == 0 {
		err = cli.Exit(cli.ExitNothing)
	}
	return err
}

// forgetTurns adds the flag that forgets transcripts to the command that forgets a note.
func (a *app) forgetTurns(c *cobra.Command) *cobra.Command {
	all := false
	note, args := c.RunE, c.Args
	c.Flags().BoolVar(&all, "transcripts", false, "remove all that ingest --all has kept")
	c.MarkFlagsMutuallyExclusive("transcripts", "purge")
	c.Args = func(c *cobra.Command, list []string) error {
		if all {
			return cobra.NoArgs(c, list)
		}
		return args(c, list)
	}
	c.RunE = func(c *cobra.Command, list []string) error {
		if !all {
			return note(c, list)
		}
		p, err := a.Here()
		if err != nil || p.ID == "" {
			return errors.Join(err, cli.Exit(cli.ExitNothing))
		}
		n, err := turns.Forget(c.Context(), turns.File(p.Home, p.ID))
		if err != nil {
			return explainTurns(err, turns.File(p.Home, p.ID))
		}
		if n == 0 {
			fmt.Fprintln(a.Out, "no turns of transcripts were kept")
			return cli.Exit(cli.ExitNothing)
		}
		_, err = fmt.Fprintf(a.Out, "removed all turns of transcripts (%.1f MB); the transcripts themselves are the agents'\n",
			float64(n)/(1<<20))
		return err
	}
	return c
}

// placesAround is the number of turns that are shown before and after one.
const placesAround = 2

// showTurns lets the command that shows a note show a turn by its id: with the turns around it.
func (a *app) showTurns(c *cobra.Command) *cobra.Command {
	note := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		id, ok := strings.CutPrefix(args[0], turnPrefix)
		if !ok {
			return note(c, args)
		}
		key, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return fmt.Errorf("%w: %q", memory.ErrNone, args[0])
		}
		p, err := a.Here()
		if err != nil {
			return err
		}
		list, err := turns.Around(c.Context(), turns.File(p.Home, p.ID), key, placesAround)
		if errors.Is(err, sql.ErrNoRows) || errors.Is(err, fs.ErrNotExist) {
			return cli.Hint(fmt.Errorf("%w: %q", memory.ErrNone, args[0]), "it may have been dropped since: ask again")
		}
		if err != nil {
			return explainTurns(err, turns.File(p.Home, p.ID))
		}
		if asJSON, _ := c.Flags().GetBool("json"); asJSON {
			shown := make([]memory.Memory, len(list))
			for i, t := range list {
				shown[i] = turnAsMemory(t)
			}
			return writeJSON(a.Out, struct {
				Turns []memory.Memory `json:"turns"`
			}{shown})
		}
		return writeTurns(a.Out, list, key)
	}
	return c
}
