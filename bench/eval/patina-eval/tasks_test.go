package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/bench/eval"
	"patina/bench/eval/fixture"
)

// buildPatina compiles the program to measure.
func buildPatina(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command")
	}
	file := filepath.Join(t.TempDir(), "patina")
	out, err := exec.Command("go", "build", "-tags", "sqlite_fts5,sqlite_omit_load_extension", "-buildvcs=false", "-o", file, "../../../cmd/patina").CombinedOutput()
	if err != nil {
		t.Fatalf("build patina: %v\n%s", err, out)
	}
	return file
}

// clone writes the invented project into a folder, and one more commit on top. It returns the
// commit before.
func clone(t *testing.T, dir string) (before string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := fixture.Lay(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		c.Dir, c.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	before = git("rev-parse", "HEAD")
	if err := os.WriteFile(filepath.Join(dir, "zebra.go"), []byte("package zebra // zebra crossing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("add", "-A")
	git("commit", "-q", "-m", "zebra crossing of leases")
	return before
}

// A real program on a real repository. The commit after the revision is not in the tree.
func TestTasks(t *testing.T) {
	dir := t.TempDir()
	before := clone(t, filepath.Join(dir, "clones", "tidemark"))
	list := []eval.Task{{
		ID: "lease", Repo: "invented/tidemark", Name: "tidemark", Revision: before, Task: "How does a lease move? Zebra crossing.",
		Files: []string{"server/internal/lease/lease.go"}, RG: []string{"-i 'zebra'", "-i 'lease' server/internal none"},
	}}
	set, kept := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "calls.json")
	writeJSON(t, set, list)
	args := []string{"tasks", "-q", set, "-clones", filepath.Join(dir, "clones"), "-work", filepath.Join(dir, "work"), "-patina", buildPatina(t), "-json", kept}
	var out strings.Builder
	if err := command(t.Context(), args, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "| invented/tidemark | 1 | patina | 1.000 ") {
		t.Errorf("report:\n%s", out.String())
	}
	var r eval.TaskReport
	b, err := os.ReadFile(kept)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil || len(r.Tasks) != 1 {
		t.Fatalf("%v: %s", err, b)
	}
	if p := r.Tasks[0].Patina; !p.All || p.Tokens == 0 || p.Calls[0].Made != "scry -" {
		t.Errorf("with patina: %+v", p)
	}
	rg := r.Tasks[0].Ripgrep
	if _, err := exec.LookPath("rg"); err != nil {
		if rg != nil {
			t.Errorf("without rg: %+v", rg)
		}
	} else if !rg.All || rg.Calls[0].Tokens != 0 || len(rg.Calls) != 2 {
		t.Errorf("with rg: %+v", rg) // "zebra" is in the later commit alone
	}
	if left, err := filepath.Glob(filepath.Join(dir, "work", "*")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func writeJSON(t *testing.T, file string, v any) {
	t.Helper()
	if err := save(v, file); err != nil {
		t.Fatal(err)
	}
}

func TestTasksThatCannotBePlayed(t *testing.T) {
	dir := t.TempDir()
	before := clone(t, filepath.Join(dir, "tidemark"))
	set, work := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "work")
	for _, x := range []struct {
		task eval.Task
		args []string
		want string
	}{
		{eval.Task{}, nil, "-clones"},
		{eval.Task{ID: "x"}, []string{"-q", set, "-clones", dir, "-work", work}, `"task"`},
		{eval.Task{ID: "x", Task: "x", Name: "gone", Revision: before, Files: []string{"a"}}, []string{"-q", set, "-clones", dir, "-work", work, "-patina", "git"}, "gone"},
		{eval.Task{ID: "x", Task: "x", Name: "tidemark", Revision: strings.Repeat("1", 40), Files: []string{"a"}}, []string{"-q", set, "-clones", dir, "-work", work, "-patina", "git"}, "list files"},
		{eval.Task{ID: "x", Task: "x", Name: "tidemark", Revision: before, Files: []string{"a"}}, []string{"-q", set, "-clones", dir, "-work", work, "-patina", "git"}, `"scrape"`},
		{eval.Task{ID: "x", Task: "x", Name: "tidemark", Revision: before, Files: []string{"a"}}, []string{"-q", set, "-clones", dir, "-work", work, "-patina", filepath.Join(dir, "none")}, "find patina"},
	} {
		writeJSON(t, set, []eval.Task{x.task})
		err := command(t.Context(), append([]string{"tasks"}, x.args...), &strings.Builder{})
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want %q", x.args, err, x.want)
		}
	}
}

func TestFirstLines(t *testing.T) {
	w := firstLines{left: 2}
	for _, s := range []string{"a", "b\nc", "\nd\n", "e"} {
		if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
			t.Errorf("%q: %d, %v", s, n, err)
		}
	}
	if got := w.kept.String(); got != "ab\nc\n" {
		t.Errorf("%q", got)
	}
}

func TestLinesOfAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("1\n2\n3\n4"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside(t), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var got []string
	for _, at := range [][2]int{{1, 2}, {3, 60}, {4, 1}, {9, 60}} {
		s, err := linesOf(root, "a", at[0], at[1])
		if err != nil {
			t.Error(err)
		}
		got = append(got, s)
	}
	if want := []string{"1\n2\n", "3\n4", "4", ""}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if s, err := linesOf(root, "link", 1, 60); err == nil {
		t.Errorf("a link out of the tree is read: %q", s)
	}
}

// outside is a file in no tree.
func outside(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "outside")
	writeJSON(t, file, "outside")
	return file
}
