package text

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestSwitch(t *testing.T) {
	twenty := strings.TrimSpace(strings.Repeat("word ", LongWords))
	for _, c := range []struct {
		text string
		long bool
	}{
		{"how does the lock expire", false},
		{twenty, true},
		{strings.TrimSuffix(twenty, " word"), false},
		{"怎样才能在所有的请求都已经处理完毕之后安全地关闭连接池而不丢失任何数据", false}, // some 18 words
		{strings.Repeat("连接池", 15), true},
		{"parser.py:12: what is this", false},
		{"crash\n```\nf(1)\n```", true},
		{"crash\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f", true},
		{"crash\nat f (/app/a.js:1:2)", false}, // one frame may be an example
		{"crash\nat f (/app/a.js:1:2)\nat g (/app/b.js:3:4)", true},
		{"crash\ngoroutine 1 [running]:\nmain.main()", true},
		{"```", false}, // names nothing
	} {
		if q := ParseQuestion(c.text); q.Long != c.long {
			t.Errorf("%q: long %v", c.text, q.Long)
		}
	}
}

// A text that is not long is read word by word, and must leave the fields for long texts empty.
func TestShortQuestionsHaveNothingOfLongOnes(t *testing.T) {
	for _, s := range []string{
		"how does QueryEngine::query run", "`a/b.go` line 3", "why do we use sqlite",
		"fix a.py:3: in `f()`",
	} {
		q := ParseQuestion(s)
		if q.Long || q.Title != "" || q.Weights != nil || q.Mentions.Names != nil ||
			len(q.Mentions.Paths)+len(q.Mentions.Frames) > 0 {
			t.Errorf("%q: %+v", s, q)
		}
	}
}

func TestZones(t *testing.T) {
	names := map[zone]string{
		env: "env", template: "template", trace: "trace", failure: "failure", code: "code",
		prose: "prose", title: "title",
	}
	for name, c := range map[string]struct{ text, want string }{
		"a form": {
			"Parser fails\n\n<!-- read the\nguide -->\n### Describe the bug\nIt stops.\n\n```python\nparse('x')\n```\n## Environment\nanything at all\n\n```\nname\n```\n## More\nwords",
			"title prose code env env env template prose prose",
		},
		"versions in a line": {"Bug\nPython: 3.8.1\nnumpy 1.19.2\nIt takes 3 hours", "title env env prose"},
		"a traceback": {
			"Bug\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    return g(x)\nValueError: bad\nSo it goes.",
			"title trace trace trace failure prose",
		},
		"prompts": {"Bug\n>>> f(1)\nIn [2]: g\n    indented", "title code code code"},
		"a trace without a title": {
			"Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nKeyError: 'x'",
			"trace trace failure",
		},
		"a fence of a trace": {
			"Bug\n```\npanic: oh\n\ngoroutine 1 [running]:\nmain.f()\n\t/src/a.go:3 +0x1d\n```",
			"title template failure trace code trace template",
		},
		"JavaScript": {
			"Bug\nTypeError: x is not a function\n    at low (/app/src/low.js:3:5)\n    at /app/src/main.tsx:1:1\nSo it goes.",
			"title failure trace trace prose",
		},
		"Java": {
			"Bug\nException in thread \"main\" java.lang.IllegalStateException: no\n\tat com.acme.Bar.run(Bar.java:12)\n" +
				"Caused by: java.io.IOException: no\n\tat com.acme.Foo.<init>(Foo.java:5)\n\t... 3 more\nSo it goes.",
			"title trace trace failure trace trace prose",
		},
		"Rust": {
			"Bug\nthread 'main' panicked at src/low.rs:4:5:\nindex out of bounds\nstack backtrace:\n   0: app::low\n             at ./src/low.rs:4:5\nSo it goes.",
			"title trace prose trace trace trace prose",
		},
		"no words before it":     {"-----\n!!!\nIt fails\nand so on", "title prose"},
		"no words in a sentence": {"! " + strings.Repeat("0 ", 20), "title"},
		"one long line":          {"It fails. " + strings.Repeat("and so on ", 10), "title prose"},
	} {
		var got []string
		for l := range zoneLines(c.text) {
			got = append(got, names[l.zone])
		}
		// Fences are of zone template and say nothing, so they are left out on both sides.
		if g, w := without(got), without(strings.Fields(c.want)); !slices.Equal(g, w) {
			t.Errorf("%s: %v, want %v", name, g, w)
		}
	}
}

func without(zones []string) []string {
	return slices.DeleteFunc(zones, func(z string) bool { return z == "template" })
}

func TestWeightsAreThoseOfTheBestZone(t *testing.T) {
	q := ParseQuestion("Lexer drops commas\nThe lexer and the parser fail.\n```\nparser.run(token)\n```\n## Environment\nubuntu lexer")
	for term, want := range map[string]float64{"lexer": 3, "comma": 3, "parser": 1, "token": 0.5, "ubuntu": 0} {
		if got := q.Weights[term]; got != want {
			t.Errorf("weight of %q: %v, want %v", term, got, want)
		}
	}
	if slices.Contains(q.Terms, "ubuntu") || !slices.Equal(q.Words, []string{"lexer", "drops", "commas"}) ||
		q.Title != "Lexer drops commas" {
		t.Errorf("terms %q, words %q, title %q", q.Terms, q.Words, q.Title)
	}
}

// The frames of each language, innermost first.
func TestFrames(t *testing.T) {
	for language, c := range map[string]struct{ trace, want string }{
		"Python": {
			"Traceback (most recent call last):\n  File \"/home/u/app/main.py\", line 3, in <module>\n    run()\n  File \"/home/u/app/lib/run.py\", line 9, in run\n    x\nValueError: no",
			"home/u/app/lib/run.py home/u/app/main.py",
		},
		"pytest": {
			"Test fails\n```\nsrc/app/run.py:9: in run\n    x()\nsrc/app/low.py:4: ValueError\n```",
			"src/app/low.py src/app/run.py",
		},
		"IPython": {
			"Fails\n```\n~/app/run.py in run(self)\n---> 12     x()\n\nFile ~/app/low.py:4, in f(x)\n```",
			"~/app/low.py ~/app/run.py",
		},
		"Windows": {"Fails\n```\n  File \"C:\\app\\run.py\", line 1, in f\n```", "C:/app/run.py"},
		"Go":      {"panic: oh\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/src/app/low.go:3 +0x1d\nmain.main()\n\t/src/app/main.go:7 +0x20", "src/app/low.go src/app/main.go"},
		"Go test": {"Fails\n```\n    run_test.go:12: got 1\n    low.go:3: x\n```", "run_test.go low.go"},
		"Node":    {"TypeError: x is not a function\n    at low (/app/src/low.js:3:5)\n    at async Object.run (file:///app/src/run.mjs:9:1)\n    at /app/src/main.tsx:1:1", "app/src/low.js app/src/run.mjs app/src/main.tsx"},
		"webpack": {
			"TypeError: x\n    at low (webpack:///./src/low.ts:3:5)\n    at run (webpack:///./src/run.ts:3:5)",
			"src/low.ts src/run.ts",
		},
		"Firefox": {
			"Error: x\nlow@http://localhost/src/low.js:3:5\nrun@http://localhost/src/run.js:9:1",
			"localhost/src/low.js localhost/src/run.js",
		},
		"Java":     {"Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat com.acme.low.Bar$1.run(Bar.java:12)\n\tat java.base/java.lang.Thread.run(Thread.java:833)\nCaused by: java.io.IOException: no\n\tat com.acme.Foo.<init>(Foo.java:5)", "com/acme/Foo.java com/acme/low/Bar.java java/lang/Thread.java"},
		"Kotlin":   {"Fails\n```\n\tat com.acme.MainKt.main(Main.kt:3)\n```", "com/acme/Main.kt"},
		"Rust":     {"thread 'main' panicked at src/low.rs:4:5:\nno\nstack backtrace:\n   0: app::low\n             at ./src/low.rs:4:5\n   1: app::main\n             at ./src/main.rs:9:1", "src/low.rs src/main.rs"},
		"old Rust": {"thread 'main' panicked at 'index out of bounds', src/low.rs:4:5\nnote: run with `RUST_BACKTRACE=1`", "src/low.rs"},
		"new Rust": {
			"thread 'main' (4711) panicked at src/low.rs:4:5:\nno\nnote: run with `RUST_BACKTRACE=1`",
			"src/low.rs",
		},
		"rustc": {"It fails\n```\nerror[E0382]: use of moved value\n --> src/low.rs:4:5\n```", "src/low.rs"},
	} {
		q := ParseQuestion(c.trace)
		if got := strings.Join(framePaths(q), " "); !q.Long || got != c.want {
			t.Errorf("%s: long %v, frames %q, want %q", language, q.Long, got, c.want)
		}
	}
}

func framePaths(q Question) []string {
	var paths []string
	for _, f := range q.Mentions.Frames {
		if f.Path != "" {
			paths = appendNew(paths, f.Path, maxFrames)
		}
	}
	return paths
}

func TestMentions(t *testing.T) {
	q := ParseQuestion("Lexer.next drops tokens in parse_all\n" +
		"See https://example.org/x/y/blob/main/src/lex/low.py#L3, ./tools/gen.py and setup.py; run.py too.\n" +
		"Calling `advance` or skip() or the plain word peek fails, says HTTPServer.\n" +
		"```\nreader.advance(self, bits)\n```\n## Environment\nlib/none.py Absent")
	paths := slices.DeleteFunc(slices.Clone(q.Mentions.Paths), func(p string) bool {
		return !strings.HasSuffix(p, ".py")
	})
	if want := []string{"example.org/x/y/blob/main/src/lex/low.py", "tools/gen.py", "run.py"}; !slices.Equal(paths,
		want) {
		t.Errorf("paths %q, want %q", paths, want)
	}
	for name, want := range map[string]float64{
		"Lexer": 0.8, "next": 0.5, "drops": 0.3, "parse_all": 1, "advance": 0.35, "skip": 0.35, "peek": 0,
		"HTTPServer": 0.8 * 0.7, "bits": 0.25, "self": 0, "Absent": 0,
	} {
		if got := q.Mentions.Names[name]; math.Abs(got-want) > 1e-9 {
			t.Errorf("name %q: %v, want %v", name, got, want)
		}
	}
}

// Megabyte-long lines, comments and fences that never end are read whole, in time.
func TestLongTextsOfAnyShape(t *testing.T) {
	for _, piece := range []string{
		"a.py:1: ", "<!-- ", "```\n", "x`", "File \"", "at f(", "é\x00 ", "1.2.3 ", "# ",
		"    ",
	} {
		s := strings.Repeat(piece, 1<<17/len(piece))
		if q := ParseQuestion("title\n" + s); q.Raw == "" {
			t.Errorf("%q: nothing", piece)
		}
	}
}

func FuzzLongText(f *testing.F) {
	f.Add("Fails\n```\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n```\n## Environment\nPython: 3.8\n<!-- x -->")
	f.Add("panic: x\ngoroutine 1 [running]:\n\t/a.go:3 +0x1d\n\tat a.B.c(B.java:1)\n")
	f.Add(">>> x\n**Versions**\n-->\nE   x: y\n" + strings.Repeat("w ", 30))
	f.Fuzz(func(t *testing.T, s string) {
		q := ParseQuestion(s)
		if !q.Long {
			return
		}
		if len(q.Terms) == 0 || len(q.Weights) != len(q.Terms) {
			t.Fatalf("%d terms, %d weights", len(q.Terms), len(q.Weights))
		}
		for _, term := range q.Terms {
			if w := q.Weights[term]; !(w > 0 && w <= 3) {
				t.Fatalf("weight of %q: %v", term, w)
			}
		}
		for _, w := range slices.Collect(maps.Values(q.Mentions.Names)) {
			if !(w > 0 && w <= 1) {
				t.Fatalf("names %v", q.Mentions.Names)
			}
		}
		for _, p := range slices.Concat(q.Mentions.Paths, framePaths(q)) {
			if p == "" || strings.Contains(p, `\`) {
				t.Fatalf("path %q", p)
			}
		}
		if again := ParseQuestion(s); fmt.Sprint(again) != fmt.Sprint(q) {
			t.Fatal("two readings differ")
		}
	})
}

// Each line is among the lines of its weight. Lines that say nothing about the fault are in no
// list.
func TestZonesOfAQuestion(t *testing.T) {
	q := ParseQuestion("Lexer drops commas\nThe parser fails.\nValueError: bad\n```\nparser.run(token)\n```\n## Environment\nubuntu lexer")
	want := []string{"Lexer drops commas\n", "The parser fails.\nValueError: bad\n", "parser.run(token)\n"}
	if !slices.Equal(q.Zones, want) {
		t.Errorf("zones %q, want %q", q.Zones, want)
	}
	if q := ParseQuestion("how does the lock expire"); q.Zones != nil {
		t.Errorf("a short question has zones: %v", q.Zones)
	}
}
