package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/mcp"
	"patina/cmd/internal/memorycmd"
	"patina/cmd/internal/print"
	"patina/code/assay"
	"patina/memory"
	"patina/registry/mother"
	"patina/registry/querylog"
	"patina/scrape"
	"patina/wire/local"
)

// A toolbox answers the tools of "patina mcp".
type toolbox struct {
	store    string   // the value of --store
	folder   string   // the folder in which the server was started
	projects []string // the values of --project
	pool     *Pool
	lender   *local.Client // of the user's other processes
	mother   visit.Mother  // reaches other machines
	log      *slog.Logger
	started  string   // identifies this process among sessions
	repos    []string // the setting mcp.repos: further projects for every client
}

var _ mcp.Toolbox = (*toolbox)(nil)

// A toolCall is one call of a tool, with its own streams.
type toolCall struct {
	*print.Printer
	out, errs bytes.Buffer
	others    []string   // further projects of the client
	listed    func() int // bytes sent to its client before
}

// arguments are the arguments common to several tools.
type arguments struct {
	tool, mode   string
	repo, format string
	paths        []string // an absolute path selects the project of the client
	numbers      map[string]int
	looksUp      bool          // the call is made in the project named by repo, not beside it
	allRepos     bool          // ask related projects too
	atLeast      time.Duration // the shortest timeout, unless the client sets one
}

// toolTimeout is the default timeout of an agent. It is long because builds and tests of the agent
// keep its machine busy.
const toolTimeout = 20 * time.Second

// begin prepares a call: its project, its settings, its form.
func (t *toolbox) begin(ctx context.Context, c mcp.Client, a arguments) (*toolCall, error) {
	place, others, beside, repo, err := t.meant(ctx, c, a)
	if err != nil {
		return nil, err
	}
	call := &toolCall{others: others, listed: c.Listed}
	app := &cli.App{In: strings.NewReader(""), Out: &call.out, Errs: &call.errs, Store: t.store}
	call.Printer = &print.Printer{App: app, Page: 1}
	call.Dialect = func(c *ask.Call) dialect.Dialect {
		shell := print.ShellDialect(c, t.store)
		if c.Moved != "" {
			return dialect.MCP{Repo: c.Moved, Shell: shell}
		}
		return dialect.MCP{Repo: repo, Silent: c.Recalled, Shell: shell}
	}
	switch a.format {
	case "", "text":
	case "json":
		call.JSON = print.Brief
	default:
		return nil, cli.Hint(fmt.Errorf("unknown format %q", a.format), "there are: text, json")
	}
	call.Call, err = ask.Begin(ask.Options{
		Place: place, Repos: beside, LooksUp: a.looksUp, Given: a.settingsByName(), Patience: toolTimeout,
		AtLeast: a.atLeast,
		Engines: t.engines(progressTo(c.Tell)), Mother: t.mother, Resident: true, Warn: app.Warn,
		Admits: func(ctx context.Context, root string) bool { return t.admits(ctx, c, place, root) },
		Sent:   querylog.Delivery{Session: t.started + c.Session, Client: c.Name, Tool: a.tool, Mode: a.mode},
	})
	if err != nil {
		return nil, err
	}
	call.Budget = call.Call.Settings.Budget
	return call, nil
}

// engines returns those of the user's server where it runs ("patina serve"), and those of the pool
// where it does not. tell gets the progress of a first scrape.
func (t *toolbox) engines(tell func(scrape.Progress)) local.Engines {
	return local.Engines{
		Engines: Client{Pool: t.pool, Tell: tell}, Client: t.lender, Resident: true, Lent: t.pool.Borrowed,
	}
}

// settingsByName returns the settings among the arguments, by name.
func (a arguments) settingsByName() map[string]string {
	given := map[string]string{}
	for name, n := range a.numbers {
		if n != 0 {
			given[name] = strconv.Itoa(n)
		}
	}
	if n := a.numbers["timeout"]; n != 0 {
		given["timeout"] = strconv.Itoa(n) + "s"
	}
	if a.allRepos {
		given["all-repos"] = "true"
	}
	return given
}

// answer asks and prints the answer. If err is not nil, it becomes the answer.
func (c *toolCall) answer(ctx context.Context, r ask.Request, err error) (mcp.Reply, error) {
	if err != nil {
		return c.end(err)
	}
	a, err := c.Call.Ask(ctx, r)
	return c.end(c.Print(a, err))
}

// end returns the written text of a call as its reply. An exit code is not an error, because the
// text already says it.
func (c *toolCall) end(err error) (mcp.Reply, error) {
	if _, ended := errors.AsType[cli.Exit](err); err != nil && !ended {
		c.count(len(mcp.Complaint(err)), true)
		return mcp.Reply{}, err
	}
	reply := c.reply()
	c.count(len(reply.Text), false)
	return reply, nil
}

// count logs the bytes of a call.
func (c *toolCall) count(bytes int, failed bool) {
	c.Call.Sent.Listed = c.listed()
	c.Call.Delivered(bytes, failed)
}

// reply returns the written text of a call.
func (c *toolCall) reply() mcp.Reply {
	if c.JSON != "" {
		return mcp.Reply{Text: c.out.String(), JSON: c.out.Len() > 0}
	}
	text := c.out.String()
	for line := range strings.Lines(c.errs.String()) {
		text += strings.TrimPrefix(line, "patina: ")
	}
	if len(c.others) > 0 {
		text += fmt.Sprintf("project: %s (others: %s)\n", layout.OneLine(c.Call.Place.Name),
			layout.OneLine(strings.Join(c.others, ", ")))
	}
	return mcp.Reply{Text: text}
}

// progressTo returns a function that passes the progress of a scrape to a client.
func progressTo(tell func(int, string)) func(scrape.Progress) {
	var b bytes.Buffer
	m := cli.NewMeter(&b, time.Now)
	return func(p scrape.Progress) {
		b.Reset()
		if m.Show(p); b.Len() > 0 {
			tell(p.Done, strings.TrimPrefix(b.String(), "\r\x1b[K"))
		}
	}
}

// Context implements mcp.Toolbox.
func (t *toolbox) Context(ctx context.Context, c mcp.Client, a mcp.Context) (mcp.Reply, error) {
	call, err := t.begin(ctx, c, arguments{
		tool: "context", repo: a.Repo, format: a.Format, numbers: map[string]int{"budget": a.Budget}, looksUp: true,
		atLeast: ask.SurveyTime,
	})
	if err != nil {
		return mcp.Reply{}, err
	}
	call.Budget = call.Call.Budget(deliver.ContextTokens)
	return call.answer(ctx, ask.Request{Form: ask.Context, Text: strings.TrimSpace(a.Topic)}, nil)
}

// impactType is the query type that is answered as "patina impact".
const impactType = "impact"

// Assay implements mcp.Toolbox.
func (t *toolbox) Assay(ctx context.Context, c mcp.Client, a mcp.Assay) (mcp.Reply, error) {
	call, err := t.begin(ctx, c, arguments{
		tool: "assay", repo: a.Repo, format: a.Format, paths: []string{a.Pattern}, looksUp: true,
		atLeast: ask.FactsTime(a.QueryType), allRepos: a.AllRepos,
		numbers: map[string]int{"limit": a.Limit, "budget": a.Budget, "timeout": a.Timeout},
	})
	if err != nil {
		return mcp.Reply{}, err
	}
	if a.QueryType == impactType {
		call.Call.Sent.Mode, call.Budget = impactType, call.Call.Budget(0)
		return call.answer(ctx, impactRequest(a.Pattern), nil)
	}
	query, err := print.CheckFacts(assay.Query{Type: a.QueryType, Pattern: a.Pattern}, call.Dialect(call.Call))
	if err == nil {
		call.Call.Sent.Mode = query.Type
	}
	call.Budget, call.Most = call.Call.Budget(0), a.Limit
	return call.answer(ctx, ask.Request{Form: ask.Facts, Query: query}, err)
}

// impactRequest returns the request for a pattern: a range, a file, a symbol, or nothing for
// uncommitted work.
func impactRequest(pattern string) ask.Request {
	r := ask.Request{Form: ask.Impact, Name: pattern}
	if ask.IsRange(pattern) {
		r = ask.Request{Form: ask.Impact, Diff: true, Range: pattern}
	}
	return r
}

// Remember implements mcp.Toolbox. The notes of an agent are marked as its own.
func (t *toolbox) Remember(ctx context.Context, c mcp.Client, a mcp.Remember) (mcp.Reply, error) {
	call, err := t.begin(ctx, c, arguments{repo: a.Repo, format: a.Format, paths: []string{a.Path}})
	if err != nil {
		return mcp.Reply{}, err
	}
	foreign := len(call.Call.Repos) > 0
	if foreign {
		if err := moveToKeep(ctx, call.Call); err != nil {
			return call.end(err)
		}
	}
	err = memorycmd.Remember(ctx, call.App, call.Call.Place, call.JSON != "", foreign, memory.Memory{
		Content: a.Text, Type: a.Type, Tags: strings.Split(strings.Join(a.Tags, ","), ","), Path: a.Path,
		Symbol: a.Symbol, Origin: memory.Agent,
	})
	if foreign && err == nil {
		call.Warn("kept with the project %s", call.Call.Place.Name)
	}
	if errors.Is(err, memory.ErrSecret) {
		err = cli.Hint(fmt.Errorf("not kept: %w", memory.ErrSecret),
			"leave it out of the text, and say where it is kept")
	}
	return call.end(err)
}

// moveToKeep moves a call to the project that it names, so that a note is kept there. The project
// is not one of the client's. It must be registered by the user: links and settings only allow a
// client to read.
func moveToKeep(ctx context.Context, c *ask.Call) error {
	p, err := visit.FindPlace(c.Place, c.Repos[0])
	if err != nil {
		return ask.Misnamed(err)
	}
	if p.Far != "" {
		return cli.Hint(fmt.Errorf("not kept: %q is on other machines", c.Repos[0]),
			"keep the note with a project of this machine")
	}
	registered, err := mother.Repositories(ctx, p.Home)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(registered, func(r mother.Repository) bool { return r.ID == p.ID }) {
		return cli.Hint(fmt.Errorf("not kept: %q may be read by this client, and not written", c.Repos[0]),
			"a note is kept with a project of the client, or with one that its user has registered: patina repo add PATH")
	}
	c.Place, c.Moved, c.Repos = p, c.Repos[0], nil
	return nil
}

// Whole implements mcp.Toolbox.
func (t *toolbox) Whole(ctx context.Context, c mcp.Client, docID string) (string, error) {
	call, err := t.begin(ctx, c, arguments{tool: "resource", paths: []string{docID}})
	if err != nil {
		return "", err
	}
	a, err := call.Call.Ask(ctx, ask.Request{Form: ask.Attach, Name: docID})
	if err = call.Print(a, err); err == nil {
		call.count(call.out.Len(), false)
	}
	return call.out.String(), err
}

// The bounds of a completion: the number of names, and the time.
const (
	mostCompleted  = 20
	completeWithin = time.Second
)

// Complete implements mcp.Toolbox. It does not make an index, which would take too long for a
// completion.
func (t *toolbox) Complete(ctx context.Context, c mcp.Client, want mcp.Completion) ([]string, error) {
	call, err := t.begin(ctx, c, arguments{})
	if err != nil {
		return nil, err
	}
	e, done, err := t.engines(func(scrape.Progress) {}).Open(ctx, call.Call.Place, completeWithin)
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := e.NearNames(ctx, api.NearNamesRequest{
		ReadOptions: api.ReadOptions{Timeout: completeWithin}, Name: want.Word, Limit: mostCompleted, Paths: true,
	})
	if err != nil {
		return nil, err
	}
	names := slices.Concat(found.Paths, found.Names)
	if want.Folders {
		names = slices.DeleteFunc(found.Paths, func(p string) bool { return !strings.HasSuffix(p, "/") })
	}
	return slices.DeleteFunc(names, func(n string) bool { return layout.Plain(n) != n }), nil
}
