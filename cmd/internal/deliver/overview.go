package deliver

import (
	"fmt"
	"io"
	"strings"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/code/describe"
	"patina/code/history"
	"patina/store/doc"
)

// A Recent is the latest changes, with the state of the index.
type Recent struct {
	history.Period
	Days  int
	Since time.Time
	When  doc.When // the period asked for, in place of Days or beside it
	Index api.IndexState
}

// span returns the period in words.
func (p Recent) span() string {
	if p.When.Span.Set() {
		return p.When.String()
	}
	out := fmt.Sprintf("last %s, since %s", layout.Count(p.Days, "day"), layout.Day(p.Since))
	if p.When.Author != "" {
		out += ", " + p.When.String()
	}
	return out
}

// Recently writes the commits of a period and the most touched files, within the ceiling. Under a
// small ceiling the files are dropped first, then the oldest commits.
func Recently(w io.Writer, p Recent, o Options) error {
	lines := []layout.Line{layout.Faint(fmt.Sprintf("%s, as of the index%s", layout.Clip(p.span(), 100),
		scraped(p.Index.Generation)))}
	if len(p.Commits) == 0 {
		lines = append(lines, layout.Strong(nothingRecent(p)))
		return writeBlocks(w, lines, nil, func(o Options) []layout.Line {
			return append([]layout.Line{layout.Faint(farther(p, o))}, recentFooter(p, o)...)
		}, o)
	}
	total := layout.Count(p.Total, "commit")
	if p.Merges > 0 {
		total += " and " + layout.Count(p.Merges, "merge")
	}
	lines = append(lines, layout.Strong(total+", "+layout.Count(p.Touched, "file")+" touched"), layout.Line{})
	var blocks []block
	for _, d := range p.Commits {
		blocks = append(blocks, recentCommit(d))
	}
	for i, f := range p.Files {
		b := block{head: layout.Text(fmt.Sprintf("%5d× %s", f.Commits, layout.OpenPath(f.Path)))}
		if f.Gone {
			b.head.Text += "  gone"
		}
		if i == 0 {
			b.head.Text = "Touched most:\n" + b.head.Text
		}
		blocks = append(blocks, b)
	}
	return writeBlocks(w, lines, blocks, func(o Options) []layout.Line {
		return append([]layout.Line{layout.Faint(recentCalls(p, o))}, recentFooter(p, o)...)
	}, o)
}

// writeBlocks writes lines, the blocks that fit, and what end returns: calls, which may be empty,
// then the footer. Under a small ceiling the calls are dropped first. The room is that beside the
// longer of both dialects.
func writeBlocks(w io.Writer, lines []layout.Line, blocks []block, end func(Options) []layout.Line, o Options) error {
	must, others := end(o), end(o.other())
	size := func() int { return max(layout.Size(must), layout.Size(others)) }
	for len(must) > 0 && (must[0].Text == "" || layout.Size(lines)+size()+cutRoom > o.Ceiling()) {
		must, others = must[1:], others[min(1, len(others)):]
	}
	room := o.Ceiling() - layout.Size(lines) - size()
	forms := fit(blocks, room)
	if cut(forms, o.Ceiling(), o.Dialect) != "" {
		forms = fit(blocks, room-cutRoom)
		must = append([]layout.Line{layout.Faint(cut(forms, o.Ceiling(), o.Dialect))}, must...)
	}
	for i, b := range blocks {
		if forms[i] != gone {
			lines = append(lines, b.head)
		}
		if forms[i] == whole {
			lines = append(lines, b.rest...)
		}
	}
	return layout.Write(w, append(lines, must...), o.Colour)
}

func nothingRecent(p Recent) string {
	switch {
	case p.Index.Generation.History != "":
		return "not searched: history (" + layout.Clip(p.Index.Generation.History, 60) + ")"
	case p.Newest.IsZero():
		return "no commit that passes the filters"
	}
	if p.When.Span.Set() {
		return "no commit then; the newest before is of " + layout.Day(p.Newest)
	}
	return fmt.Sprintf("no commit in the last %s; the newest is of %s", layout.Count(p.Days, "day"),
		layout.Day(p.Newest))
}

// farther returns the call that reaches back to the newest commit.
func farther(p Recent, o Options) string {
	if p.Newest.IsZero() || p.When.Set() || p.Index.Generation.History != "" {
		return ""
	}
	if call := o.Dialect.Recent(p.Days + int(p.Since.Sub(p.Newest).Hours()/24) + 1); call != "" {
		return "Dig deeper: " + call
	}
	return ""
}

// recentCalls returns the calls for the newest commit and for the most touched file.
func recentCalls(p Recent, o Options) string {
	calls := []string{o.Dialect.Describe(p.Commits[0].DocID, 1)}
	for _, f := range p.Files {
		if !f.Gone {
			calls = append(calls, o.Dialect.Why(f.Path))
			break
		}
	}
	if s := layout.JoinCalls(calls); s != "" {
		return "Dig deeper: " + s
	}
	return ""
}

func recentFooter(p Recent, o Options) []layout.Line {
	if s := Freshness([]api.IndexState{p.Index}, o.Dialect); s != "" {
		return []layout.Line{layout.Faint(s)}
	}
	return nil
}

// scraped returns the commit and the day of an index in words.
func scraped(g doc.Generation) string {
	s := ""
	if g.Head != "" {
		s = " of " + layout.Clip(layout.Head(g.Head, 7), 7)
	}
	if !g.ScrapedAt.IsZero() {
		s += ", scraped " + layout.Day(g.ScrapedAt)
	}
	return s
}

// An Orientation is an overview of a folder, with the state of the index.
type Orientation struct {
	describe.Overview
	Limit int // of each list
	Index api.IndexState
}

// Orient writes an overview of a folder, within the ceiling. The README comes first, then central
// files, entry points, subfolders and tests.
func Orient(w io.Writer, v Orientation, o Options) error {
	lines := []layout.Line{layout.Strong(fmt.Sprintf("%s  %s, %s", folderName(v.Folder), layout.Count(v.Files, "file"),
		layout.Count(v.Lines, "line")))}
	blocks := []block{{head: layout.Text("Languages: " + tallies(v.Languages, 6, "other text"))}}
	if len(v.Packages) > 1 {
		blocks = append(blocks, block{head: layout.Text("Packages: " + tallies(v.Packages, v.Limit, ""))})
	}
	if v.Readme != nil {
		b := block{head: layout.Text("README: " + name(*v.Readme))}
		for _, text := range excerpt(*v.Readme, maxSnippetLines, layout.MaxLine) {
			b.rest = append(b.rest, layout.Text(layout.Indent+text))
		}
		blocks = append(blocks, b)
	}
	section := func(title string, texts []string) {
		for i, text := range texts {
			b := block{head: layout.Text(layout.Indent + text)}
			if i == 0 {
				b.head.Text = title + "\n" + b.head.Text
			}
			blocks = append(blocks, b)
		}
	}
	section(centralTitle(v), centralLines(v))
	section("Entry points:", entryLines(v))
	if len(v.Folders) > 0 {
		blocks = append(blocks, block{head: layout.Text("Folders: " + tallies(v.Folders, v.Limit, ""))})
	}
	if len(v.Tests) > 0 {
		blocks = append(blocks,
			block{head: layout.Text(fmt.Sprintf("Tests: %s, in %s", layout.Count(testFiles(v.Tests), "file"),
				tallies(v.Tests, 3, ".")))})
	}
	return writeBlocks(w, lines, blocks, func(o Options) []layout.Line {
		return append([]layout.Line{layout.Faint(orientCalls(v, o))}, recentFooter(Recent{Index: v.Index}, o)...)
	}, o)
}

func folderName(folder string) string {
	if folder == "" {
		return "the whole project"
	}
	return layout.ShortPath(folder, layout.MaxLine) + "/"
}

func centralTitle(v Orientation) string {
	if v.Index.Generation.History != "" {
		return "Central, by the files that use it:"
	}
	return "Central, by the files that use it and by change:"
}

func centralLines(v Orientation) (out []string) {
	for _, c := range v.Central[:min(v.Limit, len(v.Central))] {
		var says []string
		if c.Users > 0 {
			says = append(says, "used by "+layout.Count(c.Users, "file"))
		}
		if c.Commits > 0 && v.Index.Generation.History == "" {
			says = append(says, layout.Count(c.Commits, "commit"))
		}
		out = append(out, layout.OpenPath(c.Path)+"  "+strings.Join(says, ", "))
	}
	return out
}

func entryLines(v Orientation) (out []string) {
	for _, e := range v.EntryPoints[:min(v.Limit, len(v.EntryPoints))] {
		text := layout.OpenPath(e.Path)
		if e.Symbol != "" {
			text += fmt.Sprintf(":%d %s", e.Line, layout.Clip(e.Symbol, layout.MaxName))
		}
		out = append(out, text)
	}
	if more := len(v.EntryPoints) - v.Limit; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return out
}

func testFiles(ts []describe.Tally) (n int) {
	for _, t := range ts {
		n += t.Files
	}
	return n
}

// tallies returns a text like "Go 120, Markdown 8 and 3 more". An empty name is written as unnamed.
func tallies(ts []describe.Tally, limit int, unnamed string) string {
	var parts []string
	for _, t := range ts[:min(limit, len(ts))] {
		label := layout.Middle(t.Name, 60)
		if label == "" {
			label = unnamed
		}
		parts = append(parts, fmt.Sprintf("%s %d", label, t.Files))
	}
	s := strings.Join(parts, ", ")
	if more := len(ts) - limit; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// orientCalls returns the calls for the README and for the most central file.
func orientCalls(v Orientation, o Options) string {
	var calls []string
	if v.Readme != nil {
		calls = append(calls, o.Dialect.Describe(ShownID(*v.Readme), 1))
	}
	if len(v.Central) > 0 {
		calls = append(calls, o.Dialect.Describe(v.Central[0].Path, 1))
		if v.Central[0].Commits > 0 {
			calls = append(calls, o.Dialect.Why(v.Central[0].Path))
		}
	}
	if s := layout.JoinCalls(calls); s != "" {
		return "Dig deeper: " + s
	}
	return ""
}
