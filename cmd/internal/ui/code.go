package ui

import (
	"context"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/ui/paint"
	"patina/scrape/git"
	"patina/store/doc"
)

const (
	windowLines = 400                    // lines of a text that are sent at once
	lineBytes   = 2000                   // of a line; a longer one is cut
	paintTime   = 150 * time.Millisecond // for the colours of one window
	blameTime   = 10 * time.Second       // for git to say who changed the lines
)

func init() { addRoute("GET /part/code", (*view).codePart) }

// A codeLine is one line of a text.
type codeLine struct {
	Number int
	HTML   template.HTML // of package paint
	Link   string        // of the line; empty in the page of the text
	Cut    int           // bytes left out at the end
	Meant  bool          // the address names it
	Blame  *blame        // of it and the lines after it; nil there, or if it is not known
}

// A blame is the commit that changed some lines.
type blame struct{ Short, Author, Day, Title, Link string }

// coloured returns lines in the colours of a language, each with a link into its file.
func coloured(language string, lines []doc.Line, t trail, path string) (out []codeLine) {
	texts, cut := make([]string, len(lines)), make([]int, len(lines))
	for i, l := range lines {
		text := layout.Body(strings.TrimSuffix(l.Text, "\r"))
		if kept := layout.Head(text, lineBytes); kept != text {
			text, cut[i] = kept, len(text)-len(kept)
		}
		texts[i] = text
	}
	for i, html := range paint.Lines(language, strings.Join(texts, "\n"), paintTime) {
		if i == len(lines) {
			break
		}
		l := codeLine{Number: lines[i].Number, HTML: template.HTML(html), Cut: cut[i]}
		if path != "" {
			l.Link = t.link(path, lines[i].Number)
		}
		out = append(out, l)
	}
	return out
}

// A window is the part of a text that is shown.
type window struct {
	Lines         []codeLine
	First, Last   int    // lines of the text, as numbered
	Total         int    // number of lines of the text
	Before, After string // addresses of the parts before and after; empty at the ends
	Blame         string // address of the part with its commits; empty if it has them
	Blamed        bool
	Note          string // why there are no commits
	Diff          bool
}

// textOf returns the text of a document, and the number of its first line.
func textOf(d *api.DetailAnswer) (text string, first int) {
	if d.Path == "" && d.Diff != "" {
		return d.Diff, 1
	}
	return d.Body, max(d.First, 1)
}

// windowOf returns the part of a text around a line, or from a line on if from is above 0.
func windowOf(d *api.DetailAnswer, t trail, from, line int) window {
	text, first := textOf(d)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return window{}
	}
	last := first + len(lines) - 1
	if from <= 0 {
		from = first
		if line > first+windowLines*3/4 {
			from = line - windowLines/4
		}
	}
	from = min(max(from, first), last)
	to := min(from+windowLines-1, last)
	var shown []doc.Line
	for n := from; n <= to; n++ {
		shown = append(shown, doc.Line{Number: n, Text: lines[n-first]})
	}
	language := d.Language
	if d.Path == "" {
		language = "diff"
	}
	w := window{First: from, Last: to, Total: len(lines), Diff: d.Path == ""}
	w.Lines = coloured(language, shown, t, "")
	for i := range w.Lines {
		w.Lines[i].Meant = line > 0 && w.Lines[i].Number == line
	}
	at := func(from int, blamed bool) string {
		q := t.values(d.DocID)
		q.Set("from", strconv.Itoa(from))
		if line > 0 {
			q.Set("line", strconv.Itoa(line))
		}
		if blamed {
			q.Set("blame", "1")
		}
		return "/part/code?" + q.Encode()
	}
	if from > first {
		w.Before = at(max(first, from-windowLines), d.Path != "")
	}
	if to < last {
		w.After = at(to+1, d.Path != "")
	}
	if d.Path != "" {
		w.Blame = at(from, true)
	}
	return w
}

// codePart writes a part of the text of a document, with the commits of its lines if the address
// asks for them.
func (v *view) codePart() error {
	from, line := numberArgument(v.query, "from"), numberArgument(v.query, "line")
	t := trailOf(v.query)
	var w window
	err := v.lookUp("detail", blameTime, func(ctx context.Context, c *ask.Call, e api.Service) error {
		d, err := e.Detail(ctx, api.DetailRequest{ReadOptions: c.Within(), DocID: v.query.Get("id"), Diff: true})
		if err != nil {
			return c.NotFound(ctx, e, err, "document", v.query.Get("id"))
		}
		w = windowOf(d, t, from, line)
		if v.query.Get("blame") != "" && d.Path != "" {
			w.addBlame(ctx, c, d, t)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.part("code", w)
}

// addBlame adds the commits that changed the lines of a window. If they are not known, it says why.
func (w *window) addBlame(ctx context.Context, c *ask.Call, d *api.DetailAnswer, t trail) {
	w.Blame, w.Blamed = "", true
	if len(w.Lines) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, blameTime)
	defer cancel()
	found, err := c.Place.Blame(ctx, d.Path, w.First, w.Last)
	if err != nil {
		w.Note = "who changed the lines is not known: " + layout.OneLine(err.Error())
		return
	}
	text, first := textOf(d)
	lines := strings.Split(text, "\n")
	last, edited := git.Blamed{}, false
	for i := range w.Lines {
		b, ok := found[w.Lines[i].Number]
		if at := w.Lines[i].Number - first; !ok || at >= len(lines) || strings.TrimSuffix(lines[at], "\r") != strings.TrimSuffix(b.Text, "\r") {
			last, edited = git.Blamed{}, true
			continue
		}
		if b.SHA != last.SHA {
			w.Lines[i].Blame = &blame{
				Short: b.SHA[:7], Author: layout.Clip(b.Author, 24), Day: layout.Day(b.Time),
				Title: layout.Clip(b.Subject, 120), Link: t.past(d.DocID).link(doc.CommitID(b.SHA), 0),
			}
		}
		last = b
	}
	if edited {
		w.Note = "lines without a commit are not as they were committed"
	}
}

// numberArgument returns a number of an address, or 0.
func numberArgument(q url.Values, name string) int {
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// RangeText returns the lines that a window has, in words.
func (w window) RangeText() string {
	if w.Total == 0 {
		return "no lines"
	}
	if w.First == w.Last {
		return fmt.Sprintf("line %d", w.First)
	}
	return fmt.Sprintf("lines %d–%d", w.First, w.Last)
}
