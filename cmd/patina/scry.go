package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/actors/stall"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/fusion"
	"patina/querylog"
	"patina/settings"
	"patina/store"
	"patina/store/scrape"
)

// A scrying is one call of scry, with its flags and its project.
type scrying struct {
	*app
	tool                    *front // nil: the command line
	detail, file, believed  string
	literal, regex          string
	page                    int
	kinds, paths, languages []string
	packages                []string
	oracles                 []string
	legacy                  bool
	json                    jsonFlag
	asJSON, explain, strict bool
	days                    int
	dated                   datedFlags
	list                    listingFlags
	place                   project.Place
	settings                settings.Settings
	timed                   bool   // somebody has chosen a timeout
	noFolder                string // orient's argument, if it is no folder
	stall                   *stall.Meter
	clock                   stall.Stopwatch // of the command's timeout
	noRefresh               bool
	beside                  bool // the tree is compared beside the question
	sighted                 *sighting
	lag                     *actors.Lag // nil: not compared
	told                    bool        // the answer says so
	visits                  []visit.Visit
	related                 visit.Related
	moved                   string       // the project looked up in, as --repo named it
	guests                  []store.Kind // the kinds that another project shows; nil: it is one's own
	closed                  []string     // notes on projects that show nothing
	sent                    querylog.Delivery
}

func (a *app) scry() *cobra.Command {
	s := &scrying{app: a}
	c := &cobra.Command{
		Use:   "scry QUESTION...",
		Short: "Ask a question",
		Long: deliver.ScryTool + `

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
	f.StringVar(&s.believed, "belief", "", "show the belief with this `id`; with --content-type code, the files that it is about")
	f.StringVar(&s.literal, "literal", "", "find the lines with this `text`")
	f.StringVar(&s.regex, "regex", "", "find the lines that match this `expression`")
	f.StringArrayVar(&s.kinds, "content-type", nil, "only this `kind`: "+kindNames()+" (a list, or repeatable)")
	f.StringArrayVar(&s.paths, "path", nil, "only this file, folder or `glob` of paths; \"!\" in front excludes (repeatable)")
	f.StringArrayVar(&s.languages, "lang", nil, "only this `language` (repeatable)")
	f.StringArrayVar(&s.packages, "package", nil, "only this `package`, as its manifest names it, or the end of its name after \"/\" (repeatable)")
	f.StringArrayVar(&s.oracles, "oracle", nil, "ask only this `oracle`: "+strings.Join(actors.Channels(), ", ")+" (repeatable)")
	f.BoolVar(&s.legacy, "legacy", false, "deprecated: --oracle semantic")
	_ = f.MarkHidden("legacy")
	f.Var(&s.json, "json", "print JSON (schema: docs/json.md); --json=full prints every field")
	f.Lookup("json").NoOptDefVal = briefJSON
	f.BoolVar(&s.list.symbols, "symbols", false, "print the symbols that match only: path:line kind name")
	f.BoolVar(&s.list.vimgrep, "vimgrep", false, "print lines for an editor: path:line:column:text")
	f.BoolVarP(&s.list.paths, "files-with-matches", "l", false, "print paths only")
	f.BoolVarP(&s.list.nul, "null", "0", false, "with -l: end each path with NUL, and print it as it is")
	f.StringVar(&s.list.format, "format", "", "print a line a result by this `template`")
	f.IntVar(&s.days, "days", defaultDays, "with recent: how many days back from now")
	s.dated.register(c)
	f.BoolVar(&s.explain, "explain", false, "print the quantities of ranking")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.BoolVar(&s.strict, "strict", false, "exit 3 also if a channel of another project did not answer")
	f.IntP("limit", "n", 10, "results")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 900")
	f.Duration("timeout", 10*time.Second, "longest wait for an answer on a busy machine")
	_ = c.RegisterFlagCompletionFunc("content-type", cobra.FixedCompletions(strings.Split(kindNames(), ", "), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("oracle", cobra.FixedCompletions(actors.Channels(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("package", s.completePackages)
	return c
}

func kindNames() string {
	var names []string
	for _, k := range store.Kinds() {
		names = append(names, k.Label())
	}
	return strings.Join(names, ", ")
}

// run chooses the form of scry by its arguments and flags.
func (s *scrying) run(c *cobra.Command, args []string) (err error) {
	s.asJSON = s.json != ""
	if s.place, err = s.Indexed(); err != nil {
		return err
	}
	if s.looksUp(args) {
		if err := s.move(); err != nil {
			return err
		}
	}
	if err := s.settle(cli.Given(c)); err != nil {
		return err
	}
	if s.legacy {
		s.Warn("--legacy is deprecated and goes in 0.12: use --oracle semantic")
		if len(s.oracles) == 0 {
			s.oracles = []string{"semantic"}
		}
	}
	if err := s.checkForm(); err != nil {
		return err
	}
	return s.counted("scry", s.formOf(args), func() error { return s.answerTo(c, args) })
}

// formOf names the form of an answer, as the query log does.
func (s *scrying) formOf(args []string) string {
	switch {
	case s.detail != "":
		return "detail"
	case s.believed != "":
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

// answerTo answers in the form that the arguments and flags choose.
func (s *scrying) answerTo(c *cobra.Command, args []string) error {
	ctx := c.Context()
	switch {
	case s.detail != "":
		if err := s.noListing("--detail"); err != nil {
			return err
		}
		return s.showDetail(ctx, args)
	case s.believed != "":
		if err := s.noListing("--belief"); err != nil {
			return err
		}
		return s.showBelief(ctx, args)
	case s.literal != "" || s.regex != "":
		return s.showMatches(ctx, args)
	case s.file != "":
		if err := s.noListing("--file"); err != nil {
			return err
		}
		if len(args) > 0 {
			return cli.Hint(fmt.Errorf("unexpected %q beside --file", args[0]), "want --file PATH alone")
		}
		return s.showNeighbours(ctx, s.file)
	case len(args) == 1 && args[0] == "recent":
		return s.showRecent(c)
	case len(args) > 1 && args[0] == "feedback" && querylog.IsID(args[1]):
		return s.feedback(ctx, args[1:])
	case len(args) == 2 && args[0] == "orient":
		dir, ok, err := s.place.Folder(args[1])
		switch {
		case err != nil:
			return orAsked(err, args)
		case ok:
			return s.showOverview(c, dir)
		}
		s.Warn("no folder %q in this project: asked as a question", args[1])
		s.noFolder = args[1]
	case len(args) > 1 && args[0] == "why" && s.listing() == "":
		if done, err := s.why(ctx, args[1], strings.Join(args[2:], " ")); done || err != nil {
			return orAsked(err, args)
		}
	}
	if c.Flags().Changed("page") {
		return cli.Hint(errors.New("--page goes with --detail alone"), "more results: --limit N")
	}
	if c.Flags().Changed("days") {
		return cli.Hint(errors.New("--days goes with recent alone"), "to list what changed: patina scry recent --days N")
	}
	if s.wantsBeliefs(args) {
		return s.listBeliefs(ctx, holds)
	}
	question, err := s.question(ctx, args)
	if err != nil {
		return err
	}
	return s.ask(ctx, question)
}

// orAsked adds a hint to the error for a path outside the project: the same words as a question.
func orAsked(err error, args []string) error {
	if _, ok := errors.AsType[*project.OutsideError](err); ok {
		return cli.Hint(err, cli.Asking("to ask a question: ", strings.Join(args, " ")))
	}
	return err
}

// question returns the words, or standard input for "-".
func (s *scrying) question(ctx context.Context, args []string) (string, error) {
	text := strings.Join(args, " ")
	if text == "-" {
		b, err := cli.UnlessOver(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(s.In, cli.MaxQuestion)) })
		if err != nil {
			return "", fmt.Errorf("read question: %w", err)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return "", cli.Hint(errors.New("no question"), `ask one: patina scry "how are rows locked"`, `or name a file: patina scry --file PATH`)
	}
	return text, nil
}

// request returns a question for the engine, with this call's flags.
func (s *scrying) request(text string) (actors.Request, error) {
	r := actors.Request{
		ID: querylog.NewID(time.Now()), Text: text, Limit: s.settings.Limit, Timeout: s.settings.Timeout,
		Rule: fusion.Rule(s.settings.CodeRule), Oracles: parts(s.oracles),
		Filter: store.Filter{Packages: s.packages},
	}
	for _, glob := range s.paths {
		fromRoot, err := s.place.Pattern(glob)
		if err != nil {
			return r, err
		}
		r.Filter.Paths = append(r.Filter.Paths, fromRoot)
	}
	for _, name := range parts(s.languages) {
		l, ok := scrape.Language(name)
		if !ok {
			return r, cli.Hint(fmt.Errorf("unknown language %q", name), "give a name such as Go, Python or Shell, or an extension such as ts")
		}
		r.Filter.Languages = append(r.Filter.Languages, l)
	}
	for _, name := range r.Oracles {
		if !slices.Contains(actors.Channels(), name) {
			return r, cli.Hint(fmt.Errorf("unknown oracle %q", name), "this build has: "+strings.Join(actors.Channels(), ", "))
		}
	}
	var err error
	if r.Filter.Kinds, err = kindsNamed(s.kinds); err != nil {
		return r, err
	}
	if len(r.Filter.Kinds) == 0 {
		r.Filter.Kinds = s.listedKinds()
	}
	if err := s.dated.narrow(&r); err != nil {
		return r, err
	}
	if err := r.Filter.Check(); err != nil {
		return r, cli.Hint(err, `globs are relative to the root, such as 'src/**/*.go' or '!**/*_test.go'`)
	}
	return r, nil
}

// parts splits the values of a repeatable flag at commas.
func parts(values []string) (all []string) {
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
	}
	return all
}

// kindsNamed parses the names of kinds, singular or plural.
func kindsNamed(names []string) ([]store.Kind, error) {
	var kinds []store.Kind
	for _, name := range parts(names) {
		k, ok := store.KindNamed(name)
		if !ok {
			return nil, cli.Hint(fmt.Errorf("unknown content type %q", name), "there are: "+kindNames())
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// ask asks and prints the answer; the exit code says how good it is.
func (s *scrying) ask(ctx context.Context, text string) error {
	r, err := s.request(text)
	if err != nil {
		return err
	}
	s.beside = true
	return s.asking(ctx, func(e actors.Service) error {
		answer, err := s.answer(ctx, e, r)
		if err != nil {
			return err
		}
		if err := s.suggest(ctx, e, answer); err != nil {
			return err
		}
		if s.noFolder != "" {
			s.didYouMean(slices.DeleteFunc(s.near(ctx, e, s.noFolder), func(name string) bool { return !strings.HasSuffix(name, "/") }))
		}
		return s.show(ctx, e, answer)
	})
}

// show logs and prints an answer in the form asked for; the exit code says how good it is.
func (s *scrying) show(ctx context.Context, e actors.Service, a *actors.Answer) (err error) {
	o := s.options(s.remember(a))
	s.showedVisits(ctx, a)
	switch {
	case s.json == fullJSON:
		err = deliver.JSON(s.Out, a, o)
	case s.asJSON:
		err = deliver.Brief(s.Out, a, o)
	case s.listing() != "":
		err = s.listed(ctx, e, a, o)
	default:
		err = deliver.Snippets(s.Out, a, o)
	}
	if err != nil {
		return err
	}
	if none := s.dated.nobody(a.Read); none != "" && len(a.Results) == 0 {
		s.Warn("%s", none)
	}
	return s.outcome(a)
}

// answer asks while the tree is compared with the index, and again if that was behind.
func (s *scrying) answer(ctx context.Context, e actors.Service, r actors.Request) (*actors.Answer, error) {
	r, err := s.visiting(ctx, e, r)
	if err != nil {
		return nil, err
	}
	r.Timeout = s.left()
	a, err := e.Scry(ctx, r)
	if errors.Is(err, actors.ErrNoProject) && len(s.visits) > 0 { // another call has taken its room
		if r, err = s.visiting(ctx, e, r); err == nil {
			a, err = e.Scry(ctx, r)
		}
	}
	if err == nil && s.catchUp(ctx, s.sighted) {
		r.Timeout = s.left()
		a, err = e.Scry(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	a.Notes = append(a.Notes, s.closed...)
	for i := range a.Indexes {
		if _, ok := s.visited(a.Indexes[i].Project); !ok {
			a.Indexes[i] = s.lagged(a.Indexes[i])
		}
	}
	return a, nil
}

// afterwards are the options for look-ups after the answer. They take milliseconds, unless the disk
// hangs.
var afterwards = actors.ReadOptions{Timeout: 10 * time.Second}

// nearNames is how many names are offered for an unknown one.
const nearNames = 3

// suggest adds a note with names close to a mistyped one.
func (s *scrying) suggest(ctx context.Context, e actors.Service, a *actors.Answer) error {
	offered := func(note string) bool { return strings.Contains(note, "did you mean ") }
	if a.Relevance == fusion.Relevant || len(strings.Fields(a.Query)) != 1 || slices.ContainsFunc(a.Notes, offered) {
		return nil
	}
	near, err := e.NearNames(ctx, actors.NearNamesRequest{ReadOptions: afterwards, Name: a.Query, Limit: nearNames})
	switch {
	case errors.Is(err, context.DeadlineExceeded): // print the answer without it
		return nil
	case err != nil:
		return err
	case len(near.Names) > 0:
		a.Notes = append(a.Notes, "did you mean "+strings.Join(near.Names, ", "))
	}
	return nil
}

func (s *scrying) outcome(a *actors.Answer) error {
	nothing := len(a.Results) == 0 || a.Relevance == fusion.Irrelevant
	switch {
	case a.Partial && s.strict, len(deliver.Lacking(a, s.visitsShown())) > 0: // they may have found it
		return cli.Exit(cli.ExitPartial)
	case nothing:
		return cli.Exit(cli.ExitNothing)
	}
	return nil
}

func (s *scrying) options(logged bool) deliver.Options {
	o := deliver.Options{
		Dialect: s.dialect(), Budget: s.settings.Budget, Explain: s.explain,
		Colour: cli.Coloured(s.Out), Width: cli.Width(s.Out), Logged: logged,
	}
	o.Visits, o.Route = s.visitsShown(), s.routeShown()
	var skip []string
	o.Dismissed = func(key string) bool { // asked for few answers
		if skip == nil {
			skip, _ = s.skipped() // what cannot be read was said
			skip = append(skip, "")
		}
		return slices.Contains(skip, key)
	}
	return o
}

// remember logs an answer, if wanted, and reports whether it is in the query log.
func (s *scrying) remember(a *actors.Answer) bool {
	if !s.settings.LogQueries {
		return false
	}
	q := querylog.Query{ID: a.QueryID, Text: a.Query, Root: s.place.Root, Store: s.place.Store, Time: time.Now().UTC(), Results: []querylog.Place{}}
	for _, x := range a.Indexes {
		q.Generation = x.Generation.Number
	}
	for _, r := range a.Results {
		place := querylog.Place{DocID: r.DocID, Shown: r.Shown}
		if v, ok := s.visited(r.Key.Project); ok {
			place.Root, place.Store = v.Root, v.Store
		}
		q.Results = append(q.Results, place)
	}
	if err := querylog.In(s.place.Home).Append(q); err != nil {
		s.Warn("%v", err)
		return false
	}
	s.sent.Query = q.ID
	return true
}
