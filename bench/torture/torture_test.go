package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"patina/bench/eval/fixture"
)

// real is the path of the command under test.
var real string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "patina-torture-test-")
		if err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		real = filepath.Join(dir, "patina")
		return m.Run()
	}())
}

// build builds the command, once.
func build(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command and runs it many times")
	}
	if _, err := os.Stat(real); err == nil {
		return
	}
	out, err := exec.Command("go", "build", "-tags", "sqlite_fts5,sqlite_omit_load_extension", "-buildvcs=false", "-o",
		real, "../../cmd/patina").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// try runs a trial on the invented project. Scrapes skip fitting, because it takes longest and is
// not under test. lie is a case in a shell script around the command, and may be empty.
func try(t *testing.T, lie string, args ...string) (string, error) {
	t.Helper()
	build(t)
	repo, patina := t.TempDir(), filepath.Join(t.TempDir(), "patina")
	script := fmt.Sprintf(`#!/bin/sh
real=%s all="$*"
[ "$1" = scrape ] && set -- "$@" --no-adapt
case $all in
%s
esac
exec "$real" "$@"
`, real, lie)
	if err := os.WriteFile(patina, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := fixture.Lay(t.Context(), repo); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	err := command(t.Context(), append([]string{"-patina", patina, "-repo", repo}, args...), &out)
	// A killed scrape must not leave temporary folders behind.
	left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "patina-torture-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if errors.Is(err, errNoDisk) {
		t.Skip("no disk of its own can be made here: ", err)
	}
	return out.String(), err
}

const questionSet = `[
	{"id": "lease", "query": "how does a lease move to another node", "expect": ["server/internal/lease/lease.go"]},
	{"id": "log", "query": "how is a torn record at the end of the log handled", "expect": ["engine/src/wal.rs"]},
	{"id": "name", "query": "DespikeFilter", "expect": ["collector/tidemark/calibration.py"]}
]`

func writeSet(t *testing.T) string {
	t.Helper()
	set := filepath.Join(t.TempDir(), "set.json")
	if err := os.WriteFile(set, []byte(questionSet), 0o600); err != nil {
		t.Fatal(err)
	}
	return set
}

// Each trial runs on a small scale, and reports how much it tried.
func TestTrials(t *testing.T) {
	for _, x := range []struct {
		args []string
		says string
		only string // an operating system, or ""
	}{
		{[]string{"-n", "6", "kill"}, `\d kills: \d left the state before, \d the state after`, "linux"},
		{[]string{"-n", "1", "-readers", "3", "readers"}, `3 processes asked [1-9]\d* questions during [1-9]`, ""},
		{[]string{"full"}, `[1-9]\d* of 10 updates on a full one were refused`, "linux"},
		{[]string{"-n", "8", "flips"}, `8 flips × 8 questions: \d+ right answers, \d+ errors or named channels, 0 wrong in silence`, ""},
		{[]string{"-n", "2", "flat"}, `2 updates, 200 questions, .* descriptors`, "linux"},
		{[]string{"-n", "12", "churn"}, `12 edits, [1-9]\d* answers, .* equalled a fresh one 3 times`, "linux"},
		{[]string{"-n", "2", "shared"}, `2 rounds, .*nothing lost`, "linux"},
		{
			[]string{"-n", "6", "-merges", "updates"},
			`6 sequences, \d+ edits, \d+ updates; 300 answers of up to 40 results, 300 of them equal`, "",
		},
		{[]string{"-n", "1", "-adapt", "updates"}, `1 sequences, `, ""},
		{
			[]string{"-n", "2", "-apart", "3", "-q", writeSet(t), "worktrees"},
			`tree1, 3 commits back(.*\n)*.* those of a store of its own in 2 of 2 trees`, "",
		},
	} {
		t.Run(x.args[len(x.args)-1], func(t *testing.T) {
			if x.only != "" && x.only != runtime.GOOS {
				t.Skip("needs " + x.only)
			}
			out, err := try(t, "", x.args...)
			if err != nil || !regexp.MustCompile(x.says).MatchString(out) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// A trial must notice a patina with silent errors.
func TestTrialsNoticeLiars(t *testing.T) {
	for _, x := range []struct {
		args []string
		lie  string
		want string
	}{
		{ // nothing is read after the first scrape
			[]string{"-n", "5", "kill"},
			`*scrape*/tried) [ -e "$0.once" ] && exit 0; touch "$0.once" ;;`,
			"differs from one that was never killed",
		},
		{ // two generations in one answer
			[]string{"-n", "1", "-readers", "1", "readers"},
			`*scry*) echo '{"results": [{"summary": "Torturetwin is number 1"}, {"summary": "Torturetwin is number 2"}]}'; exit ;;`, "twins",
		},
		{[]string{"full"}, `*scrape*) "$real" "$@"; exit 0 ;;`, "went well"},
		{ // another answer each time
			[]string{"-n", "1", "flips"},
			`*scry*) echo "{\"results\": [{\"doc_id\": \"$$\"}]}"; exit ;;`,
			"silent wrong answers",
		},
		{ // two halves of a file from two edits
			[]string{"-n", "3", "churn"},
			`mcp*) "$real" mcp | sed -u 's/TailAt[0-9]*/TailAt77/g'; exit ;;`,
			"two states in one answer",
		},
		{ // nothing is read after the first scrape, in silence
			[]string{"-n", "9", "churn"},
			`mcp*) PATINA_REFRESH=false "$real" mcp | sed -u 's/looked_at\\": 0/looked_at\\": 999/; s/not_refreshed/x/g'; exit ;;`, "does not say so",
		},
		{ // one tree's word is found in all
			[]string{"-n", "1", "worktrees"},
			`*scry*) echo '{"results": [{"path": "a.go"}]}'; exit ;;`,
			"asked in worktrees: 1 results",
		},
		{ // a tree's own store finds nothing
			[]string{"-n", "1", "-q", writeSet(t), "worktrees"},
			`*retrieval*-own) "$real" "$@" | sed 's/"rank": 1/"rank": 2/'; exit ;;`, "ranking with views differs",
		},
	} {
		t.Run(x.args[len(x.args)-1], func(t *testing.T) {
			if out, err := try(t, x.lie, x.args...); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v, want %q\n%s", err, x.want, out)
			}
		})
	}
}

func TestTrialsAreNamed(t *testing.T) {
	for _, args := range [][]string{nil, {"nosuch"}} {
		if err := command(t.Context(), args, nil); err == nil || !strings.Contains(err.Error(), allTrials) {
			t.Errorf("%q: %v", args, err)
		}
	}
	for name := range trials {
		if !strings.Contains(allTrials, name) {
			t.Errorf("%s is not among %s", name, allTrials)
		}
	}
}
