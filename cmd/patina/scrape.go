package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/scrape"
)

func (a *app) scrape() *cobra.Command {
	var full, noAdapt, secrets, asJSON, verbose bool
	var files []string
	c := &cobra.Command{
		Use:   "scrape [code|git]",
		Short: "Read the repository into its index",
		Long: `Read code, documents and git history into the index beside the code. The first
run reads everything, a later one what has changed, and so does a question by
itself. Words and history answer while the first run still fits the model.

Stopped at any point, it leaves the last complete index (exit code 130). Files
that hold credentials (.env, keys, .netrc, *.tfstate and their like) are left
out and counted. With "code" or "git" only files or only history are read.`,
		Example: `  patina scrape
  patina scrape --full   # read everything again
  patina scrape git      # only the history
  patina scrape --file src/main.go   # for an editor that has written it`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cli.OnlyOf("code", "git")),
		ValidArgs: []string{"code", "git"},
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.Here()
			if err != nil {
				return err
			}
			o := scrape.Options{Full: full, NoAdapt: noAdapt, IncludeSecrets: secrets}
			if len(args) == 1 {
				o.Only = args[0]
			}
			if len(files) > 0 && (full || o.Only != "") {
				return errors.New("--file reads some files only: leave out --full, code and git")
			}
			if o.Files, err = below(p, files); err != nil {
				return err
			}
			s, err := a.Fill(c.Context(), p, o)
			if err != nil {
				return err
			}
			var made []project.Embedded
			stopped := error(nil)
			if len(files) == 0 { // an editor waits for some files
				var notes []string
				made, notes, stopped = a.Embed(c.Context(), p.Of(p.Root, p.Store))
				s.Notes = append(s.Notes, notes...)
			}
			if asJSON {
				return errors.Join(layout.Encode(a.Out, summaryOf(s, made)), stopped)
			}
			fmt.Fprintln(a.Out, cli.SummaryLine(s))
			for _, e := range made {
				if line := cli.EmbeddedLine(e); line != "" {
					fmt.Fprintln(a.Out, layout.Plain(line))
				}
			}
			for _, n := range s.Notes {
				fmt.Fprintln(a.Out, "note: "+layout.Plain(n))
			}
			if verbose {
				for _, t := range append(s.Troubled, s.LeftOut...) {
					why, _, _ := strings.Cut(t.Why, ":")
					fmt.Fprintf(a.Out, "  %s: %s\n", layout.Plain(t.Path), why)
				}
			}
			return stopped
		},
	}
	c.Flags().BoolVar(&full, "full", false, "read everything again and build the index anew")
	c.Flags().BoolVar(&noAdapt, "no-adapt", false, "leave the built-in model as it is, do not fit it")
	c.Flags().BoolVar(&secrets, "include-secrets", false, "read files that hold credentials too")
	c.Flags().StringArrayVar(&files, "file", nil, "only this `path`, and what lies below it")
	c.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON (docs/json.md)")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "name the files that were skipped or have syntax errors")
	return c
}

// below converts paths typed in the working folder to paths from the root. A path outside the
// project is an error.
func below(p project.Place, paths []string) ([]string, error) {
	var out []string
	for _, typed := range paths {
		rel, err := p.Path(typed)
		if _, ok := errors.AsType[*project.OutsideError](err); ok {
			return nil, cli.Hint(err, "name a file of this repository, or scrape the other one there")
		}
		if err != nil {
			return nil, err
		}
		out = append(out, rel)
	}
	return out, nil
}

// An embeddedJSON is the report on a chosen model, as JSON.
type embeddedJSON struct {
	Name     string `json:"name"`
	Model    string `json:"model"`
	Texts    int    `json:"texts"`
	Embedded int    `json:"embedded"`
	Copied   int    `json:"copied"`
	TookMS   int64  `json:"took_ms"`
	Error    string `json:"error,omitempty"`
}

// summaryOf returns a summary as JSON: docs/json.md.
func summaryOf(s scrape.Summary, made []project.Embedded) any {
	models := []embeddedJSON{}
	for _, e := range made {
		x := embeddedJSON{e.Name, e.Model, e.Texts, e.Embedded, e.Copied, e.Took.Milliseconds(), ""}
		if e.Err != nil {
			x.Error = e.Err.Error()
		}
		models = append(models, x)
	}
	return struct {
		Schema     int               `json:"schema"`
		Added      int               `json:"added"`
		Changed    int               `json:"changed"`
		Removed    int               `json:"removed"`
		Unchanged  int               `json:"unchanged"`
		Shared     int               `json:"shared"`
		Skipped    map[string]int    `json:"skipped"`
		Languages  map[string]int    `json:"languages"`
		Commits    int               `json:"commits"`
		Bytes      int64             `json:"bytes"`
		TookMS     int64             `json:"took_ms"`
		Notes      []string          `json:"notes"`
		Generation int64             `json:"generation"`
		Head       string            `json:"head"`
		Files      int               `json:"files"`
		Chunks     int               `json:"chunks"`
		AllCommits int               `json:"all_commits"`
		Embedded   int               `json:"embedded"`
		Adapted    bool              `json:"adapted"`
		Models     []embeddedJSON    `json:"models,omitempty"`
		Troubled   []scrape.Troubled `json:"troubled"`
		LeftOut    []scrape.Troubled `json:"left_out"`
	}{
		layout.Schema, s.Added, s.Changed, s.Removed, s.Unchanged, s.Shared, s.Skipped, s.Languages, s.Commits, s.Bytes,
		s.Took.Milliseconds(),
		append([]string{}, s.Notes...), s.Generation.Number, s.Generation.Head, s.Generation.Files, s.Chunks,
		s.Generation.Commits,
		s.Embedded.Rows, s.Embedded.Adapted, models, append([]scrape.Troubled{}, s.Troubled...),
		append([]scrape.Troubled{}, s.LeftOut...),
	}
}
