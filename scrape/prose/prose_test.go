package prose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBlocks(t *testing.T) {
	cases := []struct {
		name   string
		format Format
		text   string
		want   []string // "kind level first-last text"
	}{
		{"Markdown", Markdown, "# Title\n\nOne line\ntwo lines.\n\n- item\n  goes on\n- [ ] box\n\n1. step\n", []string{
			"heading 1 1-1 Title", "paragraph 0 3-4 One line\ntwo lines.", "item 0 6-7 item\ngoes on", "item 0 8-8 box",
			"item 0 10-10 step",
		}},
		{
			"underlined headings", Markdown, "Title\n=====\n\nPart\n----\ntext\n",
			[]string{"heading 1 1-2 Title", "heading 2 4-5 Part", "paragraph 0 6-6 text"},
		},
		{
			"no code", Markdown, "a\n\n```sh\n# no heading\n- no item\n```\n\n    # indented\n\nb\n",
			[]string{"paragraph 0 1-1 a", "paragraph 0 10-10 b"},
		},
		{
			"no comment", Markdown, "<!-- one\n# two -->\ntext <!-- here -->\n",
			[]string{"paragraph 0 3-3 text <!-- here -->"},
		},
		{"open fence", Markdown, "a\n\n~~~\n# b\n", []string{"paragraph 0 1-1 a"}},
		{
			"quote and row", Markdown, "> said\n> so\n\n| a | b |\n",
			[]string{"quote 0 1-2 said\nso", "row 0 4-4 | a | b |"},
		},
		{
			"item in an item", Markdown, "- a\n    - b\n\n      c\n",
			[]string{"item 0 1-1 a", "item 4 2-2 b", "paragraph 0 4-4 c"},
		},
		{
			"reStructuredText", Restructured,
			"=====\nTitle\n=====\n\n1. Part\n-------\n\ntext::\n\n   code\n\n- item\n",
			[]string{
				"heading 1 1-3 Title", "heading 2 5-6 1. Part", "paragraph 0 8-8 text::", "item 0 12-12 item",
			},
		},
		{
			"no directive", Restructured, ".. code-block:: sh\n\n   # a\n\n.. _mark:\n\nterm\n  its meaning\n",
			[]string{"paragraph 0 7-8 term:\nits meaning"},
		},
		{
			"AsciiDoc", AsciiDoc, "= Title\n:status: accepted\n\n== Part\n\n[source]\n----\n= no\n----\n* a\n** b\n" +
				". c\n",
			[]string{
				"heading 1 1-1 Title", "paragraph 0 2-2 :status: accepted", "heading 2 4-4 Part", "item 2 10-10 a",
				"item 3 11-11 b", "item 2 12-12 c",
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, b := range Read(c.format, []byte(c.text)).Blocks {
				kind := []string{"paragraph", "heading", "item", "row", "quote"}[b.Kind]
				got = append(got, fmt.Sprintf("%s %d %d-%d %s", kind, b.Level, b.First, b.Last, b.Text))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestFrontMatter(t *testing.T) {
	d := Read(Markdown, []byte("---\nstatus: \"accepted\" # yes\nsuperseded_by:\n  - 0007-other\ngit:\n"+
		"  status: no\nsummary: >\n  We keep\n---\n# T\n"))
	want := []Field{{"status", "accepted", 2}, {"superseded-by", "0007-other", 4}, {"summary", "We keep", 7}}
	if !slices.Equal(d.Front, want) {
		t.Errorf("got %v, want %v", d.Front, want)
	}
	if len(d.Blocks) != 1 || d.Blocks[0].First != 10 {
		t.Errorf("blocks behind the front matter: %v", d.Blocks)
	}
	for _, open := range []string{"---\nstatus: accepted\n", "text\n---\n"} {
		if d := Read(Markdown, []byte(open)); d.Front != nil {
			t.Errorf("%q has front matter %v", open, d.Front)
		}
	}
}

func TestSentences(t *testing.T) {
	cases := []struct {
		text string
		want []string
	}{
		{"Use it. Then stop.", []string{"Use it.", "Then stop."}},
		{"Use tools, e.g. Make. Stop!", []string{"Use tools, e.g. Make.", "Stop!"}},
		{"Call `a. B` twice. Then\nstop.", []string{"Call `a. B` twice.", "Then stop."}},
		{"**Use [this](x.md).** Now", []string{"Use this.", "Now"}},
		{"version 1.2 is not 1.3", []string{"version 1.2 is not 1.3"}},
		{"用它。停。", []string{"用它。", "停。"}},
		{"", nil},
	}
	for _, c := range cases {
		var got []string
		for _, s := range (Block{First: 1, Last: 1 + strings.Count(c.text, "\n"), Text: c.text}).Sentences() {
			got = append(got, s.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestSentenceLines(t *testing.T) {
	b := Block{First: 10, Last: 12, Text: "One. Two\ngoes on. Three\nends."}
	want := []Sentence{{"One.", 10, 10}, {"Two goes on.", 10, 11}, {"Three ends.", 11, 12}}
	if got := b.Sentences(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPlain(t *testing.T) {
	cases := map[string]string{
		"**bold** and _slanted_ `__init__`":       "bold and slanted `__init__`",
		"see [the `code`](x) ![badge](y)":         "see the `code`",
		"`f[T](x)` stays":                         "`f[T](x)` stays",
		"``literal`` and `text <url>`_":           "`literal` and text",
		":ref:`name` of snake_case_name":          "name of snake_case_name",
		"link:a.html[text] <b>now</b>":            "text now",
		"1 < 2 and Map<K, V> [^1]":                "1 < 2 and Map<K, V>",
		"an open ` and *stars* <!-- gone --> now": "an open ` and stars now",
	}
	for text, want := range cases {
		if got := Plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A hostile text must cost no more than its first part.
func TestBounded(t *testing.T) {
	texts := map[string]string{
		"bullets":  strings.Repeat("- a\n", 1<<20),
		"one line": strings.Repeat("a", 10<<20),
		"nesting":  strings.Repeat("> ", 1<<20) + "a",
		"ticks":    strings.Repeat("` ``", 1<<18),
		"brackets": strings.Repeat("[", 1<<20),
	}
	for name, text := range texts {
		for _, format := range []Format{Markdown, Restructured, AsciiDoc} {
			d := Read(format, []byte(text))
			if len(d.Blocks) > maxBlocks || len(text) > maxBytes && !d.Cut {
				t.Errorf("%s: %d blocks, cut %v", name, len(d.Blocks), d.Cut)
			}
			for _, b := range d.Blocks {
				if len(b.Text) > maxBlock || len(b.Sentences()) > maxSentences {
					t.Errorf("%s: a block of %d bytes", name, len(b.Text))
				}
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("---\na: b\n---\n# T\n\n- x. Y `z` [l](m)\n", int8(0))
	f.Add("T\n=\n\n.. x::\n\n  y\n", int8(1))
	f.Add("= T\n:s: a\n----\nx\n----\n", int8(2))
	f.Fuzz(func(t *testing.T, text string, format int8) {
		lines := strings.Count(text, "\n") + 1
		last := 0
		for _, b := range Read(Format(format), []byte(text)).Blocks {
			if b.First <= last-2 || b.First > b.Last || b.Last > lines || !utf8.ValidString(b.Text) {
				t.Fatalf("block %+v after line %d of %d", b, last, lines)
			}
			last = b.Last
			for _, s := range b.Sentences() {
				if s.First < b.First || s.Last > b.Last || s.First > s.Last || strings.ContainsAny(s.Text, "\n\r") {
					t.Fatalf("sentence %+v in block %+v", s, b)
				}
			}
		}
	})
}
