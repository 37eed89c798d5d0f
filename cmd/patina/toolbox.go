package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/actors"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/mcp"
	"patina/cmd/internal/memorycmd"
	"patina/memory"
	"patina/mother"
	"patina/querylog"
	"patina/store/assay"
	"patina/store/scrape"
)

// A toolbox answers the tools of "patina mcp": each by the function of the command that it stands
// for.
type toolbox struct {
	store    string   // --store
	folder   string   // in which the server was started
	projects []string // --project
	warm     *warm
	log      *slog.Logger
	started  string   // tells the sessions of this process from those of others
	repos    []string // the setting mcp.repos: further projects for every client
}

var _ mcp.Toolbox = (*toolbox)(nil)

// A toolCall is one call of a tool, with its own streams.
type toolCall struct {
	*scrying
	out, errs bytes.Buffer
	given     map[string]string // settings that came with it
	asJSON    bool
	others    []string   // further projects of the client
	listed    func() int // bytes that its client was sent before
}

// begin prepares a call: its project, its settings, its form.
func (t *toolbox) begin(ctx context.Context, c mcp.Client, repo, format string, paths []string, numbers map[string]int) (*toolCall, error) {
	place, others, err := t.place(c, repo, paths)
	var beside []string
	if err != nil && repo != "" {
		home, more, unnamed := t.place(c, "", paths)
		if unnamed == nil { // none of the client's, but maybe the user's
			if name, ok := t.admitted(ctx, home, repo); ok {
				place, others, beside, repo, err = home, more, []string{name}, "", nil
			} else {
				err = notAdmitted(err)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	call := &toolCall{given: map[string]string{}, others: others}
	call.scrying = &scrying{
		app: &app{&cli.App{In: strings.NewReader(""), Out: &call.out, Errs: &call.errs, Store: t.store}}, place: place, page: 1,
	}
	call.Repos = beside
	call.tool = &front{warm: t.warm, tell: progressTo(c.Tell)}
	call.tool.admits = func(ctx context.Context, root string) bool { return t.admits(ctx, c, place, root) }
	call.sent = querylog.Delivery{Session: t.started + c.Session, Client: c.Name}
	call.listed = c.Listed
	if repo != "" {
		call.tool.repo = repo
	}
	switch format {
	case "", "text":
	case "json":
		call.asJSON, call.scrying.asJSON, call.json = true, true, briefJSON
	default:
		return nil, cli.Hint(fmt.Errorf("unknown format %q", format), "there are: text, json")
	}
	for name, n := range numbers {
		if n != 0 {
			call.given[name] = strconv.Itoa(n)
		}
	}
	if n := numbers["timeout"]; n != 0 {
		call.given["timeout"] = strconv.Itoa(n) + "s"
	}
	if err := call.settle(call.given); err != nil {
		return call, err
	}
	if !call.timed {
		call.settings.Timeout = toolTimeout
	}
	return call, nil
}

// toolTimeout is the longest wait of an agent, if nobody has chosen another: it asks on machines
// that its own builds and tests keep busy.
const toolTimeout = 20 * time.Second

// end makes a reply of what a call has written. An exit code says no more than the text.
func (c *toolCall) end(err error) (mcp.Reply, error) {
	if _, ended := errors.AsType[cli.Exit](err); err != nil && !ended {
		c.log(len(mcp.Complaint(err)), true)
		return mcp.Reply{}, err
	}
	reply := c.reply()
	c.log(len(reply.Text), false)
	return reply, nil
}

// log logs what a call has cost.
func (c *toolCall) log(bytes int, failed bool) {
	c.sent.Listed = c.listed()
	c.deliver(bytes, failed)
}

// reply is what a call has written.
func (c *toolCall) reply() mcp.Reply {
	if c.asJSON {
		return mcp.Reply{Text: c.out.String(), JSON: c.out.Len() > 0}
	}
	text := c.out.String()
	for line := range strings.Lines(c.errs.String()) {
		text += strings.TrimPrefix(line, "patina: ")
	}
	if len(c.others) > 0 {
		text += fmt.Sprintf("project: %s (others: %s)\n", deliver.OneLine(c.place.Name), deliver.OneLine(strings.Join(c.others, ", ")))
	}
	return mcp.Reply{Text: text}
}

// admitted finds a project beside a client's own by a name, an id or a path, and returns the name
// by which it is found again. It is not ok for one that the client must not see: that is not told
// from one that does not exist.
func (t *toolbox) admitted(ctx context.Context, home project.Place, repo string) (name string, ok bool) {
	open, err := visit.Nameable(ctx, home, t.repos)
	if err != nil {
		t.log.Warn("other projects are not known", "error", err)
		return "", false
	}
	i, err := visit.Find(open, repo, home.From)
	if err != nil {
		return "", false
	}
	if p, err := visit.Named(home, repo); err != nil || p.Root != open[i].Root { // not its name alone
		return open[i].Root, true
	}
	return repo, true
}

// notAdmitted adds hints to the error for a name that no project has, or one that a client must not
// see.
func notAdmitted(err error) error {
	var known cli.Taught
	errors.As(err, &known)
	return cli.Hint(err, append(known.Hints(), `a client sees its own projects, those linked with it, and those registered by its user: patina repo add PATH`,
		`others by a setting in config.toml of $PATINA_HOME: mcp.repos = ["/path/to/repository"]`)...)
}

// admits reports whether a client may see answers about the project at a root.
func (t *toolbox) admits(ctx context.Context, c mcp.Client, home project.Place, root string) bool {
	if root == home.Root {
		return true
	}
	folders, err := t.folders(c)
	for _, f := range folders {
		if p, unplaced := project.At(f, ""); err == nil && unplaced == nil && p.Root == root {
			return true
		}
	}
	_, ok := t.admitted(ctx, home, root)
	return ok
}

// noProject is the error for a client whose project cannot be found.
func noProject(text string) error {
	return cli.Hint(errors.New(text), `name it in the client's settings of this server: "args": ["mcp", "--project", "/path/to/repository"]`)
}

// place finds the project that a call asks, and names the other ones of its client.
func (t *toolbox) place(c mcp.Client, repo string, paths []string) (p project.Place, others []string, err error) {
	folders, err := t.folders(c)
	if err != nil {
		return p, nil, err
	}
	at, err := chosen(folders, repo, paths)
	if err != nil {
		return p, nil, err
	}
	if info, err := os.Stat(folders[at]); err != nil || !info.IsDir() {
		return p, nil, noProject(fmt.Sprintf("there is no folder %q", folders[at]))
	}
	if t.store != "" && len(folders) == 1 {
		p, err = cli.Placed(project.At(folders[at], t.store))
	} else {
		p, err = cli.Placed(project.At(folders[at], ""))
	}
	for i, f := range folders {
		if i != at {
			others = append(others, fmt.Sprintf("repo=%q", filepath.Base(f)))
		}
	}
	return p, others, err
}

// folders returns the folders that a client works in: its roots, else those of --project, else the
// git repository around the working folder.
func (t *toolbox) folders(c mcp.Client) ([]string, error) {
	if len(c.Roots) > 0 {
		return c.Roots, nil
	}
	if len(t.projects) > 0 {
		return t.projects, nil
	}
	t.enter()
	here, err := project.Here(t.store)
	if err != nil {
		return nil, err
	}
	if git, err := here.Repository(); (err != nil || git == nil) && here.Secret == "" {
		dir, _ := os.Getwd()
		return nil, noProject(fmt.Sprintf("no project: the client names no roots, and %q is in no git repository", dir))
	}
	dir, err := os.Getwd()
	return []string{dir}, err
}

// enter goes back into the folder in which the server was started, if that was made again: the
// process stands in the removed one until then.
func (t *toolbox) enter() {
	now, err := os.Stat(t.folder)
	if err != nil { // still gone, or moved away with the process in it
		return
	}
	if in, err := os.Stat("."); err != nil || !os.SameFile(now, in) {
		_ = os.Chdir(t.folder)
	}
}

// chosen finds the folder that a call means: by name, by an absolute path, else the first.
func chosen(folders []string, repo string, paths []string) (int, error) {
	if repo != "" {
		at := slices.IndexFunc(folders, func(f string) bool { return f == filepath.Clean(repo) || filepath.Base(f) == repo })
		if at < 0 {
			return 0, cli.Hint(fmt.Errorf("no project %q", repo), "there are: "+strings.Join(bases(folders), ", "))
		}
		return at, nil
	}
	for _, p := range paths {
		for i, f := range folders {
			if rel, err := filepath.Rel(f, p); err == nil && filepath.IsAbs(p) && rel != ".." && !strings.HasPrefix(rel, "../") {
				return i, nil
			}
		}
	}
	return 0, nil
}

func bases(folders []string) (names []string) {
	for _, f := range folders {
		names = append(names, filepath.Base(f))
	}
	return names
}

// progressTo passes the progress of a scrape to a client.
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

// scryModes are the modes of scry.
var scryModes = []string{"find", "detail", "why", "orient", "recent", "file"}

// modeOf returns the mode of a call. An answer that prints a call names its mode; a call without
// one means the mode that its arguments fit.
func modeOf(a mcp.Scry) string {
	switch {
	case a.Mode != "":
		return a.Mode
	case a.QueryID != "", a.DocID != "":
		return "detail"
	}
	return "find"
}

// Scry implements mcp.Toolbox.
func (t *toolbox) Scry(ctx context.Context, c mcp.Client, a mcp.Scry) (mcp.Reply, error) {
	call, err := t.begin(ctx, c, a.Repo, a.Format, append(slices.Clone(a.Path), a.DocID), map[string]int{"limit": a.Limit, "budget": a.Budget, "timeout": a.Timeout})
	if err != nil {
		return mcp.Reply{}, err
	}
	call.kinds, call.languages = a.ContentType, a.Lang
	if call.sent.Tool = "scry"; slices.Contains(scryModes, modeOf(a)) { // a model may write anything
		call.sent.Mode = modeOf(a)
	}
	return call.end(call.scry(ctx, a))
}

// scry runs the function behind a mode.
func (c *toolCall) scry(ctx context.Context, a mcp.Scry) error {
	if asks := modeOf(a) == "find" && a.Belief == "" || a.QueryID != ""; !asks {
		if err := c.move(); err != nil {
			return err
		}
	}
	if a.AllRepos {
		c.settings.AllRepos = true
	}
	switch modeOf(a) {
	case "find":
		c.paths = a.Path
		return c.find(ctx, a)
	case "detail":
		return c.detail(ctx, a)
	case "why":
		return c.why(ctx, a)
	case "orient":
		return c.orient(ctx, cmp.Or(strings.Join(a.Path, ","), "."))
	case "recent":
		c.paths = a.Path
		return c.recent(ctx, cmp.Or(a.Days, defaultDays))
	case "file":
		if len(a.Path) != 1 {
			return cli.Hint(errors.New("mode file wants one path"), `such as scry(mode="file", path="src/lock.go")`)
		}
		return c.showNeighbours(ctx, a.Path[0])
	}
	return cli.Hint(fmt.Errorf("unknown mode %q", a.Mode), "there are: "+strings.Join(scryModes, ", "))
}

// find asks a question, or shows a belief.
func (c *toolCall) find(ctx context.Context, a mcp.Scry) error {
	query := strings.TrimSpace(a.Query)
	switch {
	case a.Belief != "":
		c.believed = a.Belief
		return c.showBelief(ctx, nil)
	case query != "":
		return c.ask(ctx, query)
	case c.wantsBeliefs(nil):
		return c.listBeliefs(ctx, holds)
	}
	return cli.Hint(errors.New("no question"), `ask one: scry(query="how are rows locked")`, `or name a file: scry(mode="file", path=…)`)
}

func (c *toolCall) detail(ctx context.Context, a mcp.Scry) error {
	c.page = cmp.Or(a.Page, 1)
	switch {
	case a.Belief != "" && a.QueryID == "" && a.DocID == "":
		c.believed = a.Belief
		return c.showBelief(ctx, nil)
	case a.QueryID != "" && a.DocID == "":
		if a.Rank < 1 {
			return cli.Hint(errors.New("no rank beside query_id"), fmt.Sprintf("such as scry(mode=\"detail\", query_id=%q, rank=1)", a.QueryID))
		}
		return c.showResult(ctx, a.QueryID, a.Rank)
	case a.DocID != "" && a.QueryID == "":
		return c.showDocument(ctx, a.DocID, nil)
	}
	return cli.Hint(errors.New("mode detail wants query_id and rank, or doc_id"), `such as scry(mode="detail", doc_id="src/lock.go")`)
}

func (c *toolCall) why(ctx context.Context, a mcp.Scry) error {
	if a.DocID == "" {
		return cli.Hint(errors.New("mode why wants doc_id"), `such as scry(mode="why", doc_id="src/lock.go")`)
	}
	return c.asking(ctx, func(e actors.Service) error {
		err := c.explainWhy(ctx, e, a.DocID, strings.TrimSpace(a.Query))
		return c.notFound(ctx, e, err, "document", a.DocID, "the doc_ids are in the answers")
	})
}

// orient shows a folder.
func (c *toolCall) orient(ctx context.Context, typed string) error {
	folder, ok, err := c.place.Folder(typed)
	if err != nil {
		return err
	}
	if !ok {
		return cli.Hint(fmt.Errorf("no folder %q in this project", typed), `"." is all of it: scry(mode="orient", path=".")`)
	}
	return c.scrying.orient(ctx, folder)
}

// Context implements mcp.Toolbox.
func (t *toolbox) Context(ctx context.Context, c mcp.Client, a mcp.Context) (mcp.Reply, error) {
	call, err := t.begin(ctx, c, a.Repo, a.Format, nil, map[string]int{"budget": a.Budget})
	if err != nil {
		return mcp.Reply{}, err
	}
	call.sent.Tool = "context"
	if err := call.move(); err != nil {
		return mcp.Reply{}, err
	}
	call.ceiling(call.given, deliver.ContextTokens)
	call.settings.Timeout = max(call.settings.Timeout, surveyWithin)
	return call.end(call.introduce(ctx, strings.TrimSpace(a.Topic)))
}

// Assay implements mcp.Toolbox.
func (t *toolbox) Assay(ctx context.Context, c mcp.Client, a mcp.Assay) (mcp.Reply, error) {
	call, err := t.begin(ctx, c, a.Repo, a.Format, []string{a.Pattern}, map[string]int{"limit": a.Limit, "budget": a.Budget, "timeout": a.Timeout})
	if err != nil {
		return mcp.Reply{}, err
	}
	call.sent.Tool = "assay"
	if err := call.move(); err != nil {
		return mcp.Reply{}, err
	}
	query, err := call.assayed(assay.Query{Type: a.QueryType, Pattern: a.Pattern}, nil, assay.Types())
	if err != nil {
		return call.end(err)
	}
	call.sent.Mode = query.Type
	if a.Timeout == 0 {
		call.settings.Timeout = patience(query.Type, call.settings.Timeout)
	}
	call.ceiling(call.given, 0)
	return call.end(call.assay(ctx, query, a.Limit))
}

// Remember implements mcp.Toolbox. What an agent says of itself is marked as its own.
func (t *toolbox) Remember(ctx context.Context, c mcp.Client, a mcp.Remember) (mcp.Reply, error) {
	call, err := t.begin(ctx, c, a.Repo, a.Format, []string{a.Path}, nil)
	if err != nil {
		return mcp.Reply{}, err
	}
	foreign := len(call.Repos) > 0
	if foreign {
		if err := call.moveToKeep(ctx); err != nil {
			return call.end(err)
		}
	}
	err = memorycmd.Remember(ctx, call.App, call.place, call.asJSON, foreign, memory.Memory{
		Content: a.Text, Type: a.Type, Tags: listed(a.Tags), Path: a.Path, Symbol: a.Symbol, Origin: memory.Agent,
	})
	if foreign && err == nil {
		call.Warn("kept with the project %s", call.place.Name)
	}
	if errors.Is(err, memory.ErrSecret) {
		err = cli.Hint(fmt.Errorf("not kept: %w", memory.ErrSecret), "leave it out of the text, and say where it is kept")
	}
	return call.end(err)
}

// moveToKeep moves a call to the project that it names, which is none of its client's, to keep a
// note there. It returns an error unless the user has registered that project: a link or a setting
// lets a client read alone.
func (c *toolCall) moveToKeep(ctx context.Context) error {
	p, err := visit.Named(c.place, c.Repos[0])
	if err != nil {
		return namedWrong(err)
	}
	registered, err := mother.Repositories(ctx, p.Home)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(registered, func(r mother.Repository) bool { return r.ID == p.ID }) {
		return cli.Hint(fmt.Errorf("not kept: %q may be read by this client, and not written", c.Repos[0]),
			"a note is kept with a project of the client, or with one that its user has registered: patina repo add PATH")
	}
	c.place, c.moved, c.Repos = p, c.Repos[0], nil
	return nil
}

// listed splits texts at commas.
func listed(texts []string) []string {
	return strings.Split(strings.Join(texts, ","), ",")
}

// Whole implements mcp.Toolbox.
func (t *toolbox) Whole(ctx context.Context, c mcp.Client, docID string) (string, error) {
	call, err := t.begin(ctx, c, "", "", []string{docID}, nil)
	if err != nil {
		return "", err
	}
	err = call.asking(ctx, func(e actors.Service) error {
		d, err := call.scrying.find(ctx, e, docID, true)
		if err != nil {
			return call.notFound(ctx, e, err, "document", docID)
		}
		call.sent.Tool, call.sent.DocID = "resource", d.DocID
		return deliver.Whole(&call.out, deliver.Document{Description: d.Description, Body: d.Body, Diff: d.Diff, Note: d.Note})
	})
	if err == nil {
		call.log(call.out.Len(), false)
	}
	return call.out.String(), err
}

// mostCompleted bounds the names that complete a word.
const mostCompleted = 20

// Complete implements mcp.Toolbox. It makes no index: nobody waits that long for a name.
func (t *toolbox) Complete(ctx context.Context, c mcp.Client, want mcp.Completion) ([]string, error) {
	call, err := t.begin(ctx, c, "", "", nil, nil)
	if err != nil {
		return nil, err
	}
	e, done, err := call.engine(ctx, completeWithin)
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := e.NearNames(ctx, actors.NearNamesRequest{
		ReadOptions: actors.ReadOptions{Timeout: completeWithin}, Name: want.Word, Limit: mostCompleted, Paths: true,
	})
	if err != nil {
		return nil, err
	}
	names := slices.Concat(found.Paths, found.Names)
	if want.Folders {
		names = slices.DeleteFunc(found.Paths, func(p string) bool { return !strings.HasSuffix(p, "/") })
	}
	return slices.DeleteFunc(names, func(n string) bool { return deliver.Plain(n) != n }), nil
}
