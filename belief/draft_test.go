package belief

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var written = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// A draft is read back unchanged.
func TestDraft(t *testing.T) {
	d := Draft{
		ID: "sync-first", Statement: "Prefer blocking code: over async [here].", Facets: []string{"rust", "io"},
		Entrenchment: "high",
		Evidence:     []string{"commit-0dd3b9ca: it was slow", "src/db.rs", "app/[id]/page.ts: [[x]]"},
		Supports:     []string{"measure-first"}, Attacks: []string{"async-by-default"}, Day: written,
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	if why := Broken(d.Text()); why != "" {
		t.Fatalf("%s:\n%s", why, d.Text())
	}
	b := Parse("layer/surface/beliefs/sync-first.md", d.Text())
	got := fmt.Sprintf("%s|%s|%s|%v|%g|%s|%v|%v|%v|%d", b.ID, b.Statement, b.Status, b.Facets, b.Entrenchment,
		b.Revised, b.Evidence, b.Supports[0].Target, b.Attacks[0].Target, b.Revisions)
	want := "sync-first|Prefer blocking code: over async [here].|active|[rust io]|0.8|2026-03-04|[{commit-0dd3b9ca -1 18} {src/db.rs -1 19} {app/[id]/page.ts -1 20}]|measure-first|async-by-default|1"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestDraftCheck(t *testing.T) {
	good := Draft{ID: "x", Statement: "X holds."}
	for name, change := range map[string]func(*Draft){
		"no id":           func(d *Draft) { d.ID = "" },
		"a path":          func(d *Draft) { d.ID = "../../etc/passwd" },
		"a hidden file":   func(d *Draft) { d.ID = ".x" },
		"capitals":        func(d *Draft) { d.ID = "X" },
		"a commit":        func(d *Draft) { d.ID = "deadbeef" },
		"a prefix":        func(d *Draft) { d.ID = "belief-x" },
		"an escape":       func(d *Draft) { d.Statement = "a \x1b[2J" },
		"a long id":       func(d *Draft) { d.ID = strings.Repeat("x", 81) },
		"no statement":    func(d *Draft) { d.Statement = " " },
		"two lines":       func(d *Draft) { d.Statement = "a\nb" },
		"a heading":       func(d *Draft) { d.Statement = "# a" },
		"a fence":         func(d *Draft) { d.Statement = "```verify" },
		"an odd weight":   func(d *Draft) { d.Entrenchment = "1.5" },
		"a broken link":   func(d *Draft) { d.Evidence = []string{"a]] b"} },
		"a double link":   func(d *Draft) { d.Evidence = []string{"app/[[...slug]]/page.ts"} },
		"empty evidence":  func(d *Draft) { d.Evidence = []string{": words"} },
		"an odd facet":    func(d *Draft) { d.Facets = []string{"a]"} },
		"an empty target": func(d *Draft) { d.Supports = []string{""} },
		"an odd target":   func(d *Draft) { d.Attacks = []string{"a\nb"} },
	} {
		d := good
		if change(&d); d.Check() == nil {
			t.Errorf("%s: %+v is written", name, d)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

// A text that Parse accepts may still not be written.
func TestCheckFile(t *testing.T) {
	whole := Draft{ID: "x-y", Statement: "PROMPT", Day: written, Whole: true}
	for text, want := range map[string]string{
		strings.Replace(whole.Text(), "PROMPT", "It holds.", 1):     "",
		strings.Replace(whole.Text(), "PROMPT", "<!-- here -->", 1): "no statement",
		"no front matter\n":                                                   "no front matter",
		"---\nid: x\nstatus: done\n---\n\nIt holds.\n":                        `line 3: status "done"`,
		"---\nid: x\n---\n\nIt holds.\n\n## Attacks\n- [[X]]\n":               "line 8: it supports or attacks itself",
		"---\nid: x\n---\n\n" + strings.Repeat("x", 17_000) + "\n":            "its statement is longer",
		"---\nid: x\n---\n\nIt holds.\n" + strings.Repeat("It does.\n", 8000): "want at most 65536",
	} {
		err := CheckFile(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

// Any draft that passes Check is read back unchanged.
func FuzzDraft(f *testing.F) {
	f.Add("x", "X holds.", "word", "src/x.go: why", "y")
	f.Add("a-b", "---", "a b", "[[x]]", "belief:z")
	f.Fuzz(func(t *testing.T, id, statement, facet, evidence, supports string) {
		d := Draft{
			ID: id, Statement: statement, Facets: []string{facet}, Evidence: []string{evidence},
			Supports: []string{supports}, Day: written,
		}
		if d.Check() != nil {
			return
		}
		b := Parse("layer/beliefs/x.md", d.Text())
		if b.ID != id || len(b.Evidence) != 1 || len(b.Supports) != 1 ||
			!slices.Equal(strings.Fields(b.Statement), strings.Fields(Clip(statement))) {
			t.Errorf("%+v\nread as %+v", d, b)
		}
	})
}
