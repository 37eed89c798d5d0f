package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/bench/eval/ab"
)

// The ten tasks of the specification's A/B, told anew about a small project of our own: beliefs as
// results beside notes at code find more of the knowledge that is needed, and push no needed code
// out of the answer (bench/eval/README.md, "The ten tasks of the specification").
func TestTenTasksOfTheSpecification(t *testing.T) {
	tasks, err := filepath.Abs(filepath.Join("..", "..", "bench", "eval", "ab", "testdata", "ten"))
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	root := filepath.Join(tmp, "ferry")
	if err := os.CopyFS(root, os.DirFS(filepath.Join(tasks, "project"))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATINA_HOME", filepath.Join(tmp, "home"))
	t.Setenv("HOME", tmp)
	t.Chdir(root)
	git(t, root, "init", "-q")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "feat: sell crossings")
	ask := func(args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		if code := run(args, strings.NewReader(""), &out, &errs); code != 0 {
			t.Fatalf("patina %s: exit %d: %s", strings.Join(args, " "), code, errs.String())
		}
		return out.String()
	}
	ask("scrape", "--no-adapt")
	var r ab.Report
	text := ask("eval", "ab", "-q", filepath.Join(tasks, "tasks.json"), "--json")
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 1 || r.Groups[0].Tasks != 10 || len(r.Missing)+len(r.Dropped)+len(r.Failed) > 0 {
		t.Fatalf("not all ten were asked:\n%s", text)
	}
	g := r.Groups[0]
	d, beliefs := g.Differences[0], g.Arms[1]
	if beliefs.Arm != "beliefs-on" || beliefs.Knowledge.Mean < 0.8 {
		t.Errorf("%s finds %.3f of the knowledge", beliefs.Arm, beliefs.Knowledge.Mean)
	}
	if d.Delta.Low < -0.02 || len(d.PushedOut) > 0 {
		t.Errorf("delta %+.3f [%+.3f, %+.3f], pushed out %v", d.Delta.Mean, d.Delta.Low, d.Delta.High, d.PushedOut)
	}
}
