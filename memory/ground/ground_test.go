package ground

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const before = `package a

// Pool is a pool.
func Pool(n int, s string) int {
	x := map[string]int{"a // b": 1}
	return x[s] + n
}

func Other() {}
`

// repository makes a git repository with a.go, committed a day ago.
func repository(t *testing.T) (dir string, run func(args ...string)) {
	t.Helper()
	dir = t.TempDir()
	when := time.Now().Add(-100 * time.Hour)
	run = func(args ...string) {
		t.Helper()
		when = when.Add(time.Hour)
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
		c.Dir = dir
		date := when.Format(time.RFC3339)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q")
	write(t, dir, "a.go", before)
	run("add", ".")
	run("commit", "-qm", "first")
	return dir, run
}

// moved compares with the current tree.
func moved(t *testing.T, dir, name, symbol, hash string, written time.Time) *Move {
	t.Helper()
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	return tree.Moved(t.Context(), name, symbol, hash, written)
}

func hashed(t *testing.T, dir, name, symbol string) string {
	t.Helper()
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	return tree.Hash(name, symbol)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestGroundStays(t *testing.T) {
	dir, run := repository(t)
	written := time.Now().Add(-99 * time.Hour)
	hash := hashed(t, dir, "a.go", "Pool")
	if hash == "" {
		t.Fatal("no ground")
	}
	stays := func(what string) {
		t.Helper()
		if m := moved(t, dir, "a.go", "Pool", hash, written); m != nil {
			t.Errorf("%s moved the ground: %+v", what, m)
		}
	}
	stays("nothing")
	text := strings.ReplaceAll(before, "// Pool is a pool.", "// Pool is another pool.")
	text = strings.ReplaceAll(text, "n int, s string)", "\n\t\tn int,\n\t\ts string, // text\n\t)")
	text = strings.ReplaceAll(text, "x[s] + n", "x[s]+n /* sum */")
	write(t, dir, "a.go", text)
	stays("formatting and a comment")
	head, tail, _ := strings.Cut(text, "func Other() {}")
	body := strings.TrimPrefix(head, "package a\n")
	write(t, dir, "a.go", "package a\n\nfunc Other() { panic(1) }\n\nvar y = 1\n"+body+tail)
	stays("a move in the file and a change beside it")
	run("commit", "-qam", "moved")
	run("mv", "a.go", "b.go")
	stays("a staged rename")
	run("commit", "-qm", "renamed")
	stays("a rename")
	run("mv", "b.go", "c.go")
	run("commit", "-qm", "renamed again")
	stays("a second rename")
}

func TestGroundMoves(t *testing.T) {
	dir, run := repository(t)
	hash, written := hashed(t, dir, "a.go", "Pool"), time.Now().Add(-98*time.Hour)
	write(t, dir, "a.go", strings.ReplaceAll(before, "+ n", "- n"))
	if m := moved(t, dir, "a.go", "Pool", hash, written); m == nil || m.Commits != 0 || m.Gone {
		t.Errorf("an uncommitted change: %+v", m)
	}
	run("commit", "-qam", "minus")
	write(t, dir, "a.go", strings.ReplaceAll(before, "+ n", "-  n"))
	run("commit", "-qam", "spaces")
	write(t, dir, "a.go", strings.ReplaceAll(before, "a // b", "a // c"))
	run("commit", "-qam", "a text")
	m := moved(t, dir, "a.go", "Pool", hash, written)
	if m == nil || m.Commits != 2 || m.Gone || m.Since.IsZero() {
		t.Fatalf("two changes: %+v", m)
	}
	if said := m.Said(m.Since.Add(12*24*time.Hour + time.Hour)); said != "ground moved 12 days ago, 2 commits" {
		t.Error(said)
	}
	first := m.Since
	run("mv", "a.go", "b.go")
	run("commit", "-qm", "renamed")
	if m := moved(t, dir, "a.go", "Pool", hash, written); m == nil || m.Commits != 2 || !m.Since.Equal(first) {
		t.Errorf("after a rename: %+v, want since %v", m, first)
	}
	run("rm", "-q", "b.go")
	run("commit", "-qm", "removed")
	if m := moved(t, dir, "b.go", "Pool", hash, written); m == nil || !m.Gone {
		t.Errorf("a removed file: %+v", m)
	}
}

func TestHash(t *testing.T) {
	python := "def f(a):\n    if a:\n        b()\n    c()\n"
	for name, c := range map[string]struct {
		file, a, b string
		same       bool
	}{
		"indent width":   {"a.py", python, strings.ReplaceAll(python, "    ", "  "), true},
		"indent depth":   {"a.py", python, strings.ReplaceAll(python, "    c()", "        c()"), false},
		"comment":        {"a.py", python, "# x\n" + strings.ReplaceAll(python, "b()", "b() # y"), true},
		"two words":      {"a.go", "a b", "ab", false},
		"text spaces":    {"a.js", `f("a b")`, `f("a  b")`, false},
		"trailing comma": {"a.js", "f(a,b)", "f(\n  a,\n  b,\n)", true},
		"number":         {"a.rs", "fn f<'a>() { 1 }", "fn f<'a>() { 2 }", false},
		"empty":          {"a.c", "", "/* nothing */", true},
	} {
		if same := Hash(c.file, []byte(c.a), "") == Hash(c.file, []byte(c.b), ""); same != c.same {
			t.Errorf("%s: same is %v", name, same)
		}
	}
	if Hash("a.go", []byte(before), "None") != "" {
		t.Error("an unknown symbol has a hash")
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("a.py", "if a:\n\tb(1,\n)\n")
	f.Add("a.go", "`\"'\\")
	f.Fuzz(func(t *testing.T, name, text string) {
		s := styleOf(name)
		var out strings.Builder
		eachToken(text, s, func(token string) {
			if token == "" {
				t.Fatal("an empty token")
			}
			out.WriteString(token)
		})
		if a, b := Hash(name, []byte(text), ""),
			Hash(name, []byte(text+"\n \n"), ""); a != b && !strings.ContainsAny(text, "\\\"'`") {
			t.Fatal("space at the end moves the ground")
		}
	})
}
