package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"patina/bench/eval/fixture"
	"patina/cmd/internal/cli"
	"patina/internal/printable"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	fitted = flag.Bool("fitted", false, "hold the ranks with a model that is fitted to the fixture too (some seconds)")
)

// goldenDir holds questions.json, one text an answer, and rank_stats.txt.
var goldenDir = filepath.Join("testdata", "goldens")

// The command's output on the fixture, and the ranks of the expected results, must equal the golden
// files. A change in ranking or in a text is reviewed as a diff:
//
//	go test -tags sqlite_fts5 -run TestGoldens ./cmd/patina -update
//
// The index has the unchanged built-in model. Its vectors are sums of whole numbers, so they are
// the same on every machine, and rounding in later steps does not reach the printed digits. A fit
// has the same bits on amd64 and arm64 (TestFitHasTheSameBitsOnEveryProcessor). -fitted also
// compares the ranks after a fit, on amd64 only.
//
// The commits are the same everywhere (package fixture). They are old, so "recent" asks for a
// century. Query ids, times and the day of the scrape are replaced.
func TestGoldens(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred answers")
	}
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	t.Run("answers", func(t *testing.T) { g.answers(t) })
	t.Run("calls", func(t *testing.T) { g.calls(t) })
	t.Run("ranks", func(t *testing.T) { g.hold(t, "rank_stats.txt", g.rankStats()) })
	t.Run("fitted", func(t *testing.T) {
		if !*fitted {
			t.Skip("without -fitted")
		}
		if runtime.GOARCH != "amd64" {
			t.Skipf("last bits of the fit differ on %s", runtime.GOARCH)
		}
		g.run("scrape", "--full")
		g.hold(t, "rank_stats_fitted.txt", g.rankStats())
	})
	if *update && !t.Failed() {
		g.sweep()
	}
}

// goldens runs the command on the fixture, in this process.
type goldens struct {
	t         *testing.T
	root      string // the fixture
	dir       string // the golden files
	questions []goldenQuestion
	held      map[string]bool
}

func layGoldens(t *testing.T) *goldens {
	t.Helper()
	dir, err := filepath.Abs(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &goldens{t: t, dir: dir, root: filepath.Join(tmp, "tidemark"), held: map[string]bool{"questions.json": true}}
	if err := os.Mkdir(g.root, 0o755); err != nil {
		t.Fatal(err)
	}
	commits, err := fixture.Lay(t.Context(), g.root)
	if err != nil {
		t.Fatal(err)
	}
	g.questions = readGoldenQuestions(t, filepath.Join(dir, "questions.json"), commits)
	for name, value := range map[string]string{
		"HOME": tmp, "PATINA_HOME": filepath.Join(tmp, "home"), "PATINA_TIMEOUT": "5m", "NO_COLOR": "1",
		"PATINA_REFRESH":    "5m", // a busy machine may need more than 30 ms for all folders
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": tmp,
		"GIT_AUTHOR_EMAIL": "ines@tidemark.example",
	} {
		t.Setenv(name, value)
	}
	t.Chdir(g.root)
	return g
}

// run calls the command once. It returns the output, and the exit code unless that is 0.
func (g *goldens) run(args ...string) string { return g.runWith("", args...) }

func (g *goldens) runWith(in string, args ...string) string {
	g.t.Helper()
	var out, errs strings.Builder
	code := run(args, strings.NewReader(in), &out, &errs)
	if code == cli.ExitError || code == cli.ExitPartial {
		g.t.Fatalf("patina %s: exit %d: %s", strings.Join(args, " "), code, errs.String())
	}
	text := out.String() + errs.String()
	if code != cli.ExitFound {
		text += fmt.Sprintf("[exit %d]\n", code)
	}
	return g.plain(text)
}

// passing matches text that differs between runs, with its replacement.
var passing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`q_\d{12}_[a-z]{3}`), "q_ID"},
	{regexp.MustCompile(`(?m)^(q_ID .*), \d+ ms$`), "$1, T ms"},
	{regexp.MustCompile(`since \d{4}-\d\d-\d\d, as of`), "since DAY, as of"},
	{regexp.MustCompile(`scraped \d{4}-\d\d-\d\d`), "scraped DAY"},
	{regexp.MustCompile(`("(?:took_ms|elapsed_ms|ms)": )\d+(?:\.\d+)?`), "${1}0"},
	{regexp.MustCompile(`("(?:scraped|scraped_at|time)": )"20[2-9][0-9]-[^"]*"`), `$1"DAY"`},
}

func (g *goldens) plain(text string) string {
	text = strings.ReplaceAll(text, g.root, "/tidemark")
	for _, p := range passing {
		text = p.pattern.ReplaceAllString(text, p.instead)
	}
	return text
}

// answers compares the answers to all questions.
func (g *goldens) answers(t *testing.T) {
	for _, q := range g.questions {
		args := slices.Concat([]string{"scry"}, q.Args)
		in, words := "", q.Query
		if strings.Contains(q.Query, "\n") {
			in, words = q.Query, "-"
		}
		text := "$ patina " + strings.Join(append(args, printable.ShellQuote(words)), " ") + "\n"
		answer := g.runWith(in, append(args, words)...)
		descends(t, q.ID, answer)
		g.hold(t, q.ID+".txt", text+answer)
	}
}

var scoreForm = regexp.MustCompile(`(?m)^\d+\. .*\((<?)(\d\.\d\d)\)`)

// descends checks that scores never rise along an answer, and that an answer with a first score
// under 0.20 has a heading.
func descends(t *testing.T, id, answer string) {
	t.Helper()
	last := 1.0
	for i, m := range scoreForm.FindAllStringSubmatch(answer, -1) {
		score, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if score > last || score == 0 {
			t.Errorf("%s: score %s%.2f behind %.2f", id, m[1], score, last)
		}
		if i == 0 && score < 0.2 && !strings.Contains(answer, "weak matches") &&
			!strings.Contains(answer, "nothing relevant") {
			t.Errorf("%s: the first score is %.2f, without a heading", id, score)
		}
		last = score
	}
}

// goldenCalls lists calls other than questions, grouped by golden file.
var goldenCalls = map[string][]string{
	"call-recent": {
		"scry recent --days 36500", "scry recent --days 36500 --path collector/** --limit 4",
		"scry recent --days 36500 --lang rust --limit 3",
	},
	"call-orient": {"scry orient .", "scry orient server", "scry orient engine/src --limit 3", "scry orient layer"},
	"call-why": {
		"scry why server/internal/ingest/gateway.go", "scry why collector/tidemark/spool.py --limit 3",
		"scry why engine/src/compaction.rs which segments are merged next",
		"scry why server/internal/lease/lease.go::Holder.Acquire how does a lease move to another node",
		"scry why README.md how does a lease move to another node",
	},
	"call-detail": {
		"scry --detail engine/src/compaction.rs::choose", "scry --detail pattern:docs/glossary.md",
		"scry --detail collector/tidemark/retry.py --page 1", "scry --detail docs/adr/0001-own-storage-engine.md",
		"scry --detail pattern:docs/adr/0001-own-storage-engine.md#decision",
	},
	"call-file": {
		"scry --file server/internal/ingest/gateway.go", "scry --file web/src/legacy/poller.ts",
		"scry --file docs/api.rst",
	},
	"call-lists": {
		"scry --symbols how are duplicate readings recognised", "scry --vimgrep downsample",
		"scry -l how does the block cache evict",
		"scry --limit 3 --explain how is a bearer token verified",
	},
	"call-assay": {
		"assay callers Gateway.Accept", "assay callers append",
		"assay callees server/internal/lease/lease.go::Holder.Acquire",
		"assay callees retrying", "assay imports web/src/main.tsx", "assay importers server/internal/engine",
		"assay importers collector/tidemark/errors.py", "assay importers engine/src/codec.rs",
		"assay functions *downsample*",
		"assay functions server/internal/query/exec.go", "assay types server/internal/alert",
		"assay types engine/src/error.rs",
		"assay inventory engine/src", "assay co-changes server/internal/ingest/gateway.go", "assay callers NoSuchThing",
	},
	"call-oracles": {
		"scry --oracle lexical --limit 4 why leases instead of raft",
		"scry --oracle semantic --limit 4 why leases instead of raft",
		"scry --oracle temporal --limit 4 why leases instead of raft",
		"scry --budget 200 how are duplicate readings recognised",
	},
	"call-json": {
		"scry --json --limit 2 how does the block cache choose what to evict",
		"assay --json callers retrying",
	},
}

func (g *goldens) calls(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(goldenCalls)) {
		text := ""
		for _, call := range goldenCalls[name] {
			text += "$ patina " + call + "\n" + g.run(strings.Fields(call)...) + "\n"
		}
		g.hold(t, name+".txt", text)
	}
}

// hold compares a text with its golden file, or rewrites the file.
func (g *goldens) hold(t *testing.T, name, got string) {
	t.Helper()
	g.held[name] = true
	path := filepath.Join(g.dir, name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update rewrites it):\n%s", name, difference(string(want), got))
	}
}

// difference returns the lines that are in only one text.
func difference(want, got string) string {
	var b strings.Builder
	for _, side := range []struct{ sign, text, other string }{{"-", want, got}, {"+", got, want}} {
		there := map[string]int{}
		for line := range strings.Lines(side.other) {
			there[line]++
		}
		for line := range strings.Lines(side.text) {
			if there[line]--; there[line] < 0 {
				b.WriteString(side.sign + line)
			}
		}
	}
	return b.String()
}

// sweep removes golden files without a question.
func (g *goldens) sweep() {
	g.held["rank_stats_fitted.txt"] = true
	files, err := os.ReadDir(g.dir)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, f := range files {
		if !g.held[f.Name()] {
			if err := os.Remove(filepath.Join(g.dir, f.Name())); err != nil {
				g.t.Fatal(err)
			}
		}
	}
}
