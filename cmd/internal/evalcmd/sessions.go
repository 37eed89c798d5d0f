package evalcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/internal/printable"
	"patina/registry/querylog"
)

// tokensSince is the default period of sessions.
const tokensSince = 7 * 24 * time.Hour

// Tokens is "patina tokens", the earlier name of "patina eval tokens sessions".
func Tokens(streams *cli.App) *cobra.Command {
	a := &app{streams}
	c := a.sessions()
	c.Use, c.Hidden = "tokens [SESSION]", true
	return c
}

// sessions is the command that prints the cost of past answers.
func (a *app) sessions() *cobra.Command {
	var asJSON bool
	var back string
	c := &cobra.Command{
		Use:   "sessions [SESSION]",
		Short: "Say what answers have cost, in tokens",
		Long: `Say what the sessions of agents have cost in tokens (bytes / 4): the list of
tools, and the answers as they were delivered. Calls from the command line are a
session a day. Beside it stands what the named files have, read whole and once
each: all of them, and the first of each answer alone, at today's size.

With SESSION (or the beginning of its name; "last" is the newest) each answer is
listed. The figures are from the query log of this user, which keeps 30 days of
all projects; where "log.queries" is off, nothing is known.`,
		Example: `  patina eval tokens sessions
  patina eval tokens sessions last
  patina eval tokens sessions --since 24h`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.Here()
			if err != nil {
				return err
			}
			since, err := sinceTime(back, time.Now())
			if err != nil {
				return err
			}
			spent, err := spending(querylog.In(p.Home), since)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return a.showSession(spent, args[0], asJSON)
			}
			return a.showSessions(spent, asJSON)
		},
	}
	c.Flags().StringVar(&back, "since", "", "how far back: a `time` such as 24h, 7d or 2026-11-23 (7d)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/agents.md)")
	return c
}

// sinceTime parses a period: a duration, a number of days, or a day. An empty text means the
// default.
func sinceTime(typed string, now time.Time) (time.Time, error) {
	if typed == "" {
		return now.Add(-tokensSince), nil
	}
	var days int
	if n, err := fmt.Sscanf(typed, "%dd", &days); n == 1 && err == nil && fmt.Sprintf("%dd", days) == typed &&
		days >= 0 && days < 1e5 {
		return now.AddDate(0, 0, -days), nil
	}
	if d, err := time.ParseDuration(typed); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, typed, now.Location()); err == nil {
		return day, nil
	}
	return time.Time{}, cli.Hint(fmt.Errorf("unknown time %q", typed),
		"such as --since 24h, --since 7d, --since 2026-11-23")
}

// showSessions prints one line a session.
func (a *app) showSessions(spent []*session, asJSON bool) error {
	if asJSON {
		return tokensJSON(a.Out, spent, false)
	}
	if len(spent) == 0 {
		fmt.Fprintln(a.Out, "no answers are logged since then")
		return cli.Exit(cli.ExitNothing)
	}
	w := tabwriter.NewWriter(a.Out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "calls\ttools\tanswers\tfirst files\tall files\t  session")
	for _, s := range spent {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t  %s\n", s.Answers.Calls, s.List, s.Answers.Tokens, s.First.Tokens,
			s.Files.Tokens, s.title())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	a.explainTokens(spent)
	return nil
}

// explainTokens prints the meaning of the columns, and the missing figures.
func (a *app) explainTokens(spent []*session) {
	unknown, gone := 0, 0
	for _, s := range spent {
		unknown += s.Answers.Unknown
		gone += s.Files.Gone
	}
	fmt.Fprintln(a.Out, "tokens (bytes / 4): tools and answers as delivered; files as they would be read whole, once each")
	if unknown > 0 {
		fmt.Fprintf(a.Out, "without a size: %s of an older version\n", cli.Plural(unknown, "answer"))
	}
	if gone > 0 {
		fmt.Fprintf(a.Out, "gone since: %s\n", cli.Plural(gone, "file"))
	}
}

// showSession prints each answer of one session.
func (a *app) showSession(spent []*session, name string, asJSON bool) error {
	s := sessionNamed(spent, name)
	if s == nil {
		return cli.Hint(fmt.Errorf("no session %q", name), "list them: patina eval tokens sessions --since 30d")
	}
	if asJSON {
		return tokensJSON(a.Out, []*session{s}, true)
	}
	fmt.Fprintln(a.Out, s.title())
	w := tabwriter.NewWriter(a.Out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "time\ttokens\tfirst file\tall files\t  call")
	if s.List > 0 {
		fmt.Fprintf(w, "\t%d\t\t\t  list of tools, instructions\n", s.List)
	}
	for _, c := range s.calls {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t  %s\n", c.Time.Local().Format(time.TimeOnly), c.size(), c.First.Tokens,
			c.Files.Tokens, c.title())
	}
	fmt.Fprintf(w, "sum\t%d\t%d\t%d\t  each file once\n", s.List+s.Answers.Tokens, s.First.Tokens, s.Files.Tokens)
	if err := w.Flush(); err != nil {
		return err
	}
	a.explainTokens([]*session{s})
	return nil
}

// tokensJSON prints sessions as JSON: docs/agents.md. With each, it includes their calls.
func tokensJSON(w io.Writer, spent []*session, each bool) error {
	out := struct {
		Schema   int        `json:"schema"`
		Sessions []*session `json:"sessions"`
	}{1, spent}
	for _, s := range spent {
		if each {
			s.Calls = s.calls
		}
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		return err
	}
	if _, err := io.WriteString(w, printable.JSON(b.String())); err != nil {
		return err
	}
	if len(spent) == 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return nil
}

// title returns a name of the session for people.
func (s *session) title() string {
	text := s.Session
	if s.Client != "" {
		text += " (" + s.Client + ")"
	}
	return layout.OneLine(text)
}

// title returns a name of the call for people.
func (c call) title() string {
	text := c.Tool
	if c.Mode != "" {
		text += " " + c.Mode
	}
	if c.Asked != "" {
		text += ": " + c.Asked
	}
	if c.Failed {
		text += " (failed)"
	}
	const most = 70
	line := []rune(layout.OneLine(text))
	if len(line) > most {
		line = append(line[:most-1], '…')
	}
	return string(line)
}

// size returns the tokens of an answer, or "?" if they are not known.
func (c call) size() string {
	if c.Unknown {
		return "?"
	}
	return fmt.Sprint(c.Tokens)
}
