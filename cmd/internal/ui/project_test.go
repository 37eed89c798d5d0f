package ui

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"patina/ask/project"
	"patina/registry/mother"
	"patina/scrape"
	"patina/scrape/scrapetest"
)

// parts are the panels of the page of a project.
var parts = []string{"state", "doctor", "hot", "days", "decisions", "packages", "beliefs", "mother"}

func TestProjectPage(t *testing.T) {
	files := map[string]string{
		"layer/surface/epistemic/beliefs/lid-on.md": "---\ntype: belief\nid: lid-on\nstatus: active\nextracted: 2026-03-04\n---\n\n# lid-on\n\nThe lid stays on.\n\n## Supports\n\n- [[no-dry-boil]]\n\n## Attacks\n\n- [[steam-is-free]]\n",
		"docs/adr/0001-electric.md":                 "# 1. Electric heating\n\nDate: 2026-02-01\n\n## Status\n\nAccepted\n\n## Decision\n\nWe heat by electricity.\n",
	}
	for name, text := range kettle {
		files[name] = text
	}
	s := siteOf(t, files, true)
	page := s.contains("/project", `aria-current="page">Project`, "Packages by imports", "Beliefs by support and attack")
	for _, name := range parts {
		if !strings.Contains(page, `hx-get="/part/project-`+name+`?`) {
			t.Errorf("no panel %s", name)
		}
	}
	s.contains("/part/project-state", "<dt>commits</dt><dd>1</dd>", "<dt>branch</dt>")
	s.contains("/part/project-doctor", `<span class="kind">ok</span> git: `)
	s.contains("/part/project-hot", "by commits", "boil.go", "1 commit", "by importers and callers", "/thing?id=boil.go")
	s.contains("/part/project-days", "feat: the kettle boils", "/thing?id=commit%3A")
	s.contains("/part/project-decisions", "March 2026", "The lid stays on.", "/thing?id=belief%3Alid-on")
	s.contains("/part/project-packages", `class="drawing"`, `class="edge imports"`, ">tea</text>", `href="/thing?id=tea"`, "as it fits")
	s.contains("/part/project-packages?depth=1", `<span aria-current="true">top folders</span>`)
	s.contains("/part/project-packages?depth=99999999999999999999", "class=\"graph\"")
	s.contains("/part/project-beliefs", `class="edge supports"`, `class="edge attacks"`, `class="bar"`, `href="/thing?id=belief%3Ano-dry-boil"`, "standing")
	s.contains("/part/project-mother", "no link: patina repo suggest", `class="node"`)
	s.contains("/thing?id=boil.go::Boil", `hx-get="/part/around?id=boil.go%3A%3ABoil"`, `hx-trigger="intersect once"`)
	s.contains("/part/around?id=boil.go::Boil", `class="node centre"`, ">heat</text>", ">Brew</text>", `class="edge about`,
		`href="/thing?id=boil.go%3A%3Aheat&amp;walk=boil.go%3A%3ABoil"`, "patina graph")
	if _, text := s.get("/part/around?id=nothing.go"); !strings.Contains(text, "no document") {
		t.Error(text)
	}
	for _, name := range parts { // a whole answer has one root, and brings neither style nor script
		if _, text := s.get("/part/project-" + name); strings.Contains(text, "<style") || strings.Contains(text, "<script") ||
			regexp.MustCompile(`\sstyle="`).MatchString(text) {
			t.Errorf("%s has what the policy forbids:\n%s", name, text)
		}
	}
}

// Two repositories with a link: the drawing has its weight and its use, and leads to the other one.
func TestProjectPageOfLinkedRepositories(t *testing.T) {
	s := siteOf(t, kettle, true)
	place := s.server.Place
	other := t.TempDir()
	scrapetest.Tree(t, other, map[string]string{"water.go": "package water\n\nfunc Flow() {}\n"})
	there, err := project.At(other, "")
	must(t, err)
	_, err = project.Scrape(t.Context(), there, scrape.Options{}, func(error) {})
	must(t, err)
	there, err = project.At(other, "")
	must(t, err)
	must(t, mother.Link(t.Context(), place.Home, mother.Edge{From: place.ID, To: there.ID, Relation: "USES", Weight: 1.2}))
	s.contains("/part/project-mother", "uses, weight 1.20", `class="edge other"`, "/project?repo=")
	s.contains(query("/project", "repo", other), "The project "+other, "repo=")
	s.contains(query("/part/project-hot", "repo", other), "no code is in the index")
}

// Each panel says what is missing, and how to get it.
func TestProjectPageWithoutData(t *testing.T) {
	t.Run("no index", func(t *testing.T) {
		s := siteOf(t, kettle, false)
		if text := s.contains("/project", "There is no index of this project yet", "patina scrape"); strings.Contains(text, "Packages by imports") {
			t.Errorf("places for what an index has:\n%s", text)
		}
		s.contains("/part/project-doctor", `<span class="kind">fail</span> index: `, "patina scrape")
		for _, name := range []string{"state", "hot", "days", "decisions", "packages", "beliefs"} {
			s.contains("/part/project-"+name, "no index", "patina scrape")
		}
	})
	t.Run("an empty repository", func(t *testing.T) {
		s := siteOf(t, nil, true)
		for name, want := range map[string]string{
			"state": "<dt>files</dt><dd>0</dd>", "hot": "no code is in the index: patina scrape", "days": "no commit is in the index",
			"decisions": "no decision record is in the index: a file such as docs/adr/", "packages": "no code is in the index: patina scrape",
			"beliefs": "no belief is written down: patina belief add",
		} {
			s.contains("/part/project-"+name, want)
		}
	})
}

// Of 2,000 callers a drawing shows 39, and says so.
func TestAroundIsCut(t *testing.T) {
	var b strings.Builder
	b.WriteString("package hub\n\nfunc Hub() {}\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "\nfunc Caller%04d() { Hub() }\n", i)
	}
	s := siteOf(t, map[string]string{"hub.go": b.String(), "go.mod": "module hub\n"}, true)
	page := s.contains("/part/around?id=hub.go::Hub", "40 of 2,001 shown: the nearest, then those with most weight")
	if n := strings.Count(page, `class="node`); n != 40 {
		t.Errorf("%d boxes", n)
	}
	if len(page) > 60_000 {
		t.Errorf("%d bytes", len(page))
	}
}

// Names of a repository stay text in a drawing.
func TestProjectPageOfHostileRepository(t *testing.T) {
	s := siteOf(t, map[string]string{
		"go.mod":                     "module a\n",
		`<b onclick=x>/"'&/<i>.go`:   "package i\n\nimport \"a/c\"\n\nfunc Evil() { c.C() }\n",
		"c/c.go":                     "package c\n\nfunc C() {}\n",
		"layer/surface/beliefs/x.md": "---\ntype: belief\nid: x\nstatus: \"</svg><script>alert(1)</script>\"\n---\n# x\n\n<script>alert(2)</script> c/c.go\n\n## Attacks\n\n- [[\u202e</text><script>]]\n",
	}, true)
	for _, path := range []string{
		"/part/project-packages", "/part/project-beliefs", "/part/project-decisions", "/part/project-hot", "/part/project-days",
		"/part/around?id=c/c.go", query("/part/around", "id", "c/c.go::C"), query("/part/around", "id", "belief:x"),
	} {
		status, text := s.get(path)
		if status != http.StatusOK || strings.Contains(text, "<script") || strings.Contains(text, "<b onclick") || strings.Contains(text, "\u202e") {
			t.Errorf("%s: status %d\n%s", path, status, text)
		}
	}
	s.contains("/part/project-packages", "&lt;b onclick=x&gt;")
}
