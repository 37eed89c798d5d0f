// Package print prints the answers of package ask, for the command line and for tools alike. It
// chooses the text or the JSON, the exit code, and the hints of an error.
//
// A Printer holds the choices of a front end. Package deliver writes the texts themselves.
package print

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/deliver/beliefs"
	"patina/cmd/internal/deliver/impacts"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/drawing"
	"patina/cmd/internal/layout"
	"patina/code/assay"
	"patina/fusion"
	"patina/graph"
)

// The forms of JSON.
const (
	Brief = "brief"
	Full  = "full"
)

// A Printer prints the answers of one call. App, Call and Dialect must be set.
type Printer struct {
	*cli.App
	Call     *ask.Call
	Dialect  func(*ask.Call) dialect.Dialect // spells calls for the place that the call came from
	JSON     string                          // Brief or Full; empty: text
	Form     string                          // of a graph; see drawing.Write
	Markdown bool                            // of an impact
	List     Listing
	Budget   int // the ceiling of a text in tokens; 0: the default of its form
	Page     int // of a document, from 1
	Most     int // number of facts; 0: all that fit
	Explain  bool
	Strict   bool // a missing channel of another project changes the exit code too
}

// ShellDialect returns the dialect of a shell for a call. store is the value of --store, or "".
func ShellDialect(c *ask.Call, store string) dialect.CLI {
	switch {
	case c.Moved != "":
		return dialect.CLI{Repo: c.Moved}
	case c.Place.Far != "":
		return dialect.CLI{Repo: c.Place.Far}
	case store != "" || c.Recalled:
		return dialect.CLI{Store: c.Place.Store}
	}
	return dialect.CLI{}
}

// Print prints an answer, or explains a non-nil error. After a printed answer it returns nil if
// something was found, else a cli.Exit with the exit code.
func (p *Printer) Print(a *ask.Answer, err error) error {
	if err == nil {
		err = p.printForm(a)
	}
	return p.Finish(err)
}

// Finish explains the error of a call. If err is nil or a cli.Exit, the answer was printed, and
// Finish reports a lag that the answer does not mention.
func (p *Printer) Finish(err error) error {
	if _, ended := errors.AsType[cli.Exit](err); err != nil && !ended {
		return ExplainError(err, p.Call, p.Dialect(p.Call))
	}
	p.ReportLag()
	return err
}

// ReportLag prints a line on standard error if the index is behind and no answer says so, or if it
// is on another machine.
func (p *Printer) ReportLag() {
	if x, ok := p.Call.FarIndex(); ok {
		if line := deliver.FarIndexes([]api.IndexState{x}, time.Now()); line != "" {
			p.Warn("%s", line)
		}
	}
	lag := p.Call.Unsaid()
	if lag == nil {
		return
	}
	if line := deliver.Lagging(lag, p.Dialect(p.Call)); line != "" {
		p.Warn("%s", line)
	}
}

func (p *Printer) printForm(a *ask.Answer) error {
	switch a.Form {
	case ask.Find, ask.Lines:
		return p.printFound(a)
	case ask.Detail:
		return p.printDocument(a.Document)
	case ask.Graph:
		return p.printGraph(a.Graph)
	case ask.Attach:
		return deliver.Whole(p.Out, documentOf(a.Document))
	case ask.Why:
		return p.printWhy(a)
	case ask.Neighbours:
		return p.printNeighbours(a.Document)
	case ask.Recent:
		return p.printChanges(a.Recent)
	case ask.Orient:
		return p.printFolder(a.Folder, a.Name)
	case ask.Belief:
		return p.printBelief(a.Belief)
	case ask.Beliefs:
		return p.PrintBeliefs(a.Beliefs)
	case ask.Facts:
		return p.printFacts(a)
	case ask.Impact:
		return p.printImpact(a.Impact)
	case ask.Context:
		return p.printContext(a.Context)
	}
	return fmt.Errorf("print: unknown form %q", a.Form)
}

// Options returns how deliver writes the texts of the call.
func (p *Printer) Options(logged bool) deliver.Options {
	var skip []string
	return deliver.Options{
		Dialect: p.Dialect(p.Call), Budget: p.Budget, Explain: p.Explain,
		Colour: cli.Coloured(p.Out), Width: cli.Width(p.Out), Logged: logged,
		Visits: Visits(p.Call.Visits), Route: p.listRoute(),
		Dismissed: func(key string) bool { // called for few answers only
			if skip == nil {
				skip, _ = p.Call.Dismissed() // the fault was already reported
				skip = append(skip, "")
			}
			return slices.Contains(skip, key)
		},
	}
}

// Visits returns visits by name, in the form that deliver prints.
func Visits(visits []visit.Visit) map[string]deliver.Visit {
	out := map[string]deliver.Visit{}
	for _, v := range visits {
		repo := v.Project.Name
		if !v.Alone {
			repo = v.Locator()
		}
		out[v.Name] = deliver.Visit{Via: v.Relation, Repo: repo, Far: v.Far != ""}
	}
	return out
}

// listRoute returns a line for each project asked, or the reason why only home was.
func (p *Printer) listRoute() []string {
	c := p.Call
	var lines []string
	for _, v := range c.Visits {
		via := "named; no edge leads there"
		if v.Relation != "" {
			via = "via " + v.Relation
		}
		lines = append(lines, fmt.Sprintf("route: %s × %.2f (%s)", v.Name, v.Weight, via))
	}
	if len(c.Repos) > 0 || !c.Settings.AllRepos {
		return lines
	}
	if len(c.Route.Choices) == 0 {
		return []string{"route: home alone: no edge leads from here"}
	}
	lines = []string{fmt.Sprintf("route: home, L %.2f", c.Route.Home)}
	for _, x := range c.Route.Choices {
		why := "asked"
		switch {
		case !x.Asked:
			why = "not asked: " + x.Why
		case x.States:
			why = "asked: a belief there states it"
		}
		lines = append(lines, fmt.Sprintf("route: %s via %s, w %.2f, L %.2f: %s", c.Route.Names[x.Project], x.Relation,
			x.Weight, x.Fit, why))
	}
	return lines
}

// printFound prints the answer to a question. Its exit code says how good the answer is.
func (p *Printer) printFound(a *ask.Answer) (err error) {
	f, o := a.Found, p.Options(a.Found.Logged)
	for _, d := range f.Whole {
		o.Bodies = append(o.Bodies, d.Body)
	}
	switch {
	case f.Whole != nil && p.JSON == "" && p.List.Flag() == "":
		err = deliver.Full(p.Out, f.Answer, p.wholeDocuments(f), o)
	case p.JSON == Full:
		err = deliver.JSON(p.Out, f.Answer, o)
	case p.JSON != "":
		err = deliver.Brief(p.Out, f.Answer, o)
	case p.List.Flag() != "":
		err = p.printListing(f, o)
	default:
		err = deliver.Snippets(p.Out, f.Answer, o)
	}
	if err != nil {
		return err
	}
	if a.Unmatched != "" && len(f.Results) == 0 {
		p.Warn("%s", a.Unmatched)
	}
	return exitCode(f.Answer, o.Visits, p.Strict)
}

// wholeDocuments returns the whole texts of an answer's results in the form that deliver prints.
func (p *Printer) wholeDocuments(f *ask.Found) (all []deliver.Document) {
	d := p.Dialect(p.Call)
	for i := range f.Whole {
		x := documentOf(&f.Whole[i])
		x.Next = func(page int) string { return d.Describe(x.DocID, page) }
		if f.Logged {
			x.Next = func(page int) string { return d.Detail(f.QueryID, f.Whole[i].Rank, page) }
		}
		all = append(all, x)
	}
	return all
}

// exitCode returns the exit code of an answer.
func exitCode(a *api.Answer, visits map[string]deliver.Visit, strict bool) error {
	nothing := len(a.Results) == 0 || a.Relevance == fusion.Irrelevant
	switch {
	case a.Partial && strict, len(deliver.Lacking(a, visits)) > 0: // they may have had the result
		return cli.Exit(cli.ExitPartial)
	case nothing:
		return cli.Exit(cli.ExitNothing)
	}
	return nil
}

// exitUnless returns the exit code after a list was printed: ExitNothing, unless the list had some
// entries or err is not nil.
func exitUnless(some bool, err error) error {
	if err == nil && !some {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}

// documentOf returns a document in the form that deliver prints.
func documentOf(d *ask.Document) deliver.Document {
	return deliver.Document{Description: d.Description, Body: d.Body, Diff: d.Diff, Note: d.Note, Notes: d.Noted.Notes, MoreNotes: d.Noted.More}
}

func (p *Printer) printDocument(d *ask.Document) error {
	doc, dialect := documentOf(d), p.Dialect(p.Call)
	doc.Next = func(page int) string { return dialect.Describe(d.DocID, page) }
	if d.QueryID != "" {
		doc.Next = func(page int) string { return dialect.Detail(d.QueryID, d.Rank, page) }
	}
	if p.JSON != "" {
		return deliver.DetailJSON(p.Out, doc)
	}
	return deliver.Detail(p.Out, doc, p.Page, p.Options(false))
}

// printWhy prints the reasons for a document, or for its rank.
func (p *Printer) printWhy(a *ask.Answer) error {
	switch {
	case a.Ranked != nil:
		p.Explain = true
		var closest []deliver.WordPair
		for _, pair := range a.Ranked.Closest {
			closest = append(closest, deliver.WordPair(pair))
		}
		if p.JSON != "" {
			return deliver.WhyJSON(p.Out, a.Ranked.Explanation, closest, p.Options(false))
		}
		return deliver.Why(p.Out, a.Ranked.DocID, a.Ranked.Explanation, closest, p.Options(false))
	case a.Standing != nil:
		if p.JSON != "" {
			return beliefs.StandingJSON(p.Out, a.Standing)
		}
		return beliefs.Standing(p.Out, a.Standing, p.Options(false))
	}
	return p.printReasons(a.Document)
}

// printReasons prints the commits behind a document and the files that change with it.
func (p *Printer) printReasons(d *ask.Document) error {
	doc, older, history := documentOf(d), 0, ""
	if near := d.Near; near != nil {
		if d.Symbol != "" && near.Note != "" && p.JSON != "" {
			doc.Note = near.Note
		} else if d.Symbol != "" && near.Note != "" {
			p.Warn("%s: %s", d.Symbol, near.Note)
		}
		doc.Reasons, history = near.Reasons, near.Index.Generation.History
		doc.Links, older = slices.Concat(deliver.Known(d.Description), near.Links),
			max(0, near.Commits-p.Call.Settings.Limit)
	}
	if p.JSON != "" {
		return deliver.DetailJSON(p.Out, doc)
	}
	none := "no commit is known to have touched it"
	if history != "" {
		none = "its commits are not known: " + history
	}
	if d.Outside != nil {
		none = "it is yours, in " + d.Outside.Of + ", and in no file of this project"
	}
	return deliver.Links(p.Out, doc, older, none, p.Options(false))
}

func (p *Printer) printNeighbours(d *ask.Document) (err error) {
	doc := deliver.Document{Description: d.Description}
	doc.Links = d.Near.Links
	if p.JSON != "" {
		err = deliver.DetailJSON(p.Out, doc)
	} else {
		err = deliver.Links(p.Out, doc, 0, "no file is known to change together with it", p.Options(false))
	}
	return exitUnless(len(doc.Links) > 0, err)
}

func (p *Printer) printChanges(c *ask.Changes) (err error) {
	out := deliver.Recent{Period: c.Period, Days: c.Days, Since: c.Since, When: c.When, Index: c.Index}
	if p.JSON != "" {
		err = deliver.RecentJSON(p.Out, out)
	} else {
		err = deliver.Recently(p.Out, out, p.Options(false))
	}
	return exitUnless(len(c.Commits) > 0, err)
}

func (p *Printer) printFolder(f *api.OverviewAnswer, name string) error {
	if f == nil {
		return p.reportNothing("nothing indexed in " + cli.Quoted(cmp.Or(name, ".")))
	}
	out := deliver.Orientation{Overview: f.Overview, Limit: p.Call.Settings.Limit, Index: f.Index}
	if p.JSON != "" {
		return deliver.OrientJSON(p.Out, out)
	}
	return deliver.Orient(p.Out, out, p.Options(false))
}

// printGraph draws a graph.
func (p *Printer) printGraph(g *graph.Graph) error {
	return exitUnless(len(g.Nodes) > 0, drawing.Write(p.Out, g, p.Form))
}

// reportNothing prints why nothing was found and returns ExitNothing.
func (p *Printer) reportNothing(text string) error {
	fmt.Fprintf(p.Errs, "patina: %s\n", text)
	return cli.Exit(cli.ExitNothing)
}

// printBelief prints a belief with the code that it is about, or only that code.
func (p *Printer) printBelief(b *ask.BeliefAnswer) (err error) {
	o := p.Options(false)
	switch {
	case b.CodeAlone && p.JSON != "":
		err = beliefs.ReachJSON(p.Out, b.About)
	case b.CodeAlone:
		err = beliefs.Reach(p.Out, b.About, false, o)
	case p.JSON != "":
		return deliver.DetailJSON(p.Out, deliver.Document{Description: b.Description})
	default:
		return beliefs.Believed(p.Out, b.Description, b.Reached, o)
	}
	return exitUnless(len(b.Reached) > 0, err)
}

// PrintBeliefs prints a list of beliefs.
func (p *Printer) PrintBeliefs(l *ask.BeliefList) (err error) {
	if p.JSON != "" {
		err = beliefs.ListJSON(p.Out, l.BeliefsAnswer)
	} else {
		err = beliefs.List(p.Out, l.BeliefsAnswer, l.LeftOut, p.Options(false))
	}
	return exitUnless(len(l.Beliefs) > 0, err)
}

func (p *Printer) printFacts(a *ask.Answer) (err error) {
	found := deliver.FactsAnswer{Facts: &a.Facts.Facts, Index: a.Facts.Index, Most: p.Most}
	some := len(a.Facts.Facts.Facts) > 0
	for _, x := range a.Elsewhere {
		there := deliver.FactsElsewhere{Project: x.Visit.Name, Visit: Visits([]visit.Visit{x.Visit})[x.Visit.Name]}
		if x.Missed != nil {
			there.Missed = layout.OneLine(x.Missed.Error())
		} else {
			there.FactsAnswer = deliver.FactsAnswer{Facts: &x.Facts.Facts, Index: x.Facts.Index, Most: p.Most}
			some = some || len(x.Facts.Facts.Facts) > 0
		}
		found.Elsewhere = append(found.Elsewhere, there)
	}
	if p.JSON != "" {
		err = deliver.FactsJSON(p.Out, found)
	} else {
		err = deliver.FactsTables(p.Out, found, p.Options(false))
	}
	if err == nil && len(a.Near) > 0 {
		p.Warn("hint: did you mean %s", strings.Join(a.Near, ", "))
	}
	return exitUnless(some, err)
}

// printImpact prints an impact. The exit code is ExitNothing if a check of a belief that governs
// the change fails.
func (p *Printer) printImpact(f *ask.ImpactFound) (err error) {
	switch {
	case p.JSON != "":
		err = impacts.JSON(p.Out, f)
	case p.Markdown:
		err = impacts.Markdown(p.Out, f, p.Options(false))
	default:
		err = impacts.Text(p.Out, f, p.Options(false))
	}
	return exitUnless(impacts.FailedChecks(f) == 0, err)
}

func (p *Printer) printContext(i *ask.Introduction) error {
	c := deliver.Context{
		BriefAnswer: *i.BriefAnswer, IsEmpty: i.IsEmpty, Project: i.Index.Project, Topic: i.Topic, Now: i.Now,
		Memories: i.Memories,
	}
	if i.Topic != "" {
		c.Focus(i.Code, i.Rules, i.Beliefs, i.Commits)
	}
	switch {
	case i.Missed != nil:
		c.Elsewhere = deliver.Elsewhere{Missed: "other projects were not searched: " + layout.OneLine(i.Missed.Error())}
	case i.Elsewhere != nil:
		c.Elsewhere = deliver.NewElsewhere(i.Elsewhere, Visits(i.Linked))
	}
	write := deliver.Introduce
	if p.JSON != "" {
		write = deliver.ContextJSON
	}
	return exitUnless(!i.IsEmpty || len(i.Memories) > 0, write(p.Out, c, p.Options(false)))
}

// AskAndPrint asks and prints the answer. The query log records how much was printed.
func (p *Printer) AskAndPrint(ctx context.Context, r ask.Request) error {
	return p.CountOutput(func() error {
		a, err := p.Call.Ask(ctx, r)
		return p.Print(a, err)
	})
}

// CountOutput calls run, which prints an answer, and logs the number of bytes printed.
func (p *Printer) CountOutput(run func() error) error {
	out := &cli.Counter{Writer: p.Out}
	p.Out = out
	err := run()
	p.Out = out.Writer
	_, ended := errors.AsType[cli.Exit](err)
	p.Call.Delivered(out.N, err != nil && !ended)
	return err
}

// CheckFacts completes a question about facts. It returns an error with hints if the type or the
// pattern is missing.
func CheckFacts(q assay.Query, d dialect.Dialect) (assay.Query, error) {
	types := assay.Types()
	there := "there are: " + strings.Join(types, ", ")
	switch {
	case q.Type == "":
		return q, cli.Hint(errors.New("no query type"), there, "such as: "+d.Assay("callers", "NAME"))
	case !slices.Contains(types, q.Type):
		return q, cli.Hint(fmt.Errorf("unknown query type %q", q.Type), there)
	case q.Pattern == "" && q.Type == "inventory":
		q.Pattern = "."
	case q.Pattern == "":
		return q, cli.Hint(fmt.Errorf("no pattern for %s", q.Type), "such as: "+d.Assay(q.Type, "NAME"),
			`"." stands for all files`)
	}
	return q, nil
}
