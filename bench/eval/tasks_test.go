package eval

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNamesOfPaths(t *testing.T) {
	for text, want := range map[string]bool{
		"src/a.go":                         true,
		"1. [code] src/a.go:12-40 Open":    true,
		"→ callers src/a.go::Open (2)":     true,
		"./src/a.go:3:func a()":            true,
		"It is in src/a.go.":               true,
		"lib/src/a.go src/a.go":            true,
		"--file src/a.go\n":                true,
		"lib/src/a.go":                     false,
		"../src/a.go":                      false,
		"src/a.go.orig":                    false,
		"src/a.gold":                       false,
		"xsrc/a.go":                        false,
		"core…src/a.go":                    false,
		"src/a.go/b":                       false,
		"src/ a.go":                        false,
		"src/a.gosrc/a.go src/a.go_ src/a": false,
		"":                                 false,
	} {
		if got := names(text, "src/a.go"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestArgumentsOfRipgrep(t *testing.T) {
	for line, want := range map[string][]string{
		`-i 'a.?b|c' src`:            {"-i", "a.?b|c", "src"},
		`"it's" -g '!*_test.go'`:     {"it's", "-g", "!*_test.go"},
		`'"result"|tui\.X' "a\"b\n"`: {`"result"|tui\.X`, `a"b\n`},
		`a\ b '' c"d"'e'`:            {"a b", "", "cde"},
		`-e -x .`:                    {"-e", "-x", "."},
		"  two\twords ":              {"two", "words"},
		`--pre cat x`:                nil,
		`--pre=cat x`:                nil,
		`-z x`:                       nil,
		`x --hostname-bin=touch`:     nil,
		`x -- --files`:               nil,
		`'open`:                      nil,
		`"open`:                      nil,
		`end\`:                       nil,
		`x -g`:                       nil,
		``:                           nil,
	} {
		got, err := RipgrepArgs(line)
		if (err != nil) != (want == nil) || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
}

func FuzzRipgrepArgs(f *testing.F) {
	for _, s := range []string{`-i 'a|b' src`, `"a\"b" \x`, `'`, `-g`, `-e --pre=x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		args, err := RipgrepArgs(s)
		if err != nil {
			return
		}
		quoted := ""
		for i, a := range args {
			isValue := i > 0 && slices.Contains(valueFlags, args[i-1])
			if strings.HasPrefix(a, "--pre") && !isValue {
				t.Errorf("%q lets ripgrep start a program", s)
			}
			quoted += "'" + strings.ReplaceAll(a, "'", `'\''`) + "' "
		}
		if again, err := RipgrepArgs(quoted); err != nil || !slices.Equal(again, args) {
			t.Errorf("%q is %q, and %q is %q, %v", s, args, quoted, again, err)
		}
	})
}

func FuzzTasks(f *testing.F) {
	f.Add([]byte(goodTask))
	f.Add([]byte(`[{}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := parseTasks(b)
		for _, x := range list {
			if filepath.Base(x.Name) != x.Name || len(x.Files) == 0 || err != nil {
				t.Errorf("%+v, %v", x, err)
			}
		}
	})
}

const goodTask = `[{"id": "a", "repo": "o/n", "name": "n", "revision": "0123456789012345678901234567890123456789",
	"commit": "x", "task": "Drop jobs.", "files": ["queue/queue.go"], "rg": ["-i job"]}]`

func TestTasksThatAreRefused(t *testing.T) {
	if list, err := parseTasks([]byte(goodTask)); err != nil || len(list) != 1 || list[0].Files[0] != "queue/queue.go" {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, x := range []struct{ old, new, want string }{
		{`"id": "a"`, `"id": " "`, `"id"`},
		{`"Drop jobs."`, `""`, `"task"`},
		{`"name": "n"`, `"name": "../n"`, `"name"`},
		{`"name": "n"`, `"name": "."`, `"name"`},
		{`0123456789",`, `",`, `"revision"`},
		{`["queue/queue.go"]`, `[]`, `"files"`},
		{`["queue/queue.go"]`, `["/etc/passwd"]`, `"files"`},
		{`["queue/queue.go"]`, `["a", "a"]`, `"files"`},
		{`-i job`, `--pre=x job`, `"rg"`},
		{`}]`, `},` + strings.Trim(goodTask, "[]") + `]`, "twice"},
		{`}]`, `}] x`, "after the end"},
		{goodTask, `[]`, "no tasks"},
	} {
		_, err := parseTasks([]byte(strings.Replace(goodTask, x.old, x.new, 1)))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.new, err)
		}
	}
	if _, err := LoadTasks(filepath.Join(t.TempDir(), "none.json")); err == nil {
		t.Error("a missing file is read")
	}
}

// printing returns tools that print by their arguments, and the calls made. Without an entry
// nothing is printed.
func printing(texts map[string]string) (Tools, *[]string) {
	var made []string
	say := func(call string) (string, error) {
		made = append(made, call)
		return texts[call], nil
	}
	return Tools{
		Patina:  func(_ context.Context, _ string, args ...string) (string, error) { return say(strings.Join(args, " ")) },
		Ripgrep: func(_ context.Context, args []string) (string, error) { return say("rg " + strings.Join(args, " ")) },
		Read: func(path string, first, count int) (string, error) {
			if count != around {
				return "", errors.New("not sixty lines")
			}
			return say(path + " " + strings.Repeat("+", first/100))
		},
	}, &made
}

var invented = []string{"a.go", "b.go", "c.go", "d/e.go", "f.go"}

func TestScriptWithPatina(t *testing.T) {
	tools, made := printing(map[string]string{
		"-":                     "q_1_x  intent: general\n\n1. [commit] 12 \"x\"\n2. [code] a.go:1-9 A\n   → co-changes b.go (3)\n3. [code] c.go:4-5 C\n",
		"--file a.go":           "[code] a.go:1-99\n",
		"--content-type code -": "q_2_y\n\n1. [code] c.go:1-9 C\n2. [code] f.go:1-2 F\n3. [code] gone.go:1-2\n",
		"--detail q_1_x 3":      "see d/e.go.",
	})
	task := Task{ID: "x", Task: "Drop jobs.", Files: []string{"b.go", "d/e.go"}}
	p, err := task.WithPatina(t.Context(), invented, tools)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"-", "--file a.go", "--content-type code -", "--file c.go", "--content-type commit -", "--detail q_1_x 2", "--detail q_1_x 3"}
	if !slices.Equal(*made, want) || len(p.Calls) != 7 || !p.All || p.Seen != 2 || p.Paths != 5 {
		t.Errorf("made %q: %+v", *made, p)
	}
	if !slices.Equal(p.Calls[0].Seen, []string{"b.go"}) || !slices.Equal(p.Calls[6].Seen, []string{"d/e.go"}) {
		t.Errorf("seen in %+v", p.Calls)
	}
	if first := p.Calls[0].Tokens; first != len("q_1_x  intent: general\n\n1. [commit] 12 \"x\"\n2. [code] a.go:1-9 A\n   → co-changes b.go (3)\n3. [code] c.go:4-5 C\n")/4 {
		t.Errorf("%d tokens", first)
	}
}

// Without any result the calls that need one are left out.
func TestScriptWithPatinaFindsNothing(t *testing.T) {
	tools, made := printing(nil)
	p, err := Task{ID: "x", Files: []string{"b.go"}}.WithPatina(t.Context(), invented, tools)
	if want := []string{"-", "--content-type code -", "--content-type commit -"}; err != nil || !slices.Equal(*made, want) || p.All || p.Paths != 0 {
		t.Errorf("made %q: %+v, %v", *made, p, err)
	}
	if _, err := (Task{ID: "x", Files: []string{"gone.go"}}).WithPatina(t.Context(), invented, tools); err == nil || !strings.Contains(err.Error(), "gone.go") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestScriptWithRipgrep(t *testing.T) {
	tools, made := printing(map[string]string{
		"rg -i one": "a.go:7:one\nc.go:230:one\nc.go:240:One\n",
		"rg -l two": "./f.go\nf.go.txt\n",
		"c.go ++":   "imports d/e.go",
	})
	task := Task{ID: "x", Files: []string{"a.go", "d/e.go"}, RG: []string{"-i one", "-l two"}}
	p, err := task.WithRipgrep(t.Context(), invented, tools)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"rg -i one", "rg -l two", "c.go ++"}; !slices.Equal(*made, want) || !p.All || p.Paths != 4 {
		t.Errorf("made %q: %+v", *made, p)
	}
	*made, task.Files = nil, []string{"b.go"}
	p, err = task.WithRipgrep(t.Context(), invented, tools)
	if want := []string{"rg -i one", "rg -l two", "c.go ++", "a.go ", "f.go "}; err != nil || !slices.Equal(*made, want) || p.Seen != 0 {
		t.Errorf("made %q: %+v, %v", *made, p, err)
	}
	task.RG = slices.Repeat([]string{"-i one"}, 9)
	if p, err = task.WithRipgrep(t.Context(), invented, tools); err != nil || len(p.Calls) != 8 {
		t.Errorf("%d calls, %v", len(p.Calls), err)
	}
}

func TestTaskReport(t *testing.T) {
	play := func(calls, tokens, seen int, all bool) Play {
		return Play{Calls: make([]Call, calls), Tokens: tokens, Seen: seen, All: all, Paths: tokens / 10}
	}
	rg := []Play{play(2, 600, 2, true), play(8, 900, 1, false)}
	r := &TaskReport{Tasks: []TaskPlays{
		{ID: "a", Repo: "o/a", Wanted: 2, Patina: play(1, 400, 2, true), Ripgrep: &rg[0]},
		{ID: "b", Repo: "o/b", Wanted: 4, Patina: play(3, 900, 4, true), Ripgrep: &rg[1]},
	}}
	for _, want := range []string{
		"| o/a | 1 | rg | 1.000 [1.000, 1.000] | 1.000 [1.000, 1.000] | 2 | 600 | 60 |\n",
		"| all | 2 | patina | 1.000 [1.000, 1.000] | 1.000 [1.000, 1.000] | 2 | 650 | 65 |\n",
		"| all | 2 | rg | 0.500 [0.500, 0.500] | 0.625 [0.625, 0.625] | 5 | 750 | 75 |\n",
		"| files seen | +0.375 [+0.375, +0.375] | 0 | 1 | 1 |\n",
		"| tokens | -100.0 [-100.0, -100.0] | 1 | 0 | 1 |\n",
		"both saw all files in 1 tasks; patina: 1 calls, 400 tokens; rg: 2 calls, 600 tokens\n",
	} {
		if got := textOf(t, r); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	r.Tasks[1].Ripgrep = nil
	if got := textOf(t, r); !strings.Contains(got, "rg is not on PATH: its half is left out\n") || strings.Contains(got, "| rg |") {
		t.Errorf("without rg:\n%s", got)
	}
}

func textOf(t *testing.T, r *TaskReport) string {
	t.Helper()
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
