package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/mothercmd"
	"patina/cmd/internal/print"
	"patina/registry/querylog"
)

// scryFlags are the flags of scry. They say what is looked up, which form the answer has, and what
// it is narrowed to.
type scryFlags struct {
	*app
	detail, file, belief string
	literal, regex       string
	page, days           int
	narrowed             ask.Request // the fields of its flags
	legacy               bool
	json                 jsonFlag
	list                 print.Listing
	explain, strict      bool
	noRefresh            bool
}

func (a *app) scry() *cobra.Command {
	s := &scryFlags{app: a}
	c := &cobra.Command{
		Use:   "scry QUESTION...",
		Short: "Ask a question",
		Long: dialect.ScryTool + `

Ask a question in plain words, or name a symbol, a path or a commit. The answer is a list of snippets, each with its place
and its score, and the calls that dig deeper.

  scry QUESTION...           the words are the question; "-" reads it from standard input
  scry why DOC_ID QUESTION   how that document got its rank for the question, number by number
  scry why DOC_ID            what explains the document: the commits that made it
  scry why belief:ID         how well the belief holds up against the others, line by line
  scry --detail QUERY_ID N   the N-th result of an earlier answer whole, from any folder
  scry --detail DOC_ID       any document whole
  scry --belief ID           a belief: its evidence, and the code that it is about
  scry --file PATH           the files that change together with one
  scry --literal TEXT        the lines of files with this text, letter for letter
  scry --regex RE            the lines that match (RE2, as in Go)
  scry recent [--days N]     the newest commits and the files that they touched most, of the last 7 days,
                             or from --since to --until, or by an --author
  scry --repo NAME QUESTION  asks another project, too: every result then names its own
  scry feedback QUERY_ID good|bad [RANK]
                         says whether a result of another project helped (patina mother learn)
  scry --all-repos QUESTION  asks up to three projects that edges lead to, chosen by their words
  scry orient DIR            what a folder holds ("." is here): README, central files, entry points, tests

A path or doc_id is read from the root of the project, as answers print it, and then from this folder; with "./" or "../" in front
from this folder alone. So is a "--path": a glob, a file, or a folder with all below it. --detail also takes a name that one place
defines, a place such as src/lock.go:120, and the beginning of a commit's id, which it shows with its diff.

--since, --until and --author leave the commits and sessions of that time, or the commits of that author. "in 2024", "last month",
"since March 2025" and "by ANN" are read from the words of a question about what was done, and narrow commits and sessions, never
code; "recent changes" and the like order the relevant commits by age. The answer says what was read. To search for such words,
quote them, or give --as-written.

A message pasted word for word, or a part of a question in quotes, is found in the text first. What the program fills in may
differ: "cannot open /tmp/x" finds "cannot open %s". A quoted part or a name that is nowhere in the index is said.
--literal and --regex read the texts as they were scraped, code first, within --timeout. Better with rg: files that the index
leaves out, edits since the last scrape, expressions over several lines, and very large trees without a filter.

For other programs an answer is a line a result: --symbols, --vimgrep, -l, --format; each prints nothing where nothing is
relevant. --format takes a template of Go's text/template over the results of --json.

Words after "why" that name no document are a question: scry why do we use sqlite; so are "recent" with words behind it and
"orient" without a folder of the project. "--" ends the flags; a pasted text that begins with "-" needs it only if it is one word.
A question first looks for a moment whether files or HEAD have changed since the scrape, and reads what has if that is quick
(setting "refresh"). What it did not read or look at, the answer says. --no-refresh answers from the index as it is.

Exit code 1 says that nothing relevant was found, 3 that the answer is incomplete: it then says what is missing, and calls nothing
irrelevant. On a busy machine an answer takes longer, up to --timeout; the words channel always finishes.`,
		Example: `  patina scry how does the lock expire
  patina scry --content-type commits --limit 5 "when did we drop python 2"
  patina scry --path 'src/**/*.go' --path '!**/*_test.go' retry with backoff
  patina scry --path docs --content-type code,doc retry with backoff
  patina scry --detail src/lock.go:120
  patina scry --belief sync-first
  patina scry --since 2024-03 --author ann retry with backoff
  patina scry what did ann change in the scheduler last month
  patina scry --json QueryEngine | jq -r '.results[].doc_id'
  git log -1 --format=%s | patina scry -
  patina scry 'where does "connection reset by peer" come from'
  patina scry --literal 'defer f.mu.Unlock()' --path 'src/**'
  patina scry --regex 'func \(s \*Store\) [A-Z]\w+' --lang go -n 30
  patina scry recent --days 30 --path 'src/**'
  patina scry -l0 retry with backoff | xargs -0 wc -l
  vim -q <(patina scry --vimgrep how does the lock expire)
  patina scry --format '{{.path}}:{{.line_start}} {{.score}}' lock`,
		RunE: func(c *cobra.Command, args []string) error { return s.run(c, args) },
	}
	f := c.Flags()
	f.StringVar(&s.detail, "detail", "", "show a document whole: QUERY_ID RANK, or DOC_ID")
	f.IntVar(&s.page, "page", 1, "page of --detail")
	f.StringVar(&s.file, "file", "", "show the files that change together with this `path`")
	f.Bool("all-repos", false, "ask the projects, too, that edges lead to (patina mother link)")
	f.StringArrayVar(&s.Repos, "repo", nil, "ask this project, too, or look up there: its `name`, or its path (repeatable)")
	f.StringVar(&s.belief, "belief", "", "show the belief with this `id`; with --content-type code, the files that it is about")
	f.StringVar(&s.literal, "literal", "", "find the lines with this `text`")
	f.StringVar(&s.regex, "regex", "", "find the lines that match this `expression`")
	f.StringArrayVar(&s.narrowed.Kinds, "content-type", nil, "only this `kind`: "+ask.Kinds()+" (a list, or repeatable)")
	f.StringArrayVar(&s.narrowed.Paths, "path", nil, "only this file, folder or `glob` of paths; \"!\" in front excludes (repeatable)")
	f.StringArrayVar(&s.narrowed.Languages, "lang", nil, "only this `language` (repeatable)")
	f.StringArrayVar(&s.narrowed.Packages, "package", nil, "only this `package`, as its manifest names it, or the end of its name after \"/\" (repeatable)")
	f.StringArrayVar(&s.narrowed.Oracles, "oracle", nil, "ask only this `oracle`: "+strings.Join(ask.Channels(), ", ")+" (repeatable)")
	f.BoolVar(&s.legacy, "legacy", false, "deprecated: --oracle semantic")
	_ = f.MarkHidden("legacy")
	f.Var(&s.json, "json", "print JSON (schema: docs/json.md); --json=full prints every field")
	f.Lookup("json").NoOptDefVal = print.Brief
	f.BoolVar(&s.list.Symbols, "symbols", false, "print the symbols that match only: path:line kind name")
	f.BoolVar(&s.list.Vimgrep, "vimgrep", false, "print lines for an editor: path:line:column:text")
	f.BoolVarP(&s.list.Paths, "files-with-matches", "l", false, "print paths only")
	f.BoolVarP(&s.list.NUL, "null", "0", false, "with -l: end each path with NUL, and print it as it is")
	f.StringVar(&s.list.Format, "format", "", "print a line a result by this `template`")
	f.IntVar(&s.days, "days", ask.UsualDays, "with recent: how many days back from now")
	dateFlags(c, &s.narrowed)
	f.BoolVar(&s.explain, "explain", false, "print the quantities of ranking")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.BoolVar(&s.strict, "strict", false, "exit 3 also if a channel of another project did not answer")
	f.IntP("limit", "n", 10, "results")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 900")
	f.Duration("timeout", 10*time.Second, "longest wait for an answer on a busy machine")
	_ = c.RegisterFlagCompletionFunc("content-type", cobra.FixedCompletions(strings.Split(ask.Kinds(), ", "), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("oracle", cobra.FixedCompletions(ask.Channels(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("package", a.completePackages)
	return c
}

// looksUp reports whether the words and flags look something up, in one project, and ask no
// question.
func (s *scryFlags) looksUp(args []string) bool {
	switch {
	case s.detail != "":
		return !querylog.IsID(s.detail) // the log knows the project
	case s.belief != "" || s.literal != "" || s.regex != "" || s.file != "":
		return true
	case len(args) == 0:
		return false
	}
	return len(args) == 1 && args[0] == "recent" || len(args) == 2 && (args[0] == "orient" || args[0] == "why")
}

// run makes the call and prints what it answers.
func (s *scryFlags) run(c *cobra.Command, args []string) error {
	place, err := s.Indexed()
	if err != nil {
		return err
	}
	o := s.CallOptions(place, cli.Given(c), s.noRefresh)
	o.LooksUp = s.looksUp(args)
	o.Sent.Tool, o.Sent.Mode = "scry", s.mode(args)
	call, err := ask.Begin(o)
	if err != nil {
		return err
	}
	if s.legacy {
		s.Warn("--legacy is deprecated and goes in 0.12: use --oracle semantic")
		if len(s.narrowed.Oracles) == 0 {
			s.narrowed.Oracles = []string{"semantic"}
		}
	}
	if err := s.list.Check(s.json != ""); err != nil {
		return err
	}
	p := s.printer(call)
	p.JSON, p.List, p.Page, p.Explain, p.Strict, p.Budget = string(s.json), s.list, s.page, s.explain, s.strict, call.Settings.Budget
	return p.CountOutput(func() error { return s.answer(c, p, args) })
}

// answer asks what the words and flags mean, and prints it.
func (s *scryFlags) answer(c *cobra.Command, p *print.Printer, args []string) error {
	if len(args) > 1 && args[0] == "feedback" && querylog.IsID(args[1]) && s.mode(args) == "find" {
		return s.feedback(c.Context(), p.Call, args[1:])
	}
	r, err := s.request(c, p.Call.Place, args)
	if err != nil {
		return err
	}
	a, err := p.Call.Ask(c.Context(), r)
	switch {
	case r.Form == ask.Why && err != nil:
		return orAsked(p.Print(a, err), args)
	case err != nil || !a.Unknown:
		return p.Print(a, err)
	}
	p.ReportLag()
	if r, err = s.question(c, args); err != nil {
		return err
	}
	a, err = p.Call.Ask(c.Context(), r)
	return p.Print(a, err)
}

// mode names the form of an answer, as the query log does.
func (s *scryFlags) mode(args []string) string {
	switch {
	case s.detail != "":
		return "detail"
	case s.belief != "":
		return "belief"
	case s.literal != "" || s.regex != "":
		return "lines"
	case s.file != "":
		return "file"
	case len(args) == 1 && args[0] == "recent", len(args) == 2 && args[0] == "orient", len(args) > 1 && args[0] == "why":
		return args[0]
	}
	return "find"
}

// request returns what the words and flags ask.
func (s *scryFlags) request(c *cobra.Command, p project.Place, args []string) (ask.Request, error) {
	r := s.narrowed
	r.Fallback = s.list.Kinds()
	switch s.mode(args) {
	case "detail":
		return s.detailed(r, args)
	case "belief":
		if err := s.noListing("--belief"); err != nil {
			return r, err
		}
		if len(args) > 0 {
			return r, cli.Hint(fmt.Errorf("unexpected %q beside --belief", args[0]), cli.Asking("to search beliefs: ", "--content-type belief "+strings.Join(args, " ")))
		}
		r.Form, r.Name = ask.Belief, s.belief
	case "lines":
		return s.matching(r, args)
	case "file":
		if err := s.noListing("--file"); err != nil {
			return r, err
		}
		if len(args) > 0 {
			return r, cli.Hint(fmt.Errorf("unexpected %q beside --file", args[0]), "want --file PATH alone")
		}
		r.Form, r.Name = ask.Neighbours, s.file
	case "recent":
		if err := errors.Join(s.noListing("recent"), refuse("recent", c.Flags().Changed, questionOnly...)); err != nil {
			return r, err
		}
		if r.Since != "" && c.Flags().Changed("days") {
			return r, cli.Hint(errors.New("--days beside --since"), "both say where to begin: give one of them")
		}
		r.Form, r.Days = ask.Recent, s.days
	case "orient":
		return s.oriented(c, p, r, args)
	case "why":
		if s.list.Flag() != "" {
			return s.question(c, args)
		}
		r.Form, r.Name, r.Text, r.MayAsk = ask.Why, args[1], strings.Join(args[2:], " "), true
	default:
		return s.question(c, args)
	}
	return r, nil
}

// question returns the request of a question in words, or from standard input for "-".
func (s *scryFlags) question(c *cobra.Command, args []string) (ask.Request, error) {
	r := s.narrowed
	if c.Flags().Changed("page") {
		return r, cli.Hint(errors.New("--page goes with --detail alone"), "more results: --limit N")
	}
	if c.Flags().Changed("days") {
		return r, cli.Hint(errors.New("--days goes with recent alone"), "to list what changed: patina scry recent --days N")
	}
	if len(args) == 0 && s.list.Flag() == "" && ask.WantsBeliefs(r.Kinds) {
		r.Form = ask.Beliefs
		return r, nil
	}
	text := strings.Join(args, " ")
	if text == "-" {
		b, err := cli.UnlessOver(c.Context(), func() ([]byte, error) { return io.ReadAll(io.LimitReader(s.In, cli.MaxQuestion)) })
		if err != nil {
			return r, fmt.Errorf("read question: %w", err)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return r, cli.Hint(errors.New("no question"), `ask one: patina scry "how are rows locked"`, `or name a file: patina scry --file PATH`)
	}
	r.Form, r.Text, r.Fallback = ask.Find, text, s.list.Kinds()
	r.Listing, r.Symbols, r.Starts = s.list.Flag() != "", s.list.Symbols, s.list.Vimgrep
	return r, nil
}

// detailed returns the request of --detail: a result of an earlier answer, or a document.
func (s *scryFlags) detailed(r ask.Request, args []string) (ask.Request, error) {
	if err := s.noListing("--detail"); err != nil {
		return r, err
	}
	r.Form = ask.Detail
	if querylog.IsID(s.detail) {
		var err error
		r.QueryID = s.detail
		r.Rank, err = rankOf(args)
		return r, err
	}
	if _, err := strconv.Atoi(strings.Join(args, " ")); err == nil {
		return r, cli.Hint(fmt.Errorf("%q is no query id", s.detail), "a query id stands at the beginning of each answer, such as q_260202143000_abc", "or show a document by its id: patina scry --detail DOC_ID")
	}
	if len(args) > 0 {
		return r, cli.Hint(fmt.Errorf("unexpected %q after a doc_id", args[0]), "want --detail QUERY_ID RANK, or --detail DOC_ID")
	}
	r.Name = s.detail
	return r, nil
}

func rankOf(args []string) (int, error) {
	usage := "want --detail QUERY_ID RANK, such as --detail q_260202143000_abc 1"
	if len(args) != 1 {
		return 0, cli.Hint(errors.New("no rank after the query id"), usage)
	}
	rank, err := strconv.Atoi(args[0])
	if err != nil || rank < 1 {
		return 0, cli.Hint(fmt.Errorf("rank %q is no number from 1", args[0]), usage)
	}
	return rank, nil
}

// matching returns the request of --literal or --regex.
func (s *scryFlags) matching(r ask.Request, args []string) (ask.Request, error) {
	flag := "--literal"
	if s.regex != "" {
		flag = "--regex"
	}
	switch {
	case s.literal != "" && s.regex != "":
		return r, cli.Hint(errors.New("--literal beside --regex"), "give one of them")
	case len(args) > 0:
		return r, cli.Hint(fmt.Errorf("unexpected %q beside %s", args[0], flag),
			"quote a text of several words: patina scry --literal 'cannot open file'",
			"a question can quote as well: patina scry 'where does \"cannot open file\" come from'")
	case len(r.Oracles) > 0:
		return r, cli.Hint(fmt.Errorf("--oracle beside %s", flag), "it reads the texts, and asks no oracle")
	}
	if _, err := regexp.Compile(s.regex); err != nil {
		return r, cli.Hint(fmt.Errorf("read --regex %q: %w", s.regex, err),
			"the syntax is RE2, as in Go: no look-around, no back-references", "for the characters themselves: --literal")
	}
	r.Form, r.Literal, r.Regex, r.Text = ask.Lines, s.literal, s.regex, flag+" "+s.literal+s.regex
	r.Listing, r.Symbols, r.Starts = s.list.Flag() != "", s.list.Symbols, s.list.Vimgrep
	return r, nil
}

// questionOnly lists flags that only a question has.
var questionOnly = []string{"content-type", "oracle", "explain", "strict"}

// oriented returns the request of orient: a folder, or a question where there is no such folder.
func (s *scryFlags) oriented(c *cobra.Command, p project.Place, r ask.Request, args []string) (ask.Request, error) {
	folder, ok, err := p.Folder(args[1])
	if err != nil {
		return r, orAsked(err, args)
	}
	if !ok {
		s.Warn("no folder %q in this project: asked as a question", args[1])
		r, err = s.question(c, args)
		r.NoFolder = args[1]
		return r, err
	}
	r.Form, r.Name = ask.Orient, folder
	return r, errors.Join(s.noListing("orient"), refuse("orient "+folder, c.Flags().Changed, append([]string{"days"}, questionOnly...)...))
}

// orAsked adds a hint to the error for a path outside the project: the same words as a question.
func orAsked(err error, args []string) error {
	if _, ok := errors.AsType[*project.OutsideError](err); ok {
		return cli.Hint(err, cli.Asking("to ask a question: ", strings.Join(args, " ")))
	}
	return err
}

// noListing refuses forms that only an answer has.
func (s *scryFlags) noListing(where string) error {
	if form := s.list.Flag(); form != "" {
		return cli.Hint(fmt.Errorf("unexpected %s beside %s", form, where), "an answer to a question has that form; here --json is for programs")
	}
	return nil
}

// refuse names the first given flag with no meaning in where.
func refuse(where string, changed func(string) bool, names ...string) error {
	for _, n := range names {
		if changed(n) {
			return cli.Hint(fmt.Errorf("unexpected --%s beside %s", n, where), "it goes with a question")
		}
	}
	return nil
}

// feedback says whether a result of another project helped.
func (s *scryFlags) feedback(ctx context.Context, call *ask.Call, args []string) error {
	usage := "such as patina scry feedback q_260202143000_abc good 2"
	if len(args) < 2 || len(args) > 3 || !slices.Contains([]string{"good", "bad"}, args[1]) {
		return cli.Hint(errors.New("feedback wants a query id, good or bad, and perhaps a rank"), usage)
	}
	rank := 0
	if len(args) == 3 {
		var err error
		if rank, err = rankOf(args[2:]); err != nil {
			return err
		}
	}
	edges, err := call.Judge(ctx, args[0], args[1] == "good", rank)
	if _, unknown := errors.AsType[*ask.UnknownQueryError](err); unknown {
		return cli.Hint(err, usage)
	}
	switch {
	case err != nil:
		return mothercmd.Unlinked(err)
	case edges == 0:
		fmt.Fprintln(s.Out, "nothing to learn: no result of another project is meant")
		return cli.Exit(cli.ExitNothing)
	}
	fmt.Fprintf(s.Out, "counted for %s; the weights move with patina mother learn\n", cli.Plural(edges, "edge"))
	return nil
}
