package text

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFileNameOf(t *testing.T) {
	for path, want := range map[string]FileName{
		"lib/url_map.rb":           {"urlmap", []string{"url", "map"}},
		"src/QueryEngine.test.tsx": {"queryengine", []string{"queri", "engin"}},
		"pkg/sessions/__init__.py": {"sessions", []string{"session"}},
		"a/b-c/index.ts":           {"bc", []string{"b", "c"}},
		"crates/core/mod.rs":       {"core", []string{"core"}},
		"__init__.py":              {"init", []string{"init"}},
		"lib.rs":                   {"lib", []string{"lib"}},
		".gitignore":               {"gitignore", []string{"gitignor"}},
		"docs/.config.d/x":         {"x", []string{"x"}},
		"数据/连接.go":                 {"连接", []string{"连接"}},
		"":                         {},
		"a/":                       {},
		"a/---.txt":                {},
	} {
		got := FileNameOf(path)
		if got.Stem != want.Stem || !slices.Equal(got.Words, want.Words) {
			t.Errorf("name of %q: %q, want %q", path, got, want)
		}
	}
}

func TestTitleOf(t *testing.T) {
	for title, want := range map[string][]string{
		"How are trials that return handled?":      {"trial", "return", "handl"},
		"Pools > What a pool keeps > a `PoolSize`": {"pool", "size"},
		"retries of retries":                       {"retri"},
		"How to":                                   nil,
		"":                                         nil,
		" > ":                                      nil,
	} {
		if got := TitleOf(title); got.Stem != "" || !slices.Equal(got.Words, want) {
			t.Errorf("title %q: %q, want words %q", title, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []struct {
		path, question string
		want           bool
	}{
		{"url_map.rb", "where is the url map built", true},
		{"urlmap.rb", "where is the URLMap built", true},
		{"a_b_c.go", "x a b c", true},
		{"a_b_c_d.go", "a b c d", false},
		{"url_map.rb", "the url of a map", false},
		{"connect.go", "who closes connections", true},
		{"file.go", "filing", true},
		{"connection.go", "who connects", false},
		{"tasks.ts", "state of a task", true},
		{"batches.go", "where is a batch closed", true},
		{"queries.py", "what a query may hold", true},
		{"ids.go", "where does id come from", false}, // two letters are too few
		{"process.c", "in which proc", false},
		{"use.rs", "how do I use sessions", false},
		{"use.rs", "use", true},
		{"builtin.go", "which functions are built in", true},
		{"sessions/__init__.py", "sessions", true},
		{"---.go", "anything", false},
		{"a.go", "", false},
	} {
		q := ParseQuestion(c.question)
		if got := FileNameOf(c.path).Named(&q); got != c.want {
			t.Errorf("%q named by %q: %v", c.path, c.question, got)
		}
	}
}

func TestSoftEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"queri", "queri", true},
		{"rout", "router", true},
		{"arg", "argum", true},   // 3 letters, and 5
		{"arg", "argume", false}, // 6
		{"go", "good", false},
		{"config", "configur", true},
		{"initi", "initab", false}, // 4 letters alike
		{"serializ", "seriali", true},
		{"connector", "connecti", true}, // 7 of 9
		{"internat", "interpolat", false},
		{"abcdefgxyz", "abcdefguvw", true},  // 7 of 10
		{"abcdefxyzt", "abcdefuvwt", false}, // 6 of 10
		{"数据", "数据库", false},                // letters, not bytes
		{"数据库连", "数据库连接池", true},            //
		{"données", "donnèes", false},       // 4 letters alike
		{"", "x", false},
	} {
		if SoftEqual(c.a, c.b) != c.want || SoftEqual(c.b, c.a) != c.want {
			t.Errorf("SoftEqual(%q, %q) is not %v both ways", c.a, c.b, c.want)
		}
	}
}

func TestCoverage(t *testing.T) {
	weights := map[string]float64{"url": 3, "map": 1, "build": 4}
	idf := func(parts []string) (w []float64) {
		for _, p := range parts {
			w = append(w, weights[p])
		}
		return w
	}
	for _, c := range []struct {
		path, question string
		want           float64
	}{
		{"url_map.rb", "url map", 1},
		{"url_map.rb", "build the url", math.Sqrt(3. / 7 * 1 / 2)},
		{"url.rb", "build the url map", math.Sqrt(3. / 8)},
		{"other.rb", "url map", 0},
		{"url.rb", "the", 0},
		{"unknown.rb", "unknown", 0}, // without weight
		{"---", "url", 0},
	} {
		q := ParseQuestion(c.question)
		if got := FileNameOf(c.path).Coverage(q.Parts, idf(q.Parts)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("coverage of %q by %q: %v, want %v", c.path, c.question, got, c.want)
		}
	}
}

// Named is called for hundreds of files for each question, so a pasted text must not make it slow.
func BenchmarkNamesLongQuestion(b *testing.B) {
	q := ParseQuestion(strings.Repeat("the request handler reads a configuration and routes it ", 2000))
	n := FileNameOf("src/routing_table.go")
	idf := slices.Repeat([]float64{1}, len(q.Parts))
	for b.Loop() {
		n.Named(&q)
		n.Coverage(q.Parts, idf)
	}
}
