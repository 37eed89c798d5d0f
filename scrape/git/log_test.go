package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/store/doc"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// hostileConfig changes every setting that affects git's output.
const hostileConfig = `
[log]
	showSignature = true
	follow = true
	showRoot = false
	mailmap = true
	decorate = full
	diffMerges = combined
	date = relative
[color]
	ui = always
	diff = always
[format]
	pretty = "x%x00%x00y"
	notes = true
[diff]
	renames = copies
	renameLimit = 1
	relative = true
	noprefix = true
	ignoreSubmodules = all
	external = false
	orderFile = /no/such/file
	nameOnly = false
[core]
	quotePath = true
	pager = false
	fsmonitor = "touch fsmonitor-was-run"
[i18n]
	logOutputEncoding = UTF-16
	commitEncoding = UTF-8
[notes]
	displayRef = refs/notes/*
[alias]
	diff-tree = "!false"
[diff "x"]
	command = false
	textconv = false
`

// hostileMachine sets hostileConfig in the repository and for the user, and sets a hook's variables
// in the environment.
func hostileMachine(t *testing.T, dir string) {
	t.Helper()
	name := filepath.Join(dir, ".git/config")
	historyWrite(t, name, string(read(t, name))+hostileConfig)
	user := filepath.Join(t.TempDir(), "gitconfig")
	historyWrite(t, user, hostileConfig)
	for _, v := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		t.Setenv(v, user)
	}
	for _, v := range []string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_EXTERNAL_DIFF",
	} {
		t.Setenv(v, "/no/such/place")
	}
	t.Setenv("GIT_LITERAL_PATHSPECS", "1")
	historyWrite(t, filepath.Join(dir, ".mailmap"), "Mailmap <m@m> A U Thor <a@b>\n")
	historyWrite(t, filepath.Join(dir, ".git/info/attributes"), "* diff=x\n")
}

func TestLogReadsWhatWasWritten(t *testing.T) {
	for seed := range int64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := newModel(t, seed, 120)
			git(t, m.dir, "notes", "add", "-m", "a note\x01", m.head)
			hostileMachine(t, m.dir)
			tree := find(t, m.dir)
			all := mustCollect(t, tree, "")
			m.compare(t, all, m.ancestors(m.head))
			for _, i := range []int{0, len(all) / 3, len(all) - 2, len(all) - 1} {
				expected := m.ancestors(m.head)
				for id := range m.ancestors(all[i].SHA) {
					delete(expected, id)
				}
				m.compare(t, mustCollect(t, tree, all[i].SHA), expected)
			}
			if _, err := os.Stat(filepath.Join(m.dir, ".git/fsmonitor-was-run")); err == nil {
				t.Error("git ran a program that the repository names")
			}
		})
	}
}

// compare checks commits against the expected ones: their order first, then all fields.
func (m *model) compare(t *testing.T, got []doc.Revision, expected map[string]bool) {
	t.Helper()
	if len(got) != len(expected) {
		t.Fatalf("%d commits, want %d", len(got), len(expected))
	}
	seen := map[string]bool{}
	for i, rev := range got {
		for _, p := range m.parents[rev.SHA] {
			if expected[p] && !seen[p] {
				t.Errorf("commit %s comes before its parent", rev.SHA)
			}
		}
		seen[rev.SHA] = true
		rev.Files = sorted(rev.Files)
		if want := m.want[rev.SHA]; !reflect.DeepEqual(rev, want) {
			t.Errorf("commit %d:\n got %#v\nwant %#v", i, rev, want)
		}
	}
	if n := len(got); n > 0 && got[n-1].SHA != m.head {
		t.Errorf("the last one is %s, not HEAD", got[n-1].SHA)
	}
}

func TestLogOfOddCommits(t *testing.T) {
	dir := newRepo(t)
	long := strings.Repeat("é", maxField) // two bytes each
	tests := []struct {
		raw           string // a commit object after its tree and parent
		subject, body string
		author        string
		time          int64
	}{
		{"author A <a> 1 +0000\ncommitter C <c> 7 +0000\n\n", "", "", "A", 7},
		{"author A <a> 1 +0000\ncommitter C <c> 7 +0000\n", "", "", "A", 7},
		{"author A <a> 1 +0000\ncommitter C <c> 7 +0000\n\n\n\n  one\ntwo\n\n\nthree\n\n", "one two", "three", "A", 7},
		{
			"author \xc4 <a> 1 +0000\ncommitter C <c> 7 +0000\nencoding ISO-8859-1\n\n\xe9t\xe9\n\n\xfc\n", "été", "ü",
			"Ä", 7,
		},
		{"author A <a> 1 +0000\ncommitter C <c> 7 +0000\nencoding no-such\n\n\xe9t\xe9\n", "\uFFFDt\uFFFD", "", "A", 7},
		{"author A <a> 1 +0000\ncommitter C <c> 7 +0000\n\nsub\x00ject\n\nbo\x00dy\n", "sub", "", "A", 7},
		{"author A <a> 1 +0000\ncommitter C <c> 7 +0000\n\nx\n\n" + long, "x", long[:maxField], "A", 7},
		{
			"author A <a> 1 +0000\ncommitter C <c> 7 +0000\n\nx\n\na" + strings.Repeat(long, 4), "x",
			"a" + long[:maxField-2], "A", 7,
		},
		{"author A <a> 1 +0000\ncommitter C <c> 999999999999999999 +0000\n\nlate", "late", "", "A", lastTime},
		{"author A <a> 1 +0000\ncommitter C <c> -5 +0000\n\nearly", "early", "", "A", 0},
		{"author nobody\ncommitter no one\n\nno people", "no people", "", "", 0},
	}
	parent := ""
	empty := gitInput(t, dir, "", "hash-object", "-t", "tree", "-w", "--stdin")
	for _, test := range tests {
		parent = gitInput(t, dir, "tree "+empty+"\n"+parent+test.raw, "hash-object", "-t", "commit", "-w",
			"--literally", "--stdin")
		git(t, dir, "update-ref", "refs/heads/main", parent)
		parent = "parent " + parent + "\n"
	}
	got := mustCollect(t, find(t, dir), "")
	if len(got) != len(tests) {
		t.Fatalf("%d commits, want %d", len(got), len(tests))
	}
	for i, test := range tests {
		if g := got[i]; g.Subject != test.subject || g.Body != test.body || g.Author != test.author ||
			g.Time.Unix() != test.time {
			t.Errorf("commit %d:\n got %.80q %.80q %q %v\nwant %.80q %.80q %q %d",
				i, g.Subject, g.Body, g.Author, g.Time.Unix(), test.subject, test.body, test.author, test.time)
		}
	}
}

func TestLogWithoutCommits(t *testing.T) {
	if revs := mustCollect(t, find(t, newRepo(t)), ""); revs != nil {
		t.Errorf("an unborn branch: %v", revs)
	}
}

func TestLogSince(t *testing.T) {
	dir := newRepo(t)
	commit(t, dir, "one", "a", "1")
	for _, since := range []string{"HEAD", "--all", "main", strings.Repeat("A", 40), strings.Repeat("0", 39) + "1"} {
		if revs, err := collect(t, find(t, dir), since); err == nil || errors.Is(err, ErrIncomplete) || len(revs) > 0 {
			t.Errorf("since %q: %d commits, %v", since, len(revs), err)
		}
	}
}

func TestLogWithMissingObjects(t *testing.T) {
	tests := []struct {
		name, object string
		want         []string
		complete     bool
	}{
		{"a file", "HEAD~3:a", []string{"one", "two", "three", "four", "five", "six"}, true},
		// Four differs from three, whose tree is missing.
		{"a tree", "HEAD~3^{tree}", []string{"one", "two", "five", "six"}, false},
		{"the last tree", "HEAD^{tree}", []string{"one", "two", "three", "four", "five"}, false},
		{"a subtree", "HEAD~3:d", []string{"one", "two", "five", "six"}, false},
		// Four cannot be compared with three.
		{"a commit", "HEAD~3", []string{"five", "six"}, false},
		{"the first commit", "HEAD~5", []string{"three", "four", "five", "six"}, false},
	}
	for _, test := range tests {
		for _, graph := range []bool{false, true} {
			t.Run(fmt.Sprint(test.name, ", commit graph ", graph), func(t *testing.T) {
				dir := newRepo(t)
				for _, m := range []string{"one", "two", "three", "four", "five", "six"} {
					commit(t, dir, m, "a", m, "d/b", m)
				}
				if graph { // git then knows a missing commit's parents
					git(t, dir, "commit-graph", "write", "--reachable")
				}
				id := historyLose(t, dir, test.object)
				revs, err := collect(t, find(t, dir), "")
				if test.complete != (err == nil) || err != nil && !errors.Is(err, ErrIncomplete) {
					t.Fatalf("error: %v", err)
				}
				if err != nil && !strings.Contains(err.Error(), id) {
					t.Errorf("error does not name %s: %v", id, err)
				}
				got := subjects(revs)
				if graph && !test.complete && len(got) >= len(test.want) { // may be more, by the graph
					got = got[len(got)-len(test.want):]
					if strings.HasSuffix(test.name, "tree") {
						got = subjects(revs)
					}
				}
				check(t, "commits", got, test.want)
			})
		}
	}
}

// renames writes five commits: one file is renamed as it is, the other with a changed line.
func renames(t *testing.T) string {
	dir := newRepo(t)
	text := strings.Repeat("a line of some length\n", 20)
	commit(t, dir, "begin", "a", text, "old/b", "b\n"+text)
	commit(t, dir, "edit", "a", text+"more\n")
	git(t, dir, "mv", "a", "c")
	git(t, dir, "mv", "old", "new")
	commit(t, dir, "rename", "new/b", "b\n"+text+"changed\n")
	commit(t, dir, "edit again", "c", text+"most\n", "a", "another file\n")
	git(t, dir, "mv", "c", "d")
	commit(t, dir, "rename again")
	return dir
}

func TestLogOfRenamedFiles(t *testing.T) {
	exact := []doc.Move{{From: "a", To: "c"}}
	both := []doc.Move{{From: "a", To: "c"}, {From: "old/b", To: "new/b"}}
	for _, test := range []struct {
		name  string
		make  func(t *testing.T) string
		moves []doc.Move // of the third commit
	}{
		{"whole", renames, both},
		{"a hostile machine", func(t *testing.T) string {
			dir := renames(t)
			hostileMachine(t, dir)
			return dir
		}, both},
		{"a file missing", func(t *testing.T) string {
			dir := renames(t)
			historyLose(t, dir, "HEAD:new/b")
			return dir
		}, exact},
		{"a clone without files", func(t *testing.T) string {
			dir := renames(t)
			git(t, dir, "config", "uploadpack.allowFilter", "true")
			clone := filepath.Join(t.TempDir(), "clone")
			git(t, dir, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+dir, clone)
			return clone
		}, exact},
	} {
		t.Run(test.name, func(t *testing.T) {
			revs, err := collect(t, find(t, test.make(t)), "")
			if err != nil {
				t.Fatal(err)
			}
			check(t, "commits", subjects(revs), []string{"begin", "edit", "rename", "edit again", "rename again"})
			check(t, "files", revs[2].Files, []string{"a", "c", "new/b", "old/b"})
			check(t, "files", revs[4].Files, []string{"c", "d"})
			for i, want := range [][]doc.Move{nil, nil, test.moves, nil, {{From: "c", To: "d"}}} {
				got := slices.Clone(revs[i].Moves)
				slices.SortFunc(got, func(x, y doc.Move) int { return strings.Compare(x.From, y.From) })
				check(t, "renames of "+revs[i].Subject, got, want)
			}
		})
	}
}

func TestLogOfShallowClone(t *testing.T) {
	dir := newRepo(t)
	for _, m := range []string{"one", "two", "three"} {
		commit(t, dir, m, m, m)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, dir, "clone", "-q", "--depth=2", "file://"+dir, clone)
	revs := mustCollect(t, find(t, clone), "")
	check(t, "commits", subjects(revs), []string{"two", "three"})
	check(t, "files at the cut", revs[0].Files, nil)
	check(t, "files", revs[1].Files, []string{"three"})
}

func TestLogNamesSubmodules(t *testing.T) {
	dir := newRepo(t)
	one := commit(t, dir, "one", ".gitmodules", "[submodule \"s\"]\n\tpath = sub\n\turl = x\n\tignore = all\n")
	git(t, dir, "config", "submodule.s.ignore", "all")
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+one+",sub")
	git(t, dir, "commit", "-q", "-m", "two")
	git(t, dir, "config", "diff.ignoreSubmodules", "all")
	revs := mustCollect(t, find(t, dir), one)
	check(t, "commits", subjects(revs), []string{"two"})
	check(t, "files", revs[0].Files, []string{"sub"})
}

// A clone without trees has nothing to compare. Log must say so, and must not let git fetch trees.
func TestLogOfCloneWithoutTrees(t *testing.T) {
	dir := newRepo(t)
	for i := range 5 {
		commit(t, dir, fmt.Sprint(i), "a", fmt.Sprint(i))
	}
	git(t, dir, "config", "uploadpack.allowFilter", "true")
	git(t, dir, "config", "uploadpack.allowAnySHA1InWant", "true")
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, dir, "clone", "-q", "--no-checkout", "--filter=tree:0", "file://"+dir, clone)
	objects := func() string { return git(t, clone, "count-objects", "-v") }
	before := objects()
	if revs, err := collect(t, find(t, clone), ""); !errors.Is(err, ErrIncomplete) {
		t.Errorf("%d commits, %v", len(revs), err)
	}
	check(t, "objects", objects(), before)
}

func TestLogStops(t *testing.T) {
	m := newModel(t, 99, 300)
	tree := find(t, m.dir)
	head, _, err := tree.Head()
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("enough")
	n := 0
	err = tree.Log(context.Background(), head, nil, nil, func(doc.Revision) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	})
	if err != stop || n != 3 {
		t.Errorf("each failed: %d calls, %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = tree.Log(ctx, head, nil, nil, func(doc.Revision) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := tree.Log(ctx, head, nil, nil, func(doc.Revision) error { return stop }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	noChildren(t)
}

// noChildren checks that no process is left, not even a dead one. Only Linux shows it.
func noChildren(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		if data, err := os.ReadFile(list); err == nil && len(data) > 0 {
			t.Errorf("processes left: %s", data)
		}
	}
}

// TestLogOfRealRepositories compares with git's plain commands on the repositories in
// PATINA_HISTORY_REPOS, separated by colons.
func TestLogOfRealRepositories(t *testing.T) {
	for _, dir := range filepath.SplitList(os.Getenv("PATINA_HISTORY_REPOS")) {
		t.Run(dir, func(t *testing.T) {
			tree := find(t, dir)
			start := time.Now()
			revs := mustCollect(t, tree, "")
			t.Logf("%d commits, %.0f/s", len(revs), float64(len(revs))/time.Since(start).Seconds())
			check(t, "number", fmt.Sprint(len(revs)), git(t, dir, "rev-list", "--count", "HEAD"))
			var text, files strings.Builder
			merges := 0
			slices.SortFunc(revs, func(a, b doc.Revision) int { return strings.Compare(a.SHA, b.SHA) })
			for _, r := range revs {
				fmt.Fprintf(&text, "%s %d %s <%s> %s\n", r.SHA, r.Time.Unix(), r.Author, r.Email, r.Subject)
				if r.Merge {
					merges++
				}
				for _, f := range r.Files {
					fmt.Fprintf(&files, "%s\n", f)
				}
			}
			check(t, "merges", fmt.Sprint(merges), git(t, dir, "rev-list", "--count", "--merges", "HEAD"))
			same(t, "subjects", text.String(), git(t, dir, "log", "--format=%H %ct %an <%ae> %s", "HEAD"))
			same(t, "files", files.String(), git(t, dir, "-c", "core.quotePath=false", "log", "--format=",
				"--name-only", "--no-renames", "--no-merges", "HEAD"))
		})
	}
}

// same compares two texts as counted sets of lines. Runs of blanks count as one.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	words := func(text string) (all []string) {
		for line := range strings.Lines(text) {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				all = append(all, line)
			}
		}
		return sorted(all)
	}
	g, w := words(got), words(want)
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s:\n got %q\nwant %q", what, g[i], w[i])
		}
	}
	check(t, what, len(g), len(w))
}
