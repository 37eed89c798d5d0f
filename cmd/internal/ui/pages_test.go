package ui

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/ask/project"
	"patina/scrape"
	"patina/scrape/git"
	"patina/scrape/scrapetest"
)

// query returns an address with arguments.
func query(path string, args ...string) string {
	q := url.Values{}
	for i := 0; i < len(args); i += 2 {
		q.Add(args[i], args[i+1])
	}
	return path + "?" + q.Encode()
}

func TestPages(t *testing.T) {
	s := siteOf(t, kettle, true)
	s.contains("/", `name="q"`, "belief", "commit", `action="/"`)
	s.contains("/?q=what+heats+water&kind=code", `hx-get="/part/answers?kind=code&amp;q=what`, `value="what heats water"`)
	s.contains("/part/answers?q=what+heats+water", "boil.go", "/thing?ask=", "heats water", "/rank?id=boil.go")
	s.contains("/part/answers?q=quantum+blockchain+kubernetes+zebra", "nothing")
	s.contains("/part/answers?q=water&kind=nonsense", "unknown content type", "there are:")
	s.contains("/part/answers?q=water&lang=nonsense", "unknown language")
	s.contains("/thing?id=boil.go::Boil&walk=tea/tea.go&ask=q%3Dwater", "Who calls it", "What it calls",
		`<span class="k">func</span>`, "“water”", ">tea/tea.go</a>", "whole file")
	s.contains("/part/callers?id=boil.go::Boil", "Brew", `class="certain"`, "tea/tea.go:6", "walk=boil.go%3A%3ABoil")
	s.contains("/part/callees?id=boil.go::Boil", "heat")
	s.contains("/part/outline?id=boil.go", "Boil", "heat")
	s.contains("/part/imports?id=tea/tea.go", "kettle")
	s.contains("/part/importers?id=boil.go", "tea/tea.go")
	s.contains("/part/history?id=boil.go", "because a full kettle", "commit:")
	s.contains("/part/impact?id=boil.go", "The kettle is never boiled without water", "it does not hold now: 1 check of it failed")
	s.contains("/part/code?id=boil.go&blame=1", "/thing?id=commit%3A", "the kettle boils")
	s.contains("/thing?id=belief:no-dry-boil", "never boiled", "What moves its standing")
	s.contains("/part/standing?id=belief:no-dry-boil", "standing")
	s.contains("/part/reach?id=belief:no-dry-boil", "boil.go", "cites")
	s.contains("/part/bears?id=belief:no-dry-boil", "evidence")
	tree, err := git.Find(s.root)
	must(t, err)
	commit, _, err := tree.Head()
	must(t, err)
	s.contains("/thing?id=commit:"+commit[:12], "because a full kettle", `<span class="a">`, "Files it touches")
	text := s.contains("/part/answers?q=whistle+wakes+the+house&kind=session", "session")
	s.contains(html.UnescapeString(find(t, text, `data-step href="([^"]+)"`)), "took it off", "session")
	s.contains("/thing?id=pattern:docs/kettle.md%23safety", "Never boil it dry", "whole file")
	s.contains("/rank?q=what+heats+water&id=boil.go", "Rank 1 of", "the words of the question in it", "lexical", "/part/without?")
	s.contains("/part/without?q=what+heats+water&id=boil.go", "Without", "rank")
	s.contains("/thing?id=tea", "tea/", "Central files", "tea/tea.go", "1 file")
	for path, want := range map[string]string{
		"/thing?id=none.go":          "no document",
		"/thing?id=../../etc/passwd": "outside",
		"/thing?id=/etc/passwd":      "outside",
	} {
		if status, text := s.get(path); status != http.StatusNotFound && status != http.StatusBadRequest || !strings.Contains(text, want) ||
			strings.Contains(text, "root:x") {
			t.Errorf("%s: status %d\n%s", path, status, text)
		}
	}
}

// Each view says what is missing, and how to get it.
func TestViewsWithoutData(t *testing.T) {
	t.Run("no index", func(t *testing.T) {
		s := siteOf(t, kettle, false)
		s.contains("/", `name="q"`)
		s.contains("/part/answers?q=water", "no index", "patina scrape", `hx-get="/part/answers?q=water"`, "Try again")
		text := s.contains("/part/code?id=boil.go&blame=1", "no index")
		if strings.Contains(text, "Try again") { // a second answer would double the lines above it
			t.Errorf("a button beside lines that are there:\n%s", text)
		}
		if status, text := s.get("/thing?id=boil.go"); status != http.StatusServiceUnavailable || !strings.Contains(text, "patina scrape") {
			t.Errorf("status %d\n%s", status, text)
		}
		if _, err := os.Stat(filepath.Join(s.root, ".patina")); err == nil {
			t.Error("looking has made an index")
		}
	})
	t.Run("an empty repository", func(t *testing.T) {
		s := siteOf(t, nil, true)
		s.contains("/part/answers?q=water", "nothing found")
	})
	t.Run("no layer", func(t *testing.T) {
		s := siteOf(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"}, true)
		s.contains("/part/answers?q=A&kind=belief", "nothing found")
		s.contains("/part/impact?id=a.go", "no belief, decision or rule is known to be about it")
		s.contains("/part/callers?id=a.go::A", "nothing in the index calls it")
	})
}

// Names and texts of a repository stay text.
func TestHostileRepository(t *testing.T) {
	name := `<img src=x onerror=alert(1)>"'.go`
	files := map[string]string{
		name:       "package a\n\n// <script>alert(1)</script> \u202Egnp.exe\u202C heats water\nfunc Evil() {}\n\nvar s = `</td></table><svg onload=alert(2)>`\n",
		"long.go":  "package a\n\n// Long heats water.\nfunc Long() {}\n\nvar x = \"" + strings.Repeat("<b>", 350_000) + "\"\n",
		"pic.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(3)</script><text>heats water</text></svg>`,
		"doc.md":   "# [click](javascript:alert(4)) water\n\n<iframe src=//example.org></iframe> heats water\n",
		"zero.txt": "heats water \u200b\u2066 hidden\n",
	}
	s := siteOf(t, files, true)
	for _, path := range []string{
		"/part/answers?q=what+heats+water", query("/thing", "id", name), query("/thing", "id", name+"::Evil", "walk", `"><script>x`),
		"/thing?id=long.go", "/thing?id=pic.svg", "/thing?id=doc.md", "/thing?id=zero.txt", query("/part/history", "id", name),
		query("/part/outline", "id", name), query("/", "q", `"><script>alert(5)</script>`, "path", `"><script>`, "kind", `<script>`),
		query("/part/answers", "q", `"><script>alert(5)</script>`), query("/thing", "id", `"><script>alert(6)</script>`),
		query("/rank", "id", name, "q", "what heats water"), query("/part/code", "id", name, "blame", "1"),
	} {
		_, text := s.get(path)
		for _, bad := range []string{"<script>", "<svg onload", "<img", "<iframe", "onerror=alert(1)>", "\u202E", "\u2066", `href="javascript`, "<b><b>"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q stands in it", path, bad)
			}
		}
		if len(text) > 200_000 {
			t.Errorf("%s: %d bytes", path, len(text))
		}
	}
	if _, text := s.get("/thing?id=zero.txt"); !strings.Contains(text, `\u200b`) {
		t.Errorf("a hidden character is not shown:\n%s", text)
	}
}

// A long file comes in parts, each of which leads to the next.
func TestLongFile(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n")
	for range 20_000 {
		b.WriteString("var _ = \"a line of a long file\"\n")
	}
	s := siteOf(t, map[string]string{"long.go": b.String()}, true)
	text := s.contains("/thing?id=long.go", `id="L1"`, `id="L400"`, "from=401", "of 20001")
	if strings.Contains(text, `id="L401"`) || len(text) > 250_000 {
		t.Errorf("%d bytes", len(text))
	}
	s.contains("/part/code?id=long.go&from=20000&blame=1", `id="L20001"`, "from=19600")
	s.contains("/thing?id=long.go&line=15000", `class="meant"`, `id="L15000"`, "Lines before", "Lines after")
}

// Another project may be asked, too. Its results lead into it, and so do the steps from there.
func TestAnotherProject(t *testing.T) {
	s := siteOf(t, kettle, true)
	other := filepath.Join(t.TempDir(), "stove")
	must(t, os.Mkdir(other, 0o755))
	scrapetest.Tree(t, other, map[string]string{"stove.go": "package stove\n\n// Glow heats the plate red.\nfunc Glow() { light() }\n\nfunc light() {}\n"})
	scrapetest.Git(t, other, "init", "-q")
	place, err := project.At(other, "")
	must(t, err)
	_, err = project.Scrape(t.Context(), place, scrape.Options{}, func(error) {})
	must(t, err)
	s.contains("/", `<option value="stove">`)
	text := s.contains(query("/part/answers", "q", "what heats the plate red", "repo", "stove"), "stove.go", "in stove")
	link := html.UnescapeString(find(t, text, `data-step href="([^"]+repo=[^"]+)"`))
	text = s.contains(link, "in the project stove", "Glow", `hx-get="/part/callees?`)
	if strings.Contains(text, "keep a note") {
		t.Error("it offers a note in a project that is only asked")
	}
	callees := html.UnescapeString(find(t, text, `hx-get="(/part/callees[^"]+)"`))
	s.contains(callees, "light", "repo=")
	if status, text := s.get("/thing?id=stove.go"); status != http.StatusNotFound || !strings.Contains(text, "no document") {
		t.Errorf("at home: status %d\n%s", status, text)
	}
	s.contains("/part/answers?q=water&repo=nonsense", "no project &#34;nonsense&#34;")
}

// The surroundings of a function with 2,000 callers are cut, and say so.
func TestLargeNeighbourhoodIsCut(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n\nfunc Hub() {}\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "\nfunc F%04d() { Hub() }\n", i)
	}
	s := siteOf(t, map[string]string{"hub.go": b.String()}, true)
	text := s.contains("/part/around?id=hub.go::Hub", "of 2,001 shown")
	if n := strings.Count(text, "<a "); n > 45 || len(text) > 100_000 {
		t.Errorf("%d boxes, %d bytes", n, len(text))
	}
	text = s.contains("/part/callers?id=hub.go::Hub", "more")
	if n := strings.Count(text, "<li"); n > mostEdges {
		t.Errorf("%d callers are listed", n)
	}
}
