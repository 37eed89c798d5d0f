package parse

import (
	"slices"
	"testing"

	"patina/store/literal"
	"patina/store/text"
)

func TestLiterals(t *testing.T) {
	for line, want := range map[string][]string{
		`print("a \"b\" c", 'd')`:           {`a \"b\" c`, "d"},
		`f"x {y}" rb'z' don't "s"`:          {"x {y}", "z", "s"},
		"`raw` + \"\" + 'it\"s'":            {"raw", "", `it"s`},
		`"""one line"""`:                    {"", "one line", ""},
		`"never ends 'but this'`:            {"but this"},
		`// users' "quotes" aren't pairs`:   {"quotes"},
		`x = "ends in a backslash \`:        nil,
		`fn f<'a>(x: &'a str) { say("b") }`: {"a>(x: &", "b"},
	} {
		var got []string
		literal.Quoted(line, func(from, to int) { got = append(got, line[from:to]) })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Code prints messages. Comments, docstrings and documents do not.
func TestMessagesOf(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       int
	}{
		{"a.py", "def f():\n    \"\"\"The docstring of a function.\"\"\"\n    # a 'comment with some words'\n" +
			"    raise E(\"no such %s in the table\")\n", 1},
		{"a.go", "package a\n\n// \"words of a comment\"\nvar e = errors.New(\"words of an error\")\n", 1},
		{"a.lua", "error('words of an error')\nerror('words of an error')\n-- 'words of a comment'\n", 1},
		{"a.md", "# T\n\n\"words in quotes here\"\n", 0},
		{"a.json", `{"a": "words in quotes here"}`, 0},
	} {
		f, _ := Parse(Input{Path: c.path, Text: []byte(c.text)})
		if len(f.Messages) != c.want {
			t.Errorf("%s: %d messages, want %d", c.path, len(f.Messages), c.want)
		}
	}
	var all []text.Message
	text.Messages("words of an error", func(m text.Message) { all = append(all, m) })
	f, _ := Parse(Input{Path: "x.rs", Text: []byte("fn f() { panic!(\"words of an error\") }\n")})
	if !slices.Equal(f.Messages, all) {
		t.Errorf("%v, want %v", f.Messages, all)
	}
}
