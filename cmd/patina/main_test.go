package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"patina/cmd/internal/cli"
	"patina/scrape"
	"patina/wire/local"
)

// raceOptions skips the wait of one second at the end of a process under the race detector.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"patina": main})
}

var served = flag.Bool("served", false, "tell every story beside \"patina serve\", too")

// Each story begins in its own folder with its own home, and its git ignores the user's settings.
func TestStories(t *testing.T) {
	p := stories()
	if testing.Short() {
		p.Files = storyFiles(concurrent)
	} else {
		p.Dir = filepath.Join("testdata", "script")
	}
	testscript.Run(t, p)
}

// concurrent holds the stories that are told under the race detector (-short): those in which a
// process does several things at once. The others call one command after another, and what such a
// command does at once is in these, too.
var concurrent = []string{
	"belief-verify", "eval-ab", "hook", "mcp", "memory-recall", "model", "mother", "node-front", "node-join", "repo-each",
	"scrape", "scry", "scry-refresh", "scry-repo", "serve", "ui", "worktrees",
}

// storyFiles returns the files of stories.
func storyFiles(names []string) (files []string) {
	for _, name := range names {
		files = append(files, filepath.Join("testdata", "script", name+".txtar"))
	}
	return files
}

// untrueServed holds the stories that are not the same beside "patina serve", with the reason. They
// depend on what was read before, and a server reads changes in the background.
var untrueServed = map[string]string{
	"serve":        "it starts a server itself",
	"scry-refresh": "a change that takes too long for a question is read all the same",
	"scry-repo":    "its --no-refresh wants an index that has not read the files it adds",
	"secrets":      "a scrape counts what was not read before",
	"trust":        "a replaced database may already be built anew when it scrapes",
}

// These stories must be the same beside "patina serve": some of them, or all with -served.
func TestStoriesBesideServer(t *testing.T) {
	if testing.Short() {
		t.Skip("some stories are told twice")
	}
	names := []string{"mother", "context-elsewhere", "memory-scry", "scry-errors", "mcp"}
	if *served {
		all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		names = nil
		for _, file := range all {
			if name := strings.TrimSuffix(filepath.Base(file), ".txtar"); untrueServed[name] == "" {
				names = append(names, name)
			}
		}
	}
	p := stories()
	p.Files = storyFiles(names)
	p.Setup = besideServer(p.Setup)
	testscript.Run(t, p)
}

// besideServer returns a Setup that starts "patina serve" for the home of a story.
func besideServer(setup func(*testscript.Env) error) func(*testscript.Env) error {
	return func(e *testscript.Env) error {
		if err := setup(e); err != nil {
			return err
		}
		c := exec.Command("patina", "serve")
		c.Env, c.Dir = e.Vars, e.WorkDir
		if err := c.Start(); err != nil {
			return err
		}
		e.Defer(func() {
			_ = c.Process.Signal(os.Interrupt)
			_ = c.Wait()
		})
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if _, err := local.Ask(context.Background(), e.Getenv("PATINA_HOME"), cli.Version); err == nil {
				return nil
			}
		}
		return errors.New("patina serve does not answer")
	}
}

// stories returns how stories are run.
func stories() testscript.Params {
	return testscript.Params{
		RequireExplicitExec: false,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, ".home")
			e.Setenv("HOME", home)
			e.Setenv("GORACE", raceOptions)
			e.Setenv("PATINA_ONNXRUNTIME", "") // a story that needs the library says so
			e.Setenv("ONNXRUNTIME", onnxRuntime())
			e.Setenv("PATINA_TIMEOUT", "5m") // long enough for a busy machine
			e.Setenv("PATINA_REFRESH", "5m")
			e.Setenv("PATINA_HOOK_TIMEOUT", "5m")
			e.Setenv("PATINA_HOME", filepath.Join(home, "patina"))
			e.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GIT_CEILING_DIRECTORIES", e.WorkDir)
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "Ada")
				e.Setenv("GIT_"+who+"_EMAIL", "ada@example.org")
			}
			return os.MkdirAll(home, 0o755)
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"awaits":  awaits,
			"commit":  commit,
			"code":    code,
			"follow":  follow,
			"graph":   graph,
			"rewrite": rewrite,
			"within":  within,
		},
	}
}

// commit MESSAGE commits everything in the working folder, a day after the last commit.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: commit MESSAGE")
	}
	days, _ := strconv.Atoi(ts.Getenv("DAYS"))
	ts.Setenv("DAYS", strconv.Itoa(days+1))
	date := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, days).Format(time.RFC3339)
	ts.Setenv("GIT_AUTHOR_DATE", date)
	ts.Setenv("GIT_COMMITTER_DATE", date)
	if _, err := os.Stat(ts.MkAbs(".git")); err != nil {
		ts.Check(ts.Exec("git", "init", "-q", "-b", "main"))
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", args[0]))
}

// code N COMMAND... runs a command, which must exit with code N.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND...")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s%s", got, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

var (
	deeperLine = regexp.MustCompile(`(?m)^Dig deeper: (.*)$`)
	resultCall = regexp.MustCompile(`(?m)^   (?:.* · )?(patina .*)$`) // the last line of a result
	impactCall = regexp.MustCompile(`(?m)^  (patina scry .*--belief.*)$`)
	otherCall  = regexp.MustCompile(`(?m)(?:, next: |; |"dig_deeper": ")(patina .*?)"?$`)
)

// follow N runs every call advertised in the last output in a shell. There must be at least N
// calls.
func follow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: follow N")
	}
	text := ts.ReadFile("stdout")
	var calls []string
	for _, m := range deeperLine.FindAllStringSubmatch(text, -1) {
		calls = append(calls, strings.Split(m[1], " · ")...)
	}
	for _, m := range resultCall.FindAllStringSubmatch(text, -1) {
		calls = append(calls, m[1])
	}
	for _, m := range impactCall.FindAllStringSubmatch(text, -1) {
		calls = append(calls, m[1])
	}
	for _, m := range otherCall.FindAllStringSubmatch(text, -1) {
		calls = append(calls, strings.ReplaceAll(m[1], `\"`, `"`))
	}
	for _, call := range calls {
		ts.Logf("following %s", call)
		if err := ts.Exec("sh", "-c", call); err != nil {
			ts.Fatalf("%s: %v\n%s", call, err, ts.ReadFile("stderr"))
		}
	}
	if least, _ := strconv.Atoi(args[0]); len(calls) < least {
		ts.Fatalf("%d calls, want at least %d, in\n%s", len(calls), least, text)
	}
}

// within N fails if the last output has more than N bytes.
func within(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := strconv.Atoi(args[0])
	ts.Check(err)
	if text := ts.ReadFile("stdout"); neg || len(text) > limit {
		ts.Fatalf("%d bytes, want at most %d:\n%s", len(text), limit, text)
	}
}

// awaits FILE TEXT waits until a file holds a text.
func awaits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: awaits FILE TEXT")
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if b, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && strings.Contains(string(b), args[1]) {
			return
		}
	}
	ts.Fatalf("%s does not hold %q", args[0], args[1])
}

// rewrite FILE OLD NEW replaces bytes in a file by as many others, like a disk fault.
func rewrite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || len(args[1]) != len(args[2]) {
		ts.Fatalf("usage: rewrite FILE OLD NEW")
	}
	name := ts.MkAbs(args[0])
	content, err := os.ReadFile(name)
	ts.Check(err)
	if !bytes.Contains(content, []byte(args[1])) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(name, bytes.ReplaceAll(content, []byte(args[1]), []byte(args[2])), 0o644))
}

func TestMeterTellsRateAndTimeLeft(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var out strings.Builder
	m := cli.NewMeter(&out, func() time.Time { return now })
	step := func(d time.Duration, p scrape.Progress, want string) {
		t.Helper()
		now = now.Add(d)
		out.Reset()
		m.Show(p)
		if got := strings.TrimPrefix(out.String(), "\r\x1b[K"); got != want {
			t.Errorf("drew %q, want %q", got, want)
		}
	}
	step(2*time.Second, scrape.Progress{Stage: "files", Done: 100, Total: 400}, "files 100/400  50/s  6s left")
	step(time.Millisecond, scrape.Progress{Stage: "files", Done: 164, Total: 400}, "") // too soon
	step(time.Second, scrape.Progress{Stage: "history", Done: 64}, "files 164/400  55/s  4s left  commits 64")
	step(0, scrape.Progress{Stage: "publish"}, "publishing the index")
}
