package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/ask/project"
	"patina/scrape"
)

// A liveTree is a repository that changes while a client of "patina mcp" asks about it.
type liveTree struct {
	t    *testing.T
	root string
	a    agent
	n    int
}

func layLive(t *testing.T) *liveTree {
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	l := &liveTree{t: t, root: g.root, a: connect(t)}
	l.a.call("scry", map[string]any{"query": "how are retries spread", "limit": 1})
	return l
}

func (l *liveTree) git(args ...string) {
	l.t.Helper()
	c := exec.Command("git",
		append([]string{"-C", l.root, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	if out, err := c.CombinedOutput(); err != nil {
		l.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// terminal returns a command in the tree.
func (l *liveTree) terminal(args ...string) *exec.Cmd {
	c := exec.Command("patina", args...)
	c.Dir, c.Env = l.root, os.Environ()
	return c
}

// mark returns a new word that is in no file.
func (l *liveTree) mark() string {
	l.n++
	return fmt.Sprintf("Quux%dFlorb", l.n)
}

func (l *liveTree) write(name, mark string) {
	l.t.Helper()
	full := filepath.Join(l.root, name)
	text := "package kettle\n\n// " + mark + " heats water.\nfunc " + mark + "() {}\n"
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

// overwrite writes another mark into a file. The file's size and time stay the same.
func (l *liveTree) overwrite(name, mark string) {
	l.t.Helper()
	full := filepath.Join(l.root, name)
	before, err := os.Stat(full)
	if err != nil {
		l.t.Fatal(err)
	}
	l.write(name, mark)
	if err := os.Chtimes(full, before.ModTime(), before.ModTime()); err != nil {
		l.t.Fatal(err)
	}
	if after, err := os.Stat(full); err != nil || after.Size() != before.Size() ||
		!after.ModTime().Equal(before.ModTime()) {
		l.t.Fatalf("%v, %v, want the size and the time of %v", after, err, before)
	}
}

// ages is far longer than reading a tree takes.
const ages = 5 * time.Minute

// finds reports whether the first answer that is not behind finds a mark in a file.
func (l *liveTree) finds(mark, name string) bool {
	l.t.Helper()
	for end := time.Now().Add(ages); ; {
		got := l.a.call("scry", map[string]any{"query": mark, "limit": 3, "content_type": []string{"code"}})
		found := strings.Contains(got, name+":") && strings.Contains(got, mark)
		behind := strings.Contains(got, "being read") || strings.Contains(got, "still being compared") ||
			strings.Contains(got, " behind")
		if !behind {
			return found
		}
		if time.Now().After(end) {
			l.t.Fatalf("never caught up:\n%s", got)
		}
	}
}

func (l *liveTree) want(what, mark, name string, want bool) {
	l.t.Helper()
	if got := l.finds(mark, name); got != want {
		l.t.Errorf("%s: %s in %s: found %v, want %v", what, mark, name, got, want)
	}
}

// A change that an agent has just made must be in its next answer.
func TestAnswersFollowTheTree(t *testing.T) {
	fits(t)
	l := layLive(t)
	first, second := l.mark(), l.mark()
	l.write("new/kettle.go", first)
	l.want("a new folder", first, "new/kettle.go", true)
	l.write("new/kettle.go", second)
	l.want("an edit", second, "new/kettle.go", true)
	l.want("what was there before", first, "new/kettle.go", false)
	first, second = second, l.mark()
	l.overwrite("new/kettle.go", second)
	l.want("an edit with its old time", second, "new/kettle.go", true)
	l.want("what was there before it", first, "new/kettle.go", false)
	if err := os.Rename(filepath.Join(l.root, "new"), filepath.Join(l.root, "moved")); err != nil {
		t.Fatal(err)
	}
	l.want("a renamed folder", second, "moved/kettle.go", true)
	l.want("its old name", second, "new/kettle.go", false)
	third := l.mark()
	l.write("moved/kettle.go", third)
	l.want("an edit in a renamed folder", third, "moved/kettle.go", true)

	l.git("checkout", "-q", "-b", "side")
	l.git("add", "moved")
	l.git("commit", "-q", "-m", "kettle: the "+l.mark()+" side")
	side := fmt.Sprintf("Quux%dFlorb", l.n)
	for end := time.Now().Add(ages); ; {
		got := l.a.call("scry",
			map[string]any{"query": "kettle: the " + side + " side", "content_type": []string{"commits"}})
		if strings.Contains(got, side+" side\"") {
			break
		}
		if !strings.Contains(got, " behind") || time.Now().After(end) {
			t.Errorf("a commit is not found:\n%s", got)
			break
		}
	}
	l.git("checkout", "-q", "-")
	l.want("another branch", third, "moved/kettle.go", false)
	l.git("checkout", "-q", "side")
	l.want("back again", third, "moved/kettle.go", true)
	l.git("gc", "-q")
	l.git("reset", "-q", "--hard", "HEAD~1")
	l.want("after a reset", third, "moved/kettle.go", false)

	fourth := l.mark()
	l.write("hidden/kettle.go", fourth)
	l.want("before it is ignored", fourth, "hidden/kettle.go", true)
	if err := os.WriteFile(filepath.Join(l.root, "hidden", ".gitignore"), []byte("*.go\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l.want("once it is ignored", fourth, "hidden/kettle.go", false)
	if err := os.RemoveAll(filepath.Join(l.root, ".patina")); err != nil {
		t.Fatal(err)
	}
	fifth := l.mark()
	l.write("last/kettle.go", fifth)
	l.want("after its index was removed", fifth, "last/kettle.go", true)
	sixth := l.mark()
	l.write("last/kettle.go", sixth)
	l.want("and followed again", sixth, "last/kettle.go", true)
}

// Two clients and a terminal work in one tree, and one of them is killed while it reads. The
// others, and a fresh scrape, find all changes.
func TestClientsShareATree(t *testing.T) {
	l := layLive(t)
	other := l.terminal("mcp")
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scry","arguments":{"query":"lease"}}}`,
	} {
		if _, err := fmt.Fprintln(in, m); err != nil {
			t.Fatal(err)
		}
	}
	var marks []string
	for i := range 12 {
		marks = append(marks, l.mark())
		l.write(fmt.Sprintf("shared/k%d.go", i), marks[i])
		if i == 6 {
			if err := other.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = other.Wait()
		}
		l.want("a tree of several", marks[i], fmt.Sprintf("shared/k%d.go", i), true)
		if out, err := l.terminal("scry", marks[i]).CombinedOutput(); err != nil ||
			!strings.Contains(string(out), "shared/k") {
			t.Errorf("a terminal, %v:\n%s", err, out)
		}
	}
	for i, mark := range marks {
		l.want("at the end", mark, fmt.Sprintf("shared/k%d.go", i), true)
	}
}

// The first call in a tree without an index is answered from a draft. History and model follow soon
// after.
func TestTheFirstCallIsAnsweredFromADraft(t *testing.T) {
	fits(t)
	g := layGoldens(t)
	l := &liveTree{t: t, root: g.root, a: connect(t)}
	const note = "draft of the index"
	ask := func(kind string) string {
		return l.a.call("scry",
			map[string]any{"query": "how are retries spread", "limit": 10, "content_type": []string{kind}})
	}
	first := ask("code")
	if !strings.Contains(first, "retry.py:") || !strings.Contains(first, note) {
		t.Fatalf("the first answer is not of a draft:\n%s", first)
	}
	for end := time.Now().Add(ages); ; time.Sleep(50 * time.Millisecond) {
		got := ask("commits")
		if !strings.Contains(got, note) {
			if !strings.Contains(got, "commit:") && !strings.Contains(got, "[commit") {
				t.Errorf("the history is not there:\n%s", got)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("never completed:\n%s", got)
		}
	}
	if out, err := l.terminal("scrape").CombinedOutput(); err != nil || strings.Contains(string(out), "rebuilt") ||
		strings.Contains(string(out), " vectors") {
		t.Errorf("a scrape still finds work, %v:\n%s", err, out)
	}
}

// A draft that a server has left must be completed by the next server, or by a scrape.
func TestADraftIsCompletedByWhoComesNext(t *testing.T) {
	fits(t)
	t.Run("scrape", func(t *testing.T) {
		l := layDraft(t)
		if out, err := l.terminal("scrape").CombinedOutput(); err != nil || !strings.Contains(string(out), "rebuilt") {
			t.Errorf("%v:\n%s", err, out)
		}
		l.draft(false)
	})
	t.Run("mcp", func(t *testing.T) {
		l := layDraft(t)
		l.a = connect(t)
		for end := time.Now().Add(ages); strings.Contains(l.a.call("scry",
			map[string]any{"query": "how are retries spread"}), "draft of"); {
			if time.Now().After(end) {
				t.Fatal("not completed")
			}
			time.Sleep(50 * time.Millisecond)
		}
		l.draft(false)
	})
}

// layDraft returns a tree whose index is a draft.
func layDraft(t *testing.T) *liveTree {
	g := layGoldens(t)
	p, err := project.Here("")
	if err == nil {
		_, err = project.Scrape(t.Context(), p, scrape.Options{Draft: true}, func(error) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	l := &liveTree{t: t, root: g.root}
	l.draft(true)
	return l
}

// draft checks whether an answer says that the index is a draft.
func (l *liveTree) draft(want bool) {
	l.t.Helper()
	out, err := l.terminal("scry", "--json", "how are retries spread").CombinedOutput()
	if err != nil || strings.Contains(string(out), `"draft": true`) != want {
		l.t.Errorf("a draft is %v, %v:\n%s", want, err, out)
	}
}
