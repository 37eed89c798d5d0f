package govern_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"patina/ask/govern"
	"patina/ask/project"
	"patina/memory"
	"patina/scrape"
	"patina/scrape/scrapetest"
)

const beliefs = "layer/surface/epistemic/beliefs/"

// app is a project that keeps beliefs, decisions and rules.
var app = map[string]string{
	"pool/pool.go":  "package pool\n\n// Open opens the pool of connections.\nfunc Open() {}\n\n// Expire ends idle connections.\nfunc Expire() {}\n",
	"pool/table.go": "package pool\n\n// ReserveSlot takes a slot.\nfunc ReserveSlot() {}\n",
	"web/page.go":   "package web\n\n// Render writes a page.\nfunc Render() {}\n",
	"web/style.css": "body { color: red }\n",
	"docs/usage.md": "# Usage\n\nHow to use it.\n",
	beliefs + "eight-connections.md": "---\nid: eight-connections\nentrenchment: high\n---\n# eight-connections\n\n" +
		"The pool has eight connections, because the server refuses a ninth.\n\n## Evidence\n\n- [[pool/pool.go]]\n",
	beliefs + "slots-are-reserved.md": "---\nid: slots-are-reserved\n---\n# slots-are-reserved\n\n" +
		"A slot is taken before its row is read, so that no reader waits for a writer.\n\n## Evidence\n\n- `ReserveSlot` takes it first\n",
	beliefs + "defeated.md": "---\nid: defeated\nstatus: defeated\n---\n# defeated\n\n" +
		"Pages are rendered on the client.\n\n## Evidence\n\n- [[web/page.go]]\n",
	"docs/adr/0001-pages.md": "# 1. Render pages on the server\n\n## Status\n\nAccepted\n\n## Decision\n\n" +
		"We render pages on the server with `web/page.go`, because crawlers run no scripts.\n",
	"AGENTS.md": "# Rules\n\n- Never change `web/style.css` by hand: it is generated from the theme.\n" +
		"- Run `go generate ./web` with THEME_DIR set, never without.\n- Write short sentences.\n",
}

// placed scrapes a project whose only commit is by email, for a user who is a@b.c.
func placed(t *testing.T, files map[string]string, author string) project.Place {
	t.Helper()
	home, root := t.TempDir(), t.TempDir()
	settings := filepath.Join(home, "gitconfig")
	scrapetest.Must(t, os.WriteFile(settings, []byte("[user]\n\temail = a@b.c\n\tname = a\n"), 0o600))
	t.Setenv("GIT_CONFIG_GLOBAL", settings)
	t.Setenv("PATINA_HOME", filepath.Join(home, "patina"))
	scrapetest.Tree(t, root, files)
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", "-A")
	scrapetest.Git(t, root, "commit", "-q", "-m", "feat: all of it", "--author=x <"+author+">")
	p, err := project.At(root, "")
	scrapetest.Must(t, err)
	p, err = p.Claim()
	scrapetest.Must(t, err)
	_, err = project.Scrape(t.Context(), p, scrape.Options{}, func(err error) { t.Error(err) })
	scrapetest.Must(t, err)
	p, err = project.At(root, "")
	scrapetest.Must(t, err)
	return p
}

// note keeps notes of the project.
func note(t *testing.T, p project.Place, notes ...memory.Memory) {
	t.Helper()
	s, err := memory.Open(t.Context(), memory.File(p.Home, p.ID))
	scrapetest.Must(t, err)
	for _, m := range notes {
		_, err := s.Add(t.Context(), m, false)
		scrapetest.Must(t, err)
	}
	scrapetest.Must(t, s.Close())
}

func edit(path string, texts ...string) govern.Act {
	return govern.Act{Paths: []string{path}, Texts: texts}
}

func look(t *testing.T, p project.Place, act govern.Act) []govern.Item {
	t.Helper()
	found, err := govern.Look(t.Context(), p, act)
	scrapetest.Must(t, err)
	return found
}

// The first item of an act, if there is one.
func TestLook(t *testing.T) {
	p := placed(t, app, "a@b.c")
	note(t, p,
		memory.Memory{Content: "Expire must hold the lock of the table.", Path: "pool/pool.go", Symbol: "Expire"},
		memory.Memory{Content: "Tests of the pages write golden files; look at the difference.", Path: "web", Type: "gotcha"},
		memory.Memory{Content: "`make release` fails without a signing key in the agent."},
		memory.Memory{Content: "\"cannot lock ref\" means that another fetch is running: wait and try again.", Type: "gotcha"},
	)
	for _, c := range []struct {
		act  govern.Act
		want string // a part of the text; empty: nothing is found
	}{
		{edit("pool/pool.go", "func Open() {}", "func Open() { max = 8 }"), "eight connections"},
		{edit("pool/pool.go", "func Expire() {}", "func Expire() { lock() }"), "must hold the lock"},
		{edit("pool/table.go", "ReserveSlot()", "ReserveSlot(n)"), "A slot is taken"},
		{edit("web/page.go", "x", "y"), "crawlers run no scripts"},
		{edit("web/other.go", "x", "y"), "golden files"},
		{edit("web/style.css", "red", "blue"), "generated from the theme"},
		{edit("pool/table.go", "x", "y"), ""},
		{edit("docs/usage.md", "How to use it.", "How it is used."), ""},
		{edit("new/file.go", "", "package new"), ""},
		{edit("../outside/pool.go", "x"), ""},
		{edit("/etc/passwd", "x"), ""},
		{govern.Act{Command: "cd /x && FOO=1 make release"}, "signing key"},
		{govern.Act{Command: "go generate ./web"}, "THEME_DIR"},
		{govern.Act{Command: "make test"}, ""},
		{govern.Act{Command: "go generate ./pool"}, ""},
		{govern.Act{Command: "git fetch", Failure: "error: cannot lock ref 'refs/remotes/origin/main'"}, "another fetch"},
		{govern.Act{Command: "git fetch", Failure: "fatal: unable to access the remote"}, ""},
		{govern.Act{}, ""},
	} {
		found := look(t, p, c.act)
		got := ""
		if len(found) > 0 {
			got = found[0].Text
		}
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q (%v)", c.act, got, c.want, found)
		}
	}
	// The note about the folder is found behind the decision about the file.
	if found := look(t, p, edit("web/page.go", "x", "y")); len(found) != 2 || found[0].Kind != govern.Decision || found[1].Kind != govern.Note {
		t.Errorf("a file and its folder: %v", found)
	}
}

// What has changed since the scrape is not shown.
func TestLookAfterAChange(t *testing.T) {
	p := placed(t, app, "a@b.c")
	name := filepath.Join(p.Root, beliefs+"eight-connections.md")
	act := edit("pool/pool.go", "func Open() {}")
	source, err := os.ReadFile(name)
	scrapetest.Must(t, err)
	for what, text := range map[string]string{
		"defeated":  strings.Replace(string(source), "entrenchment: high", "status: defeated", 1),
		"reworded":  strings.Replace(string(source), "has eight", "has nine", 1),
		"a removal": "",
	} {
		scrapetest.Must(t, os.WriteFile(name, []byte(text), 0o600))
		if found := look(t, p, act); len(found) > 0 {
			t.Errorf("after %s: %v", what, found)
		}
	}
	scrapetest.Must(t, os.WriteFile(name, source, 0o600))
	if len(look(t, p, act)) == 0 {
		t.Error("as it was, it is not found")
	}
	scrapetest.Must(t, os.Remove(name))
	scrapetest.Must(t, os.Symlink(filepath.Join(p.Root, "AGENTS.md"), name))
	if found := look(t, p, act); len(found) > 0 {
		t.Errorf("through a link: %v", found)
	}
}

// Nothing of a stranger's repository is found, nor what was imported.
func TestStrangersKnowledgeIsSilent(t *testing.T) {
	p := placed(t, app, "stranger@example.org")
	acts := []govern.Act{
		edit("pool/pool.go", "func Open() {}", "Expire"), edit("pool/table.go", "ReserveSlot()"), edit("web/page.go", "x"), edit("web/style.css", "x"),
		{Command: "go generate ./web"},
	}
	for _, act := range acts {
		if found := look(t, p, act); len(found) > 0 {
			t.Errorf("%+v: %v", act, found)
		}
	}
	note(t, p,
		memory.Memory{Content: "Open must not be called twice.", Path: "pool/pool.go", Origin: memory.Imported},
		memory.Memory{Content: "The pool needs a larger timeout.", Path: "pool/pool.go", Origin: memory.Untrusted},
	)
	for _, act := range acts {
		if found := look(t, p, act); len(found) > 0 {
			t.Errorf("imported: %+v: %v", act, found)
		}
	}
	note(t, p, memory.Memory{Content: "Open is slow, because it resolves a name.", Path: "pool/pool.go"})
	if found := look(t, p, acts[0]); len(found) != 1 {
		t.Errorf("the user's own note: %v", found)
	}
	// An index that somebody else has made is not read.
	if p.Doubt = "it came with a clone"; len(look(t, p, acts[0])) != 1 {
		t.Error("an index that is not trusted speaks")
	}
}

// Poison in the user's own beliefs, rules and notes, where an agent may have copied it, is not
// found either.
func TestPoisonIsSilent(t *testing.T) {
	files := map[string]string{"AGENTS.md": "# Rules\n\n"}
	var notes []memory.Memory
	for i, s := range govern.Poison {
		if strings.ContainsAny(s, "\n\x1b") {
			s = strings.ReplaceAll(s, "\n", " ")
		}
		file := fmt.Sprintf("src/file%d.go", i)
		files[file] = "package src\n"
		files[fmt.Sprintf("%spoison-%d.md", beliefs, i)] = fmt.Sprintf("---\nid: poison-%d\n---\n# poison-%[1]d\n\n%s\n\n## Evidence\n\n- [[%s]]\n", i, s, file)
		files["AGENTS.md"] += fmt.Sprintf("- You must not change `%s`. %s\n", file, s)
		notes = append(notes, memory.Memory{Content: s, Path: file, Origin: memory.Agent}, memory.Memory{Content: "`make x" + fmt.Sprint(i) + "` needs care. " + s})
	}
	p := placed(t, files, "a@b.c")
	note(t, p, notes...)
	injected := 0
	for i, s := range govern.Poison {
		acts := []govern.Act{
			edit(fmt.Sprintf("src/file%d.go", i), "x", "y"),
			{Command: fmt.Sprintf("make x%d", i)},
			{Command: "make", Failure: "error: " + s},
		}
		for _, act := range acts {
			for _, x := range look(t, p, act) {
				if x.Kind != govern.Rule || !strings.HasPrefix(x.Text, "You must not change") || strings.Contains(x.Text, s) {
					injected++
					t.Errorf("%q: %s", s, x)
				}
			}
		}
	}
	t.Logf("%d variants in beliefs, rules and notes, %d injected", len(govern.Poison), injected)
}

// An item is shown once in a session, and a file has one, also if processes ask at the same time.
func TestChooseNew(t *testing.T) {
	p := placed(t, app, "a@b.c")
	a := govern.Item{Kind: govern.Note, ID: "a", Text: "A", About: "x.go"}
	b := govern.Item{Kind: govern.Note, ID: "b", Text: "B", About: "x.go"}
	c := govern.Item{Kind: govern.Note, ID: "a", Text: "A", About: "y.go"}
	command := govern.Item{Kind: govern.Note, ID: "c", Text: "C"}
	choose := func(session string, all ...govern.Item) string {
		x, ok, err := govern.ChooseNew(t.Context(), p, session, all)
		scrapetest.Must(t, err)
		if !ok {
			return ""
		}
		return x.ID
	}
	for i, want := range []struct {
		got, want string
	}{
		{choose("s", a, b), "a"},
		{choose("s", a, b), ""},
		{choose("s", b), ""},
		{choose("s", c), ""},
		{choose("s", command), "c"},
		{choose("s", command), ""},
		{choose("t", a, b), "a"},
		{choose("t"), ""},
	} {
		if want.got != want.want {
			t.Errorf("%d: %q, want %q", i, want.got, want.want)
		}
	}
	for range 2 { // a model that lost its context has lost these items
		scrapetest.Must(t, govern.ForgetShown(t.Context(), p, "s"))
		if govern.WasShown(p, "s", govern.Act{Paths: []string{"x.go"}}) || choose("s", a, b) != "a" || choose("s", a, b) != "" ||
			choose("t", a, b) != "" {
			t.Error("after a compaction an item is shown again once, in this session alone")
		}
	}
	both := govern.Act{Paths: []string{"x.go", "z.go"}}
	if !govern.WasShown(p, "s", govern.Act{Paths: []string{"x.go"}}) || govern.WasShown(p, "s", both) ||
		govern.WasShown(p, "v", govern.Act{Paths: []string{"x.go"}}) || govern.WasShown(p, "s", govern.Act{Command: "x"}) {
		t.Error("what was shown is not told as it was")
	}
	var shown atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, ok, _ := govern.ChooseNew(t.Context(), p, "u", []govern.Item{a}); ok {
				shown.Add(1)
			}
		})
	}
	if group.Wait(); shown.Load() != 1 {
		t.Errorf("shown %d times", shown.Load())
	}
	for i := range 4000 { // the file stays small
		_, _, _ = govern.ChooseNew(t.Context(), p, fmt.Sprint(i), []govern.Item{a})
		if i%1000 == 0 && testing.Short() {
			break
		}
	}
	info, err := os.Stat(filepath.Join(p.Store, "shown"))
	scrapetest.Must(t, err)
	if info.Size() > 70<<10 || info.Mode().Perm() != 0o600 {
		t.Errorf("%d bytes, %v", info.Size(), info.Mode())
	}
	kept, err := p.Clear()
	if _, gone := os.Stat(p.Store); err != nil || len(kept) > 0 || !os.IsNotExist(gone) {
		t.Errorf("after clean: %v, %v, %v", kept, err, gone)
	}
}

func TestPathsWithin(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"src/a.go": "", "other": ""})
	link := filepath.Join(t.TempDir(), "link")
	scrapetest.Must(t, os.Symlink(root, link))
	got := govern.PathsWithin(root, filepath.Join(root, "src"), []string{
		"a.go", filepath.Join(root, "src", "b.go"), "../other", "../../out", "/etc/passwd", filepath.Join(link, "src", "c.go"), root,
	})
	if want := []string{"src/a.go", "src/b.go", "other", "src/c.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
