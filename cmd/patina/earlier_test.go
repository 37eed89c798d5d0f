package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
)

// A renaming is a call in an earlier form and in the form that the help shows.
type renaming struct{ earlier, now string }

// reading are calls that change nothing. QUERY, NOTE and the like are replaced by ids of the
// project (newForms).
var reading = []renaming{
	// show
	{"scry --detail QUERY 1", "show QUERY 1"},
	{"scry --detail QUERY 99", "show QUERY 99"},
	{"scry --json --detail QUERY 2", "show --json QUERY 2"},
	{"scry --detail engine/src/compaction.rs::choose", "show engine/src/compaction.rs::choose"},
	{"scry --detail pattern:docs/glossary.md", "show pattern:docs/glossary.md"},
	{"scry --detail collector/tidemark/retry.py --page 1", "show collector/tidemark/retry.py --page 1"},
	{"scry --detail README.md --page 77", "show README.md --page 77"},
	{"scry --detail Gateway.Accept --budget 200", "show Gateway.Accept --budget 200"},
	{"scry --detail server/internal/lease/lease.go:40", "show server/internal/lease/lease.go:40"},
	{"scry --detail commit:COMMIT", "show commit:COMMIT"},
	{"scry --json --detail README.md", "show --json README.md"},
	{"scry --detail no/such.go", "show no/such.go"},
	{"scry --detail belief:jitter-every-retry", "show belief:jitter-every-retry --source"},
	{"scry --belief jitter-every-retry", "show belief:jitter-every-retry"},
	{"scry --json --belief jitter-every-retry", "show --json belief:jitter-every-retry"},
	{"scry --belief jitter-every-retry --content-type code", "show belief:jitter-every-retry --code"},
	{"scry --belief nobody", "show belief:nobody"},
	{"scry --file server/internal/ingest/gateway.go", "show server/internal/ingest/gateway.go --co-changes"},
	{"scry --file docs/api.rst --json", "show docs/api.rst --co-changes --json"},
	{"scry --file README.md -n 2", "show README.md --co-changes -n 2"},
	{"scry --file server", "show server --co-changes"},
	{"scry --file /etc/passwd", "show /etc/passwd --co-changes"},
	{"scry --repo oven --detail oven/oven.go", "show --repo oven oven/oven.go"},
	// grep
	{"scry --literal downsample", "grep -F downsample"},
	{"scry --literal 'func (' --path 'server/**' -n 3", "grep -F 'func (' --path 'server/**' -n 3"},
	{"scry --regex 'func \\(\\w+ \\*Holder\\)' --lang go", "grep 'func \\(\\w+ \\*Holder\\)' --lang go"},
	{"scry --regex 'TODO|FIXME' -l", "grep -l 'TODO|FIXME'"},
	{"scry --literal retry -l0", "grep -F retry -l0"},
	{"scry --literal retry --vimgrep", "grep -F retry --vimgrep"},
	{"scry --literal retry --format {{.path}}", "grep -F retry --format {{.path}}"},
	{"scry --literal retry --symbols", "grep -F retry --symbols"},
	{"scry --literal retry --json --content-type code", "grep --fixed-strings retry --json --content-type code"},
	{"scry --literal 'no line has this'", "grep -F 'no line has this'"},
	{"scry --literal=-", "grep -F -- -"},
	{"scry --repo oven --regex 'Pre.eat'", "grep --repo oven 'Pre.eat'"},
	// recent
	{"scry recent", "recent"},
	{"scry recent --days 36500", "recent --days 36500"},
	{
		"scry recent --days 36500 --path 'collector/**' --limit 4 --json",
		"recent --days 36500 --path 'collector/**' --limit 4 --json",
	},
	{"scry recent --days 36500 --lang rust -n 3", "recent --days 36500 --lang rust -n 3"},
	{"scry recent --since 2015 --until 2024", "recent --since 2015 --until 2024"},
	{"scry recent --days 36500 --author ines", "recent --days 36500 --author ines"},
	{"scry recent --since 2015 --days 3", "recent --since 2015 --days 3"},
	{"scry recent --days 0", "recent --days 0"},
	// orient
	{"scry orient .", "orient"},
	{"scry orient .", "orient ."},
	{"scry orient server", "orient server"},
	{"scry orient engine/src --limit 3 --json", "orient engine/src --limit 3 --json"},
	{"scry --repo oven orient .", "orient --repo oven"},
	// why
	{"scry why server/internal/ingest/gateway.go", "why server/internal/ingest/gateway.go"},
	{"scry why collector/tidemark/spool.py --limit 3", "why collector/tidemark/spool.py --limit 3"},
	{"scry why server/internal/lease/lease.go::Holder.Acquire", "why server/internal/lease/lease.go::Holder.Acquire"},
	{
		"scry why engine/src/compaction.rs which segments are merged next",
		"why engine/src/compaction.rs which segments are merged next",
	},
	{"scry why belief:jitter-every-retry", "why belief:jitter-every-retry"},
	{"scry why belief:jitter-every-retry --json", "why belief:jitter-every-retry --json"},
	{"scry why leases instead of raft", "why leases instead of raft"},
	{"scry why 'leases instead of raft'", "why 'leases instead of raft'"},
	{"scry --repo oven why oven/oven.go", "why --repo oven oven/oven.go"},
	{"scry why /etc/passwd", "why /etc/passwd"},
	// assay
	{"assay callers Gateway.Accept", "callers Gateway.Accept"},
	{"assay callers append --limit 2", "callers append --limit 2"},
	{"assay callers retrying --json", "callers retrying --json"},
	{"assay callers NoSuchThing", "callers NoSuchThing"},
	{"assay callers", "callers"},
	{"assay --repo oven callers Preheat", "callers --repo oven Preheat"},
	{"assay --query-type callees --pattern retrying", "assay callees retrying"},
	{"context --topic retries", "context retries"},
	// beliefs
	{"belief audit", "belief check --only links"},
	{"belief audit --strict --json", "belief check --only links --strict --json"},
	{"belief verify", "belief check --only checks"},
	{"belief verify jitter-every-retry --strict", "belief check jitter-every-retry --only checks --strict"},
	{"belief verify --json", "belief check --only checks --json"},
	{"belief verify nobody", "belief check nobody --only checks"},
	{"belief graph", "belief list --graph mermaid"},
	{"belief graph --format dot", "belief list --graph dot"},
	{"belief graph --format json", "belief list --graph json"},
	{"belief graph --format png", "belief list --graph png"},
	{"belief graph jitter-every-retry --format svg", "belief show jitter-every-retry --graph svg"},
	{"belief reach jitter-every-retry", "show belief:jitter-every-retry --code"},
	{"belief reach --path collector/tidemark/retry.py", "belief list --about collector/tidemark/retry.py"},
	{
		"belief reach --path collector/tidemark/retry.py --json",
		"belief list --about collector/tidemark/retry.py --json",
	},
	// notes
	{"memory inject 'how large is the pool'", "memory recall --inject 'how large is the pool'"},
	{
		"memory inject pool --budget 100 --max 0 --format json",
		"memory recall --inject pool --budget 100 --max 0 --format json",
	},
	{
		"memory inject pool --format table --tags db --sessions no",
		"memory recall --inject pool --format table --tags db --sessions no",
	},
	{"memory inject pool --budget 1", "memory recall --inject pool --budget 1"},
	{"memory inject -", "memory recall --inject -"},
	{"memory inject dumplings", "memory recall --inject dumplings"},
	{"persona list", "memory list --everywhere"},
	{"persona list", "memory --everywhere list"},
	{"persona list --domain go --all --json", "memory list --everywhere --tags go --all --json"},
	{"persona list --limit 1", "memory list --everywhere --limit 1"},
	{"persona query how do I write tests", "memory recall --everywhere how do I write tests"},
	{"persona query --domain go --json tests", "memory recall --everywhere --tags go --json tests"},
	{"persona query dumplings", "memory recall --everywhere dumplings"},
	{"persona status", "memory stats --everywhere"},
	{"persona status --json", "memory stats --everywhere --json"},
	// repositories
	{"mother graph", "repo list --graph mermaid"},
	{"mother graph --format json", "repo list --graph json"},
	{"mother stats", "repo list --edges"},
	{"mother stats --json", "repo list --edges --json"},
	{"mother suggest", "repo suggest"},
	{"mother suggest --json", "repo suggest --json"},
	{"mother learn", "repo learn"},
	// measuring
	{"eval retrieval -q QUESTIONS", "eval -q QUESTIONS"},
	{"eval retrieval -q QUESTIONS --content-type code --json", "eval -q QUESTIONS --content-type code --json"},
	{"eval retrieval -q no-such-file", "eval -q no-such-file"},
	{"tokens", "eval tokens sessions"},
	{"version", "--version"},
}

// changing are calls that change something. Each runs on its own home.
var changing = []renaming{
	{"memory pin NOTE", "memory edit NOTE --pin"},
	{"memory unpin PINNED", "memory edit PINNED --pin=false"},
	{"memory pin NOTE --json", "memory edit NOTE --pin --json"},
	{"memory pin m-nobody", "memory edit m-nobody --pin"},
	{"memory supersede NOTE PINNED", "memory edit NOTE --superseded-by PINNED"},
	{"memory supersede NOTE PINNED --json", "memory edit NOTE --superseded-by PINNED --json"},
	{
		"persona note 'I like long tests' --domain go --source review",
		"memory add --everywhere 'I like long tests' --tags go --source review",
	},
	{"persona note --json -", "memory add --everywhere --json -"},
	{
		"persona note --supersedes EVERYWHERE 'I write tables'",
		"memory add --everywhere --supersedes EVERYWHERE 'I write tables'",
	},
	{
		"persona note 'the token is ghp_aB3dE6gH9aB3dE6gH9aB3dE6gH9aB3dE6gH9'",
		"memory add --everywhere 'the token is ghp_aB3dE6gH9aB3dE6gH9aB3dE6gH9aB3dE6gH9'",
	},
	{"belief accept SOURCE", "belief add --from SOURCE"},
	{"belief accept SOURCE --id said-so --facet x", "belief add said-so --from SOURCE --facet x"},
	{"belief accept nowhere.go:1", "belief add --from nowhere.go:1"},
	{"belief dismiss SOURCE", "belief proposed --dismiss SOURCE"},
	{"belief dismiss --undo SOURCE", "belief proposed --dismiss SOURCE --undo"},
	{"mother sync", "repo sync"},
	{"mother sync nobody", "repo sync nobody"},
	{"repo update oven", "repo sync oven --fetch"},
	{"mother link oven tidemark LEARNS_FROM --weight 0.7", "repo link oven tidemark LEARNS_FROM --weight 0.7"},
	{"mother unlink tidemark oven", "repo link tidemark oven --remove"},
	{"mother unlink tidemark oven USES", "repo link tidemark oven USES --remove"},
	{"mother unlink oven tidemark", "repo link oven tidemark --remove"},
	{"mother learn --forget", "repo learn --forget"},
}

// passingIDs match differences between two equal calls, beside those that goldens replace.
var passingIDs = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`evt_[0-9a-f]+`), "evt_ID"},
	{regexp.MustCompile(`\d+(\.\d+)?(ms|µs|s)\b`), "TIME"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`), "MOMENT"},
}

// newForms prepares the fixture for both tables, and returns the ids for the names in them.
func newForms(t *testing.T) (g *goldens, names map[string]string) {
	t.Helper()
	g = layGoldens(t)
	// A reason that may be a belief, two packages that depend on each other, and a check.
	for name, text := range map[string]string{
		"queue/queue.go": "package queue\n\n// The limit must never be raised at run time, because readers hold a\n// pointer into the ring.\n\nconst limit = 16\n\n// New makes a queue.\nfunc New() int { return limit }\n",
		"go.mod":         "module example.org/tidemark\n\nrequire example.org/oven v1.0.0\n",
		"layer/surface/epistemic/beliefs/queues-are-small.md": "---\nid: queues-are-small\ntype: belief\nstatus: active\n---\n\n# queues-are-small\n\nA queue has a small limit.\n\n## Evidence\n\n- [[queue/queue.go]] - its limit\n- [[no/such/file.go]] - gone\n\n## Verification\n\n```verify type=\"sql\" label=\"No async functions\" expect=\"= 0\"\nSELECT COUNT(*) FROM function_facts WHERE is_async = 1\n```\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"add", "-A"},
		{"-c", "user.name=Ines", "-c", "user.email=ines@tidemark.example", "commit", "-qm", "feat: a queue"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	g.run("scrape", "--no-adapt")
	layCallsLibrary(t, g)
	names = map[string]string{"QUESTIONS": filepath.Join(t.TempDir(), "questions.json")}
	if err := os.WriteFile(names["QUESTIONS"],
		[]byte(`[{"id": "q", "query": "how does the block cache evict", "expect": ["engine/src/cache.rs"]}]`),
		0o644); err != nil {
		t.Fatal(err)
	}
	output := func(args ...string) string {
		out, errs, code := outputOf(args, "")
		if code != cli.ExitFound {
			t.Fatalf("patina %q: exit %d: %s", args, code, errs)
		}
		return strings.TrimSpace(out)
	}
	names["NOTE"] = output("memory", "add", "the pool size is 8 in production", "--tags", "db")
	names["PINNED"] = output("memory", "add", "the pool of the tests has no limit", "--pin")
	names["EVERYWHERE"] = output("memory", "add", "--everywhere", "I write table tests", "--tags", "go")
	var proposed struct{ Proposals []struct{ Source string } }
	if err := json.Unmarshal([]byte(output("belief", "proposed", "--json")), &proposed); err != nil ||
		len(proposed.Proposals) == 0 {
		t.Fatalf("%v: no sentence is proposed", err)
	}
	names["SOURCE"] = proposed.Proposals[0].Source
	commit, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	names["COMMIT"] = strings.TrimSpace(string(commit))
	var answer struct {
		QueryID string `json:"query_id"`
	}
	if err := json.Unmarshal([]byte(output("scry", "--json", "how does the block cache evict")), &answer); err != nil ||
		answer.QueryID == "" {
		t.Fatalf("%v: no query id", err)
	}
	names["QUERY"] = answer.QueryID
	return g, names
}

// outputOf runs the command once in this process.
func outputOf(args []string, in string) (out, errs string, code int) {
	var o, e strings.Builder
	code = run(args, strings.NewReader(in), &o, &e)
	return o.String(), e.String(), code
}

// wordsOf splits a call into words as a shell does, and replaces the names of a table.
func wordsOf(call string, names map[string]string) []string {
	var words []string
	for _, word := range shellWord.FindAllString(call, -1) {
		word = strings.ReplaceAll(word, "'", "")
		for _, name := range nameForm.FindAllString(word, -1) {
			if value, ok := names[name]; ok {
				word = strings.ReplaceAll(word, name, value)
			}
		}
		words = append(words, word)
	}
	return words
}

var (
	shellWord = regexp.MustCompile(`('[^']*'|[^' ])+`)
	nameForm  = regexp.MustCompile(`[A-Z]{4,}`)
)

// answerForm returns the output of a call on both streams and its exit code, without varying parts.
func (g *goldens) answerForm(args []string) string {
	out, errs, code := outputOf(args, "add a retry to the pool\n")
	text := g.plain(out + "\n-- errors --\n" + errs)
	for _, p := range passingIDs {
		text = p.pattern.ReplaceAllString(text, p.instead)
	}
	return text + "\n-- exit " + string(rune('0'+code%10)) + " --\n"
}

// Earlier forms of calls print the same bytes as the present ones, with the same exit code.
func TestEarlierFormsAnswerAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("every earlier command, one after another")
	}
	g, names := newForms(t)
	found := 0
	for _, x := range reading {
		earlier, now := g.answerForm(wordsOf(x.earlier, names)), g.answerForm(wordsOf(x.now, names))
		if earlier != now {
			t.Errorf("patina %s and patina %s differ:\n%s", x.earlier, x.now, difference(earlier, now))
		}
		if strings.HasSuffix(now, "-- exit 0 --\n") {
			found++
		}
	}
	if least := len(reading) * 2 / 3; found < least {
		t.Errorf("%d of %d calls found something, want %d", found, len(reading), least)
	}
}

func TestEarlierFormsChangeAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("every earlier command, one after another")
	}
	g, names := newForms(t)
	g.run("repo", "sync")
	home, kept := os.Getenv("PATINA_HOME"), filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(kept, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	back := func() {
		t.Helper()
		if err := os.RemoveAll(home); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(home, os.DirFS(kept)); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("git", "clean", "-fdq").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	states := [][]string{
		{"memory", "list", "--all", "--json"},
		{"persona", "list", "--all"},
		{"belief", "proposed", "--dismissed"},
		{"repo", "list", "--edges"},
		{"repo", "list"},
	}
	for _, x := range changing {
		var said [2]string
		for i, call := range []string{x.earlier, x.now} {
			back()
			said[i] = g.answerForm(wordsOf(call, names))
			for _, state := range states {
				said[i] += g.answerForm(state)
			}
			files, err := exec.Command("git", "status", "--porcelain", "-uall").Output()
			if err != nil {
				t.Fatal(err)
			}
			// Repositories are read side by side, and end in any order.
			said[i] = strings.Join(slices.Sorted(strings.Lines(said[i]+string(files))), "")
		}
		if said[0] != said[1] {
			t.Errorf("patina %s and patina %s differ:\n%s", x.earlier, x.now, difference(said[0], said[1]))
		}
	}
}
