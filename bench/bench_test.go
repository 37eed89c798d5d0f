package main

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"
)

func TestPercentile(t *testing.T) {
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = 100 - i // 1 to 100, unsorted
	}
	for _, test := range []struct {
		values []int
		p      float64
		want   int
	}{
		{[]int{7}, 0.5, 7},
		{[]int{7}, 0.99, 7},
		{[]int{3, 1, 2}, 0.5, 2},
		{[]int{4, 1, 3, 2}, 0.5, 2},
		{hundred, 0.01, 1},
		{hundred, 0.07, 7}, // 0.07·100 is over 7 in floating point
		{hundred, 0.5, 50},
		{hundred, 0.95, 95},
		{hundred, 0.99, 99},
		{hundred, 0.991, 100},
		{hundred, 1, 100},
	} {
		if got := percentile(test.values, test.p); got != test.want {
			t.Errorf("percentile(%d values, %g) = %d, want %d", len(test.values), test.p, got, test.want)
		}
	}
	if hundred[0] != 100 {
		t.Error("percentile changed its argument")
	}
}

// The obvious slow version: the least value that is not exceeded by at least p of all values.
func TestPercentileObviously(t *testing.T) {
	same := func(values []int16, percent uint8) bool {
		if len(values) == 0 {
			return true
		}
		n := int(percent)%100 + 1
		for _, candidate := range slices.Sorted(slices.Values(values)) {
			covered := 0
			for _, v := range values {
				if v <= candidate {
					covered++
				}
			}
			if covered*100 >= n*len(values) {
				return percentile(values, float64(n)/100) == candidate
			}
		}
		return false
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.000", 0.0416: "0.042", 1.25: "1.25", 9.996: "10.00", 12.345: "12.3", 99.94: "99.9", 123.4: "123",
		11478: "11478", -3.14159: "-3.14",
	} {
		if got := digits(v); got != want {
			t.Errorf("digits(%g) = %q, want %q", v, got, want)
		}
	}
}

func TestLatencies(t *testing.T) {
	round := func(ms ...int) (ds []time.Duration) {
		for _, m := range ms {
			ds = append(ds, time.Duration(m)*time.Millisecond)
		}
		return ds
	}
	got := latencies("x", [][]time.Duration{round(1, 2, 9), round(5, 4, 30)}, []float64{0.5, 0.95})
	want := []figure{{"x, p50", "ms", []float64{2, 5}}, {"x, p95", "ms", []float64{9, 30}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("latencies %v, want %v", got, want)
	}
	ratios := medianRatios([][]time.Duration{round(1, 2, 9)}, [][]time.Duration{round(8, 4, 1)})
	if !slices.Equal(ratios, []float64{0.5}) {
		t.Errorf("ratios of medians %v, want [0.5]", ratios)
	}
}

func TestReplaceSection(t *testing.T) {
	section := beginMark + "\nnew\n" + endMark + "\n"
	for _, test := range []struct{ name, old, want string }{
		{"no file", "", section},
		{"no section", "# Results\n\n\n", "# Results\n\n" + section},
		{"in the middle", "a\n" + beginMark + "\nold\n" + endMark + "\nz\n", "a\n" + section + "z\n"},
		{"again", section, section},
		{"no end", "a\n" + beginMark + "\nold\n", ""},
		{"no begin", "a\n" + endMark + "\n", ""},
		{"wrong order", endMark + beginMark, ""},
		{"twice", section + section, ""},
	} {
		got, err := replaceSection(test.old, section)
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
		}
	}
}

// Each row has as many cells as the head, for any figures.
func TestMarkdown(t *testing.T) {
	r := report{tree: &repository{}}
	r.add(figure{"store", "MB", []float64{95.3}}, figure{"first scrape", "s", []float64{3, 1, 2}})
	r.note("a peer")
	text := r.markdown()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 7 {
			t.Errorf("row %q", line)
		}
	}
	for _, want := range []string{
		"| first scrape | s | 1.00 | 2.00 | 3.00 |  |\n", "| store | MB |  | 95.3 |  |  |\n",
		"- a peer\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if got, err := replaceSection(text, text); got != text || err != nil {
		t.Errorf("a report does not replace itself: %v", err)
	}
}

// A figure is printed with its median in the kept results of the same repository.
func TestLastMedians(t *testing.T) {
	kept := report{tree: &repository{}, repository: "a"}
	kept.add(figure{"scrape", "s", []float64{3, 1, 2}}, figure{"— peak memory", "MB", []float64{7}},
		figure{"start", "ms", []float64{4, 5, 6}}, figure{"— peak memory", "MB", []float64{8}})
	file := "# Results\n\n" + kept.markdown()
	now := kept
	now.last = lastMedians(file, "a")
	now.add(figure{"new", "s", []float64{1}})
	for _, want := range []string{
		"| 3.00 | 2.00 |\n", "| 7.00 |  | 7.00 |\n", "| 6.00 | 5.00 |\n",
		"| 8.00 |  | 8.00 |\n", "| new | s |  | 1.00 |  |  |\n",
	} {
		if text := now.markdown(); !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if m := lastMedians(file, "b"); m != nil {
		t.Errorf("of another repository: %v", m)
	}
}

// source returns this module, a repository that is always there.
func source(t *testing.T) *repository {
	t.Helper()
	names, err := walked("..")
	if err != nil {
		t.Fatal(err)
	}
	r := &repository{root: ".."}
	for _, n := range names {
		info, err := os.Lstat(filepath.Join("..", n))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(n, ".go") || strings.HasSuffix(n, ".md") {
			r.files = append(r.files, file{n, info.Size()})
		}
	}
	return r
}

func TestQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("counts every word of this repository")
	}
	r := source(t)
	qs, err := makeQuestions(r, maxQuestions)
	if err != nil {
		t.Fatal(err)
	}
	again, err := makeQuestions(r, maxQuestions)
	if err != nil || !slices.Equal(qs, again) {
		t.Errorf("the same tree gave other questions (%v)", err)
	}
	distinct, lengths := map[string]bool{}, map[int]int{}
	for _, q := range qs {
		distinct[strings.ToLower(q.text)] = true
		lengths[len(strings.Fields(q.text))]++
		if !strings.Contains(strings.ToLower(q.text), q.rare) || q.rare == "" {
			t.Errorf("the rarest word of %q is %q", q.text, q.rare)
		}
	}
	if len(qs) != maxQuestions || len(distinct) != maxQuestions {
		t.Errorf("%d questions, %d different, want %d", len(qs), len(distinct), maxQuestions)
	}
	for n := 1; n <= maxWords; n++ { // how many is a draw, which each change of this tree makes anew
		if lengths[n] == 0 {
			t.Errorf("%d questions of %d words", lengths[n], n)
		}
	}
	if len(lengths) != maxWords {
		t.Errorf("lengths %v, want 1 to %d", lengths, maxWords)
	}
}

func TestTooFewQuestions(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.go", "package a\n\n// Lock holds a row.\nfunc Lock() {}\n")
	r := &repository{root: dir, files: []file{{"a.go", 10}}}
	if qs, err := makeQuestions(r, maxQuestions); err == nil || !strings.Contains(err.Error(), "too little text") {
		t.Errorf("%d questions of four words, %v", len(qs), err)
	}
}

func TestRarest(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.txt", "common seldom")
	write(t, dir, "b.txt", "Common common")
	r := &repository{root: dir, files: []file{{"a.txt", 13}, {"b.txt", 13}}}
	got, err := withRarest(r, []string{"the common Seldom", "common", "absent seldom"})
	want := []question{{"the common Seldom", "seldom"}, {"common", "common"}, {"absent seldom", "absent"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestSentences(t *testing.T) {
	for _, test := range []struct {
		name, text string
		document   bool
		want       []string
	}{
		{
			"comments", "x := 1 // no\n// Lock waits. It is\n// (then) held!\nfunc f() {}\n# A shell one\n", false,
			[]string{"Lock waits", "It is then held", "A shell one"},
		},
		{"block", "/*\n * One line\n */\n", false, []string{"One line"}},
		{
			"document", "# Title\n\nSome *text*; more.\n\n```go\nfunc no() {}\n```\nEnd\n", true,
			[]string{"Title", "Some text", "more", "End"},
		},
		{"nothing", "...\n// ---\n", true, nil},
	} {
		var got []string
		eachSentence([]byte(test.text), test.document, func(words []string) {
			got = append(got, strings.Join(words, " "))
		})
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add([]byte("// A sentence. And (another)!\n\nx"), false)
	f.Add([]byte("```\n# ;\n\xff\x00"), true)
	f.Fuzz(func(t *testing.T, content []byte, document bool) {
		eachSentence(content, document, func(words []string) {
			for _, w := range words {
				if w == "" || strings.ContainsAny(w, " \n") {
					t.Errorf("word %q", w)
				}
			}
		})
	})
}

func TestDefinitions(t *testing.T) {
	source := "func (r *Reader) Lexical(x int)\ntype Store struct\n  def open_file(self):\npub async fn spawn_task()\nexport default class Engine {\nreturn type_of(x)\nfunc f()\n"
	var got []string
	for _, m := range definition.FindAllStringSubmatch(source, -1) {
		got = append(got, m[1])
	}
	if want := []string{"Lexical", "Store", "open_file", "spawn_task", "Engine"}; !slices.Equal(got, want) {
		t.Errorf("definitions %q, want %q", got, want)
	}
}

func TestSample(t *testing.T) {
	s := sample[int]{random: rand.New(rand.NewPCG(1, 2))}
	const n = 10 * sampled
	for i := range n {
		s.add(i)
	}
	late := 0
	for _, x := range s.kept {
		if x >= n/2 {
			late++
		}
	}
	if len(s.kept) != sampled || late < sampled*45/100 || late > sampled*55/100 {
		t.Errorf("%d kept, %d of the later half", len(s.kept), late)
	}
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func paths(r *repository) (out []string) {
	for _, f := range r.files {
		out = append(out, f.path)
	}
	return out
}

func TestCopyOfAFolder(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "tree")
	for _, name := range []string{"a.go", "sub/b.go", ".patina/index", "nested/.git/HEAD", "nested/c.go"} {
		write(t, from, name, "text")
	}
	if err := os.Symlink("a.go", filepath.Join(from, "link.go")); err != nil {
		t.Fatal(err)
	}
	r, err := copied(context.Background(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.go", "sub/b.go"}; !slices.Equal(paths(r), want) || r.bytes != 8 || r.git {
		t.Errorf("copied %q (%d bytes, git %t), want %q", paths(r), r.bytes, r.git, want)
	}
}

// A copy has the same history and files, and the original is unchanged.
func TestCopyOfARepository(t *testing.T) {
	from, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git := func(dir string, args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	git(from, "init", "--quiet")
	write(t, from, "kept.go", "text")
	write(t, from, "gone.go", "text")
	write(t, from, ".gitignore", "ignored\n")
	git(from, "add", ".")
	git(from, "commit", "--quiet", "-m", "first")
	write(t, from, "kept.go", "changed")
	write(t, from, "new.go", "text")
	write(t, from, "ignored", "text")
	if err := os.Remove(filepath.Join(from, "gone.go")); err != nil {
		t.Fatal(err)
	}
	before := git(from, "status", "--porcelain=v2", "--branch")
	to := filepath.Join(t.TempDir(), "tree")
	r, err := copied(context.Background(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{".gitignore", "kept.go", "new.go"}; !slices.Equal(paths(r), want) || !r.git {
		t.Errorf("copied %q (git %t), want %q", paths(r), r.git, want)
	}
	if got := git(to, "log", "--format=%s"); got != "first\n" {
		t.Errorf("history %q", got)
	}
	if got, want := git(to, "status", "--porcelain"), " D gone.go\n M kept.go\n?? new.go\n"; got != want {
		t.Errorf("status %q, want %q", got, want)
	}
	if after := git(from, "status", "--porcelain=v2", "--branch"); after != before {
		t.Errorf("the original changed: %q", after)
	}
}

// A touched file ends with a comment that occurs in no other. Generated files and files of unusual
// size are skipped.
func TestTouchable(t *testing.T) {
	dir := t.TempDir()
	usual := strings.Repeat("x = 1\n", touchLeast/6+1)
	r := &repository{root: dir}
	for name, content := range map[string]string{
		"a.py":   usual,
		"gen.go": "// Code generated by x. DO NOT EDIT.\n" + usual, "small.go": "package a\n", "notes.md": usual,
	} {
		write(t, dir, name, content)
		r.files = append(r.files, file{name, int64(len(content))})
	}
	got, err := r.touchable(2)
	if err != nil || !slices.Equal(got, []string{"a.py"}) {
		t.Fatalf("touchable %q, %v; want a.py", got, err)
	}
	if err := r.append("a.py", "qzword"); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, "a.py"))
	if err != nil || string(content) != usual+"\n# qzword\n" {
		t.Errorf("a.py ends in %q, %v", content[max(0, len(content)-20):], err)
	}
}

func TestRenameCode(t *testing.T) {
	src := "package p\n\n// Reader reads something.\nfunc Reader(buffer []byte) {\n\tif x {\n\t\treturn\n\t}\n}\n"
	want := "package p\n\n// Reader reads something.\nfunc ReaderQ2(buffer []byte) {\n\tif x {\n\t\treturn\n\t}\n}\n"
	if got := string(renameCode([]byte(src), ".go", 2)); got != want {
		t.Errorf("got %q", got)
	}
}

func TestPlot(t *testing.T) {
	r := report{tree: &repository{}, repository: "a & b"}
	r.add(figure{"first scrape", "s", []float64{3, 1, 2}}, figure{"ripgrep <rarest>", "ms", []float64{60}},
		figure{"— a part", "ms", []float64{1}})
	svg := r.svg()
	for _, want := range []string{"a &amp; b", ">2.00<", "ripgrep &lt;rarest&gt;"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	if strings.Contains(svg, "a part") {
		t.Error("parts are drawn")
	}
}
