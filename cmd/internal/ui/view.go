package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/print"
	"patina/registry/querylog"
	"patina/store"
)

// callTime is the longest wait for an answer, unless the user has set another one.
const callTime = 20 * time.Second

// A view is one request, and the warnings that its page will show.
type view struct {
	*Server
	w        http.ResponseWriter
	r        *http.Request
	query    url.Values
	isPart   bool // the answer is a part of a page
	begun    bool // the header is written
	warnings []string
}

// showPage answers a request by a page. An error becomes a page that names the way out.
func (s *Server) showPage(w http.ResponseWriter, r *http.Request, show func(*view) error) {
	v := &view{Server: s, w: w, r: r, query: r.URL.Query(), isPart: strings.HasPrefix(r.URL.Path, "/part/")}
	if err := show(v); err != nil {
		v.fail(err)
	}
}

// beginCall begins a call in the project that the address names, or else in that of the server.
// mode is the form of the answer in the query log.
func (v *view) beginCall(mode string, atLeast time.Duration) (*ask.Call, error) {
	return v.beginCallWith(ask.Options{LooksUp: true, Repos: v.repos(), AtLeast: atLeast, Sent: querylog.Delivery{Mode: mode}})
}

// repos returns the projects that the address names.
func (v *view) repos() []string { return nonEmpty(v.query["repo"]) }

func nonEmpty(values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(s string) bool { return strings.TrimSpace(s) == "" })
}

// beginCallWith is beginCall with other options.
func (v *view) beginCallWith(o ask.Options) (*ask.Call, error) {
	o.Place, o.Engines, o.Mother, o.Resident, o.Patience = v.Place, v.engines(), v.mother, true, callTime
	o.Sent.Tool, o.Sent.Client = "ui", "ui"
	o.Warn = func(format string, args ...any) {
		v.warnings = append(v.warnings, layout.OneLine(fmt.Sprintf(format, args...)))
	}
	return ask.Begin(o)
}

// ask begins a call, asks, and returns the answer. An error has hints.
func (v *view) ask(mode string, atLeast time.Duration, r ask.Request) (*ask.Call, *ask.Answer, error) {
	c, err := v.beginCall(mode, atLeast)
	if err != nil {
		return nil, nil, err
	}
	a, err := c.Ask(v.r.Context(), r)
	return c, a, explain(err, c)
}

// lookUp begins a call and passes an engine to f.
func (v *view) lookUp(mode string, atLeast time.Duration, f func(context.Context, *ask.Call, api.Service) error) error {
	c, err := v.beginCall(mode, atLeast)
	if err != nil {
		return err
	}
	return explain(c.Read(v.r.Context(), func(e api.Service) error { return f(v.r.Context(), c, e) }), c)
}

// explain adds hints to the error of a call. It returns nil for nil.
func explain(err error, c *ask.Call) error {
	if err == nil {
		return nil
	}
	return print.ExplainError(err, c, print.ShellDialect(c, ""))
}

// A frame is the part of a page around its own content.
type frame struct {
	Title    string
	Project  string
	At       string // the name of the current entry of the menu
	Menu     []menuEntry
	Asked    string // the question in the field of the head
	Form     string // the value that each form of a change sends
	Body     any
	Warnings []string
	Done     string // the change that led here, in words
	Unread   string // the folder of the project, if it has no index yet
}

// A menuEntry leads to a page from every other one.
type menuEntry struct {
	Name, Link string
	Order      int
}

// menu has the entries, in the order of their numbers. The files of the pages add them.
var menu []menuEntry

// addMenu adds an entry.
func addMenu(order int, name, link string) {
	menu = append(menu, menuEntry{name, link, order})
	slices.SortFunc(menu, func(a, b menuEntry) int { return a.Order - b.Order })
}

// page writes a whole page: the template called name, in a frame. at is the current entry of the
// menu.
func (v *view) page(name, title, at string, body any) error {
	return v.writeTemplate(http.StatusOK, name, frame{Title: title, At: at, Body: body})
}

// part writes a part of a page.
func (v *view) part(name string, body any) error {
	return v.writeTemplate(http.StatusOK, name, frame{Body: body})
}

func (v *view) writeTemplate(status int, name string, f frame) error {
	f.Project, f.Menu, f.Form, f.Asked = v.Place.Name, menu, v.guard.formToken(), v.query.Get("q")
	f.Warnings, f.Done = v.warnings, doneWords[v.query.Get("done")]
	if v.Place.Far == "" && !v.Place.Published() {
		f.Unread = layout.Plain(v.Place.Root)
	}
	var b bytes.Buffer
	if err := v.templates.ExecuteTemplate(&b, name, f); err != nil {
		return err
	}
	if !v.begun {
		v.begun = true
		v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		v.w.WriteHeader(status)
	}
	_, _ = v.w.Write(b.Bytes())
	return nil
}

// A problem is an error as a page shows it.
type problem struct {
	Text  string
	Hints []string
	Again string // the address of the part, if a second try may have another end
}

// fail writes an error. In a part of a page it has status 200, because the page has another one.
func (v *view) fail(err error) {
	if v.r.Context().Err() != nil { // nobody waits
		return
	}
	p := problemOf(err)
	status, name := statusOf(err), "problem"
	if v.isPart {
		switch {
		case v.query.Get("blame") != "": // the lines, or a link to them, are there already
			v.w.Header().Set("HX-Reswap", "beforeend")
		case status == http.StatusGatewayTimeout, status == http.StatusServiceUnavailable:
			p.Again = v.r.URL.RequestURI()
		}
		status, name = http.StatusOK, "problem-part"
	}
	if v.writeTemplate(status, name, frame{Title: "not shown", Body: p}) != nil {
		sendRefusal(v.w, http.StatusInternalServerError, p.Text)
	}
}

func problemOf(err error) problem {
	p := problem{Text: layout.OneLine(layout.Head(err.Error(), 4<<10))}
	var h project.HintedError
	if errors.As(err, &h) {
		for _, hint := range h.Hints() {
			p.Hints = append(p.Hints, layout.OneLine(hint))
		}
	}
	return p
}

// statusOf returns the status of a page that shows an error.
func statusOf(err error) int {
	_, late := errors.AsType[*ask.LateError](err)
	_, unknown := errors.AsType[*ask.NotFoundError](err)
	_, outside := errors.AsType[*project.OutsideError](err)
	_, belief := errors.AsType[*ask.NoBeliefError](err)
	switch {
	case unknown, belief, outside:
		return http.StatusNotFound
	case late:
		return http.StatusGatewayTimeout
	case errors.Is(err, store.ErrNoIndex), errors.Is(err, store.ErrForeign):
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// doneWords are the changes that may lead to a page, by their names in its address.
var doneWords = map[string]string{
	"added": "The note is kept.", "merged": "A note said the same: the two are merged.", "pinned": "The note is pinned.",
	"unpinned": "The note fades with age again.", "ended": "The note no longer holds. It stays in its history.",
	"dismissed": "The sentence is not proposed again.", "proposed": "The sentence is proposed again.",
	"written": "The belief is written. The next question finds it, and it is for you to commit.",
}

// redirect leads to another page after a change. done is a name in doneWords.
func (v *view) redirect(path string, q url.Values, done string) error {
	q.Set("done", done)
	http.Redirect(v.w, v.r, localPath(path, q), http.StatusSeeOther)
	return nil
}

// parseTemplates reads the templates of the pages.
func (s *Server) parseTemplates() (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{
		"static":  s.staticLink,
		"plain":   layout.Plain,
		"clip":    func(most int, text string) string { return layout.Clip(text, most) },
		"percent": func(x float64) string { return fmt.Sprintf("%.1f", 100*min(max(x, 0), 1)) },
		"first":   func(all []edge) []edge { return all[:min(len(all), openEdges)] },
		"rest":    func(all []edge) []edge { return all[min(len(all), openEdges):] },
	}).ParseFS(templateFiles, "templates/*.html")
}
