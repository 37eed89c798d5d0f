package paint

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"patina/code/lang"
	"patina/third_party/web"
)

var tag = regexp.MustCompile(`</?span[^>]*>`)

// texts are written in many ways, some of them by somebody who wants to break out.
var texts = []string{
	"", "\n", "package main\n\nfunc main() { println(\"hello\") } // <b>\n", "a\n\n\nb", "\"unclosed", "`raw\nraw", "/* open\n\n",
	"<script>alert(1)</script>\n</span><svg onload=x>", "'", "\x00\xff\xfe", "# heading\n```go\nx\n", "é世界\r\nx",
	"def f(x):\n    '''doc\n    '''\n    return 1.5e3", strings.Repeat("((((", 500), strings.Repeat("x", longest+1),
}

// Whatever the rules of a language make of a text, its lines stay as they are, and no byte of it
// becomes a tag.
func TestLinesKeepTheText(t *testing.T) {
	if _, err := web.Script(); err != nil {
		t.Fatalf("%v: run make build", err)
	}
	names := []string{"", "no language", "../go", "diff"}
	for l := range lang.All {
		names = append(names, l.Name)
	}
	for _, name := range names {
		for _, text := range texts {
			check(t, name, text)
		}
	}
}

func check(t *testing.T, name, text string) {
	t.Helper()
	lines := Lines(name, text, time.Minute)
	want := strings.Split(strings.ToValidUTF8(strings.TrimSuffix(text, "\n"), "\uFFFD"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%s: %q has %d lines, want %d", name, text, len(lines), len(want))
	}
	for i, l := range lines {
		bare := tag.ReplaceAllString(l, "")
		if strings.ContainsAny(bare, "<>\"'") {
			t.Errorf("%s: %q becomes %q", name, want[i], l)
		}
		if got := html.UnescapeString(bare); got != html.UnescapeString(Plain(want[i])) {
			t.Errorf("%s: line %d is %q, want %q", name, i, got, want[i])
		}
	}
}

func TestLinesAreColoured(t *testing.T) {
	for name, want := range map[string][2]string{
		"Go":       {"func f() {}", `<span class="k">func</span> <span class="f">f</span>() {}`},
		"Python":   {"return 1", `<span class="k">return</span> <span class="n">1</span>`},
		"Markdown": {"# A", `<span class="h"># A</span>`},
		"diff":     {"+new", `<span class="a">+new</span>`},
		"Rust":     {"// x", `<span class="c">// x</span>`},
	} {
		if got := Lines(name, want[0], time.Minute); got[0] != want[1] {
			t.Errorf("%s: %q, want %q", name, got[0], want[1])
		}
	}
}

func BenchmarkRules(b *testing.B) {
	for b.Loop() {
		known.Clear()
		if Lines("Go", "package x", time.Minute)[0] == "" || rules() == nil {
			b.Fatal("nothing")
		}
	}
}

// After the time is up, the rest of the lines must still come.
func TestLinesWithoutTime(t *testing.T) {
	text := strings.Repeat("return f(1)\n", 2000)
	if got := Lines("Go", text, 0); len(got) != 2000 || got[1999] != "return f(1)" {
		t.Errorf("%d lines, last %q", len(got), got[len(got)-1])
	}
}

func FuzzLines(f *testing.F) {
	for _, text := range texts {
		f.Add("Go", text)
		f.Add("Markdown", text)
	}
	f.Fuzz(func(t *testing.T, name, text string) { check(t, name, text) })
}
