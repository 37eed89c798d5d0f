package ui

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"patina/memory"
)

// find returns the first group of an expression in a text.
func find(t *testing.T, text, expression string) string {
	t.Helper()
	m := regexp.MustCompile(expression).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %q in\n%s", expression, text)
	}
	return m[1]
}

func TestNotes(t *testing.T) {
	s := siteOf(t, kettle, true)
	s.contains("/notes", "There are none yet", `action="/notes/add"`)
	s.contains("/notes?path=boil.go&symbol=Boil", `value="boil.go"`, `value="Boil"`)
	if status, text := s.post("/notes/add", url.Values{"text": {"Descale it each month. <b>"}, "type": {"gotcha"}, "tags": {"scale, water"}, "path": {"boil.go"}, "symbol": {"Boil"}}); status != http.StatusOK || !strings.Contains(text, "The note is kept.") {
		t.Errorf("status %d\n%s", status, text)
	}
	text := s.contains("/notes", "Descale it each month. &lt;b&gt;", "scale, water", "about ", "boil.go::Boil")
	id := find(t, text, `name="id" value="(m-[^"]+)"`)
	s.contains("/thing?id=boil.go::Boil", "Notes about it", "Descale it each month")
	s.contains("/thing?id=memory:"+id, "Descale it each month")
	if _, text := s.post("/notes/pin", url.Values{"id": {id}, "pin": {"1"}}); !strings.Contains(text, ">pinned<") {
		t.Errorf("it is not pinned:\n%s", text)
	}
	if _, text := s.post("/notes/pin", url.Values{"id": {id}}); strings.Contains(text, ">pinned<") {
		t.Errorf("it is still pinned:\n%s", text)
	}
	if _, text := s.post("/notes/add", url.Values{"text": {"descale it each month. <b>"}, "type": {"gotcha"}, "path": {"boil.go"}, "symbol": {"Boil"}}); !strings.Contains(text, "merged") {
		t.Errorf("the same again:\n%s", text)
	}
	for what, form := range map[string]url.Values{
		"no text": {}, "an unknown type": {"text": {"x"}, "type": {"nonsense"}},
		"a secret": {"text": {"the token is ghp_" + strings.Repeat("aB3dE5gH7", 4)}},
		"too long": {"text": {strings.Repeat("x ", memory.MaxContent)}},
	} {
		if status, text := s.post("/notes/add", form); status != http.StatusBadRequest || strings.Contains(text, "aB3dE5gH7aB3dE5gH7") {
			t.Errorf("%s: status %d\n%s", what, status, text)
		}
	}
	if _, text := s.post("/notes/end", url.Values{"id": {id}}); strings.Contains(text, id) || !strings.Contains(text, "no longer holds") {
		t.Errorf("it is not ended:\n%s", text)
	}
	s.contains("/notes?all=1", id, "ended")
	if status, _ := s.post("/notes/end", url.Values{"id": {"m-none"}}); status != http.StatusBadRequest {
		t.Errorf("an unknown note: status %d", status)
	}
}

func TestProposals(t *testing.T) {
	s := siteOf(t, kettle, true)
	text := s.contains("/part/proposals", "because a full kettle must not take longer", "Accept")
	source := find(t, text, `name="source" value="([^"]+)"`)
	if _, text := s.post("/proposals/dismiss", url.Values{"source": {source}}); !strings.Contains(text, "not proposed again") {
		t.Errorf("dismissed:\n%s", text)
	}
	s.contains("/part/proposals", "There are none")
	if _, text := s.post("/proposals/dismiss", url.Values{"source": {source}, "undo": {"1"}}); !strings.Contains(text, "is proposed again") {
		t.Errorf("taken back:\n%s", text)
	}
	text = s.contains(query("/beliefs/new", "from", source), "The new file layer/surface/epistemic/beliefs/", "because a full kettle")
	mark, id := find(t, text, `name="mark" value="([^"]+)"`), find(t, text, `name="id" value="([^"]+)"`)
	if _, text := s.post("/beliefs/write", url.Values{"from": {source}, "mark": {mark}}); !strings.Contains(text, "The belief is written.") {
		t.Errorf("accepted:\n%s", text)
	}
	b, err := os.ReadFile(filepath.Join(s.root, "layer/surface/epistemic/beliefs", id+".md"))
	must(t, err)
	if !strings.Contains(string(b), "because a full kettle must not take longer") {
		t.Errorf("%s", b)
	}
	if status, _ := s.post("/proposals/dismiss", url.Values{"source": {"boil.go:999"}}); status != http.StatusBadRequest {
		t.Errorf("an unknown source: status %d", status)
	}
}

// A belief is written only as it was shown.
func TestWriteBelief(t *testing.T) {
	s := siteOf(t, kettle, true)
	fields := []string{"id", "lid-on", "statement", "The lid stays on while water boils.", "facets", "safety", "supports", "no-dry-boil"}
	text := s.contains(query("/beliefs/new", fields...), "The new file layer/surface/epistemic/beliefs/lid-on.md", "The lid stays on", "no-dry-boil")
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	form.Set("mark", find(t, text, `name="mark" value="([^"]+)"`))
	file := filepath.Join(s.root, "layer/surface/epistemic/beliefs/lid-on.md")
	other := url.Values{"mark": form["mark"], "id": form["id"], "statement": {"The lid is taken off while water boils."}}
	if status, text := s.post("/beliefs/write", other); status != http.StatusBadRequest || !strings.Contains(text, "not the one that was shown") {
		t.Errorf("another file: status %d\n%s", status, text)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was written all the same")
	}
	if _, text := s.post("/beliefs/write", form); !strings.Contains(text, "The lid stays on while water boils.") {
		t.Errorf("written:\n%s", text)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	s.contains("/part/standing?id=belief:no-dry-boil", "lid-on")
	for name, want := range map[string]string{
		query("/beliefs/new", "id", "lid-on", "statement", "Again."):           "there is a belief",
		query("/beliefs/new", "id", "../../x", "statement", "Away from here."): "is no id",
		query("/beliefs/new", "id", "x"):                                       "A new belief",
	} {
		if text := s.contains(name, want); strings.Contains(text, `name="mark"`) {
			t.Errorf("%s: it offers a file", name)
		}
	}
}
