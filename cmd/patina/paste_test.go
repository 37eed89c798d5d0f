package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
	"patina/internal/printable"
)

// hostile holds parts of names that a shell, a terminal or patina itself could misread.
var hostile = []string{
	"$(touch x)", "`touch x`", "'; touch x; '", `"; touch x; "`, `\'; touch x; \'`, `$'\'; touch x; \''`, "; touch x #",
	"|touch x", "&touch x&",
	"\ntouch x\n", "\x1b]0;owned\x07", "\x1b[2J", "\r", "\t", "\u202e", "\u009b31m", "\xff", "\x01", "-", "--help",
	"--store=x", "~", "~root", "*", "?", "[a]", "{a,b}", "!", "!!", "!1",
	"%1", "^", "=ls", "#", "(", ")", "<x", ">x", "a  b", " ", "$HOME", "${IFS}", "$x", "\\", "\\\\", "\\n", "'", "''",
	`"`, "é", "検索", "👩‍💻", "q_260202143000_abc", "::", "commit:", "pattern:", "=", " · touch x",
}

// names returns n different names made of them. Most can be quoted for a shell.
func names(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	spelled := slices.DeleteFunc(slices.Clone(hostile), func(s string) bool { return printable.ShellQuote(s) == "" })
	out := slices.Clone(hostile)
	for len(out) < n {
		pieces, name := spelled, ""
		if len(out)%16 == 0 {
			pieces = hostile
		}
		for range 1 + r.IntN(4) {
			name += pieces[r.IntN(len(pieces))]
		}
		if len(name) < 120 && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// A printed is a printed call, and the words that the program must receive. If want is nil, the
// shells must only agree.
type printed struct {
	call string
	want []string
}

// A repository may have files, folders, branches and symbols of any name. In every shell here, each
// printed call must pass the exact words to the program, run nothing else, and find an answer.
func TestPastedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("1,560 commands")
	}
	const folders, each = 14, 110
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	root, index := filepath.Join(tmp, "it's $(touch x)  `touch x`"), filepath.Join(tmp, "-index '; touch x; '")
	t.Setenv("PATINA_HOME", filepath.Join(tmp, "home"))
	t.Setenv("PATINA_TIMEOUT", "5m")
	t.Setenv("PATINA_REFRESH", "5m")
	t.Setenv("PATINA_LOG_QUERIES", "false") // otherwise answers name documents by their rank
	t.Setenv("GIT_CEILING_DIRECTORIES", tmp)
	for i, name := range names(folders * each) {
		file := filepath.Join(root, fmt.Sprintf("d%d", i%folders), name+".go")
		if i%7 == 0 {
			file = filepath.Join(root, fmt.Sprintf("d%d", i%folders), name, name)
		}
		check(t, os.MkdirAll(filepath.Dir(file), 0o755))
		check(t, os.WriteFile(file,
			fmt.Appendf(nil, "package p\n\n// Teapot%d pours.\nfunc Teapot%d() { Kettle() }\n", i, i), 0o644))
	}
	check(t, os.WriteFile(filepath.Join(root, "-a.md"),
		[]byte("# Kettles '; touch x; '\n\nSteam.\n\n## $(touch x) `touch x`\n\nWater.\n"), 0o644))
	methods := "class Cup {\n"
	for i, name := range hostile {
		methods += fmt.Sprintf("  // Saucer %d.\n  %q() { return Kettle() }\n", i, strings.ToValidUTF8(name, ""))
	}
	check(t, os.WriteFile(filepath.Join(root, "cup.js"), []byte(methods+"}\n"), 0o644))
	t.Chdir(root)
	patina(t, "scrape")
	patina(t, "scrape", "--store", index)

	var calls []printed
	silent := 0
	for i := range folders {
		store := [][]string{nil, {"--store", index}}[i%2]
		args := append([]string{
			"scry", "--json=full", "--limit", "100", "--path", fmt.Sprintf("d%d/**", i),
			"teapot pours",
		}, store...)
		for id, call := range deeper(t, patina(t, args...)) {
			if printable.ShellQuote(id) != "" && call == "" || printable.ShellQuote(id) == "" && call != "" {
				t.Errorf("%q: printed %q", id, call)
			}
			if call == "" {
				silent++
				continue
			}
			calls = append(calls, printed{call, append(append([]string{"scry"}, store...), "--detail", id)})
		}
	}
	whole := len(calls)
	for _, args := range [][]string{
		{"scry", "teapot"},
		{"scry", "kettles steam"},
		{"scry", "--store", index, "water"},
		{"scry", "orient", "."},
		{"scry", "--budget", "9000", "--limit", "40", "saucer"},
		{"scry", "why", "cup.js"},
		{"assay", "callers", "Kettle"},
		{"assay", "callees", "cup.js"},
		{"assay", "imports", "."},
	} {
		calls = append(calls, advertised(patina(t, args...))...)
	}
	for _, symbol := range symbols(t, patina(t, "assay", "--json", "functions", "cup.js")) {
		calls = append(calls, advertised(patina(t, "scry", "--detail", symbol))...)
	}
	for i := 0; i < whole; i += 30 {
		calls = append(calls, advertised(patina(t, calls[i].want...))...)
	}
	t.Logf("%d calls, %d results without one", len(calls), silent)
	if len(calls) < 1251 || silent == 0 {
		t.Errorf("%d calls, %d results without one", len(calls), silent)
	}
	paste(t, calls)
	answer(t, calls, 24)
}

// patina runs the command in this process. It may find nothing relevant.
func patina(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := run(args, strings.NewReader(""), &out, &errs); code > cli.ExitNothing {
		t.Fatalf("patina %q: exit code %d: %s%s", args, code, out.String(), errs.String())
	}
	return out.String()
}

// deeper returns the calls in a JSON answer, by doc_id.
func deeper(t *testing.T, answer string) map[string]string {
	t.Helper()
	var a struct {
		Results []struct {
			DocID string `json:"doc_id"`
			Call  string `json:"dig_deeper"`
		}
	}
	check(t, json.Unmarshal([]byte(answer), &a))
	out := make(map[string]string)
	for _, r := range a.Results {
		if !strings.ContainsRune(r.DocID, '\ufffd') { // JSON cannot have the original bytes
			out[r.DocID] = r.Call
		} else if r.Call != "" {
			t.Errorf("%q: printed %q", r.DocID, r.Call)
		}
	}
	return out
}

// symbols returns the doc_ids in the JSON of assay.
func symbols(t *testing.T, answer string) (ids []string) {
	t.Helper()
	var a struct {
		Facts []struct {
			DocID string `json:"doc_id"`
		}
	}
	check(t, json.Unmarshal([]byte(answer), &a))
	for _, f := range a.Facts {
		ids = append(ids, f.DocID)
	}
	return ids
}

// advertised returns the calls at the end of a text.
func advertised(text string) (calls []printed) {
	for _, m := range deeperLine.FindAllStringSubmatch(text, -1) {
		for _, call := range strings.Split(m[1], " · ") {
			calls = append(calls, printed{call: call})
		}
	}
	return calls
}

// shells are the shells that read calls. record defines a function that prints a call's words.
var shells = []struct {
	name   []string
	record string
}{
	{[]string{"sh"}, posix},
	{[]string{"dash"}, posix},
	{[]string{"bash", "-O", "extglob"}, "set -o history -o histexpand\n" + posix},
	{[]string{"zsh"}, "setopt extendedglob banghist\n" + posix},
	{[]string{"ksh"}, posix},
	{[]string{"busybox", "sh"}, posix},
	{[]string{"fish"}, "function patina\nprintf '%s\\0' (count $argv) $argv\nend\n"},
}

const posix = "patina() {\nprintf '%s\\0' $# \"$@\"\n}\n"

// paste passes all calls to each shell at once. Each shell must read the same words, the wanted
// ones, and touch nothing.
func paste(t *testing.T, calls []printed) {
	var script strings.Builder
	for _, c := range calls {
		script.WriteString(c.call + "\n")
	}
	first := ""
	for _, sh := range shells {
		path, err := exec.LookPath(sh.name[0])
		if err != nil {
			t.Logf("no %s here", sh.name[0])
			continue
		}
		dir := t.TempDir()
		file := filepath.Join(t.TempDir(), "script")
		check(t, os.WriteFile(file, []byte(sh.record+script.String()), 0o644))
		c := exec.Command(path, append(sh.name[1:], file)...)
		c.Dir = dir
		var errs strings.Builder
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil || errs.Len() > 0 {
			t.Errorf("%s: %v: %s", sh.name, err, errs.String())
		}
		if made, _ := os.ReadDir(dir); len(made) > 0 {
			t.Errorf("%s: a call made %v", sh.name, made)
		}
		if first == "" {
			first = string(out)
		}
		if string(out) != first {
			t.Errorf("%s reads other words than the shell before", sh.name)
		}
	}
	if first == "" {
		t.Fatal("no shell was tried")
	}
	read := recorded(t, first)
	if len(read) != len(calls) {
		t.Fatalf("%d calls were read, %d printed", len(read), len(calls))
	}
	for i, c := range calls {
		if c.want != nil && !slices.Equal(read[i], c.want) {
			t.Errorf("%s\nis read as %q, want %q", c.call, read[i], c.want)
		}
	}
}

// recorded returns the words of each call.
func recorded(t *testing.T, out string) (all [][]string) {
	t.Helper()
	words := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for len(words) > 0 {
		n := 0
		if _, err := fmt.Sscan(words[0], &n); err != nil || n >= len(words) {
			t.Fatalf("cannot read %q", words)
		}
		all = append(all, words[1:1+n])
		words = words[1+n:]
	}
	return all
}

// answer runs about n of the calls with the real program.
func answer(t *testing.T, calls []printed, n int) {
	for i := 0; i < len(calls); i += max(1, len(calls)/n) {
		if out, err := exec.Command("sh", "-c", calls[i].call).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", calls[i].call, err, out)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a call made x")
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
