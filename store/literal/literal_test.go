package literal

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

func TestFind(t *testing.T) {
	for _, test := range []struct {
		text, body string
		line       int // 0: not found
		exact      bool
		whole      bool
	}{
		{"cannot open file", "x\nlog(\"cannot open file\")", 2, true, true},
		{"Cannot Open file", `log("cannot open file: ", name)`, 1, true, true},
		{"open file", `log("cannot open file")`, 1, true, false},
		{"cannot open file", "\"cannot \"\n  \"open file\"", 1, false, false},
		{"cannot open file", `"cannot " + "open file"`, 1, false, false},
		{"cannot open file", "// cannot open\n// file", 1, false, false},
		{"cannot open file", "\"cannot \\\n   open file\"", 1, false, false},
		{"cannot open file", `"cannot\nopen file"`, 1, false, true},
		{"cannot open\nfile", `"cannot open\nfile"`, 1, false, true},
		{"cannot open %s", `f("cannot open %s")`, 1, false, false},
		{"open {} for reading", `f("open %s for reading")`, 1, false, true},
		{"open ${x} for reading", `f("open " + name + " for reading")`, 1, false, false},
		{"cannot open file", `log("cannot open a file")`, 0, false, false},
		{"cannot open file", `log("cannot opens file")`, 0, false, false},
		{"cannot open file", `log("scannot open file")`, 0, false, false},
		{"缓存失效", `log("错误：缓存失效了")`, 1, true, false},
		{"缓存失效", `log("缓存已失效")`, 0, false, false},
		{"%s", `"%s"`, 0, false, false},
		{"", `""`, 0, false, false},
	} {
		m, ok := Compile(test.text).Find(test.body)
		if got := m.Line; got != test.line || ok != (test.line > 0) {
			t.Errorf("%q in %q: line %d, %v; want %d", test.text, test.body, got, ok, test.line)
			continue
		}
		if m.Exact != test.exact || m.Whole != test.whole {
			t.Errorf("%q in %q: exact %v, whole %v", test.text, test.body, m.Exact, m.Whole)
		}
	}
}

// The best of several places is found, not the first.
func TestFindPrefersStrings(t *testing.T) {
	body := "// cannot open file again\nf(\"cannot open file again\")\ng(\"cannot open file\")\n"
	if m, ok := Verbatim("cannot open file").Find(body); !ok || m.Line != 3 || !m.Whole {
		t.Errorf("found %+v, %v", m, ok)
	}
}

func TestPrinted(t *testing.T) {
	for _, test := range []struct {
		question, body string
		line           int
		content        int
	}{
		{"cannot open /tmp/x: permission denied", `fmt.Errorf("cannot open %s: %v", p, err)`, 1, 2},
		{"I get cannot open /tmp/x: not found at start", "\nraise(f'cannot open {path}: not found')", 2, 3},
		{"width 3 is too big for main", `"width " + w + " is too big for " + name`, 1, 3},
		{"width 3 is too big", "\"width \"\n\"%d is too big\"", 1, 3},
		{"table #3: 5 entries repaired", `"Table #%llu: %d entries repaired"`, 1, 3},
		{"cannot use ${x} as a key", `cannot("cannot use {} as a key")`, 1, 2},
		{"duplicate foo() call", "`duplicate ${NAME}() call`", 1, 2},
		{"cannot read /tmp/x", `fmt.Errorf("cannot open %s", p)`, 0, 0},
		{"open it then close", `"open" ; x("close it")`, 0, 0},
		{"how does it open a file", `"open a file when asked"`, 0, 0},
		{"at get (/app/dist/pool/idle-connections.js:3:5)", `import { get } from "./pool/idle-connections.js"`, 0, 0},
		{"at get (/app/dist/pool/idle-connections.js:3:5)", `import { get } from "../pool/idle-connections.js"`, 0, 0},
	} {
		m, ok := MessageOf(test.question).In(test.body)
		if m.Line != test.line || ok != (test.line > 0) || m.Content != test.content {
			t.Errorf("%q in %q: %+v, %v; want line %d, %d words", test.question, test.body, m, ok, test.line,
				test.content)
		}
	}
}

// If only one word has content, the marks around the placeholders must agree, too.
func TestPrintedLabels(t *testing.T) {
	for question, want := range map[string]bool{
		"---- Queues (42) ----":  true,
		"---- Queues [42] ----":  false,
		"x ---- Queues (42) ---": false,
		"Queues (42)":            false,
	} {
		m, ok := MessageOf(question).In(`puts "---- Queues (#{n}) ----"`)
		if ok != want || m.Shaped != want {
			t.Errorf("%q: %+v, %v", question, m, ok)
		}
	}
	if m, ok := MessageOf("error: no such file").In(`printf("error: %s", x)`); ok {
		t.Errorf("a common word alone: %+v", m)
	}
	if m, ok := MessageOf("Dead: /tmp/x").In(`puts "Dead: #{n}"`); !ok || !m.Shaped {
		t.Errorf("a value at the end: %+v, %v", m, ok)
	}
}

func TestOf(t *testing.T) {
	for question, want := range map[string][]Literal{
		"cannot open file":            {{"cannot open file", false}},
		`"cannot open file"`:          {{"cannot open file", true}},
		"`a b`":                       {{"a b", true}},
		`where is "no such key" from`: {{`where is "no such key" from`, false}, {"no such key", true}},
		"why does 'x y' and `raise_for_status` do": {
			{"why does 'x y' and `raise_for_status` do", false},
			{"x y", true},
		},
		"lock expiry":                 nil,
		"it doesn't work, isn't it":   {{"it doesn't work, isn't it", false}},
		"a b c\n\nd e f":              nil,
		"a b c\r\n\r\nd e f":          nil,
		"a b c 'd e'\n \t\nf":         nil,
		"a b c\n```\nf(\"d e\")\n```": nil,
		strings.Repeat("word ", 400):  nil,
	} {
		got := Of(question)
		if len(got) != len(want) {
			t.Errorf("%q: %v", question, got)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %v", question, got)
			}
		}
	}
}

func TestPasted(t *testing.T) {
	for question, want := range map[string]bool{
		"cannot open %s":                true,
		"open /tmp/x failed":            true,
		"started main.conf profiler":    true,
		"Lock.acquire timeout":          false,
		"why error: bad magic":          true,
		"Cannot read it.":               true,
		"how does the 2-phase lock end": false,
		"what's in a lock":              false,
		"retry with backoff":            false,
		"where is the lock?":            false,
	} {
		if got := Pasted(question); got != want {
			t.Errorf("Pasted(%q) = %v", question, got)
		}
	}
}

// A text is found in any text that contains it between other words, at the line where it begins.
func TestFindsItself(t *testing.T) {
	letters := func(b []byte) string {
		return strings.Join(strings.FieldsFunc(strings.Map(func(r rune) rune {
			if r%4 == 3 {
				return ' '
			}
			return 'a' + r%3
		}, string(b)), func(r rune) bool { return r == ' ' }), " ")
	}
	found := func(before, b []byte) bool {
		s := letters(b[:min(len(b), maxWords)])
		if s == "" {
			return true
		}
		m, ok := Verbatim(s).Find("zz " + letters(before) + " zz\nzz \"" + s + "\" zz")
		return ok && m.Exact
	}
	if err := quick.Check(found, nil); err != nil {
		t.Error(err)
	}
}

// Skipping must change nothing: words are found where a scan of all words finds them, and quotes on
// all lines that have any.
func TestSkipsNothing(t *testing.T) {
	pieces := []string{
		"a", "ka", "K", "s", "ns", "A", " ", "\\", "\\n", "\\\\", "\n", "_", "é", "缓", "\u212a",
		"\u017f", "\xff", "\xe7\xbc", `"`, "'", "`",
	}
	build := func(of []byte) string {
		var b strings.Builder
		for _, c := range of {
			b.WriteString(pieces[int(c)%len(pieces)])
		}
		return b.String()
	}
	agree := func(words, text []byte) bool {
		body := build(text)
		var lines, all []string
		quotedLines(body, func(_ int, line string) { lines = append(lines, line) })
		for line := range strings.Lines(body) {
			if strings.ContainsAny(line, Quotes) {
				all = append(all, line)
			}
		}
		p := Verbatim(build(words[:min(len(words), 4)]))
		if len(p.words) == 0 {
			return slices.Equal(lines, all)
		}
		var wanted, got []token
		for _, x := range scanWords(body, false) {
			if strings.EqualFold(body[x.from:x.to], p.words[0]) {
				wanted = append(wanted, x)
			}
		}
		for at := p.first.nextMatch(body, 0); at.to > 0; at = p.first.nextMatch(body, at.to) {
			got = append(got, at)
		}
		return slices.Equal(lines, all) && slices.Equal(wanted, got) && (len(wanted) == 0 || p.first.mayStand(body))
	}
	if err := quick.Check(agree, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
}

func FuzzLiteral(f *testing.F) {
	for _, s := range []string{
		"cannot open %s: %v", "a ${x} b", "{}{}{}{}", `\`, `"\`, "'a' 'b c'", "\xff \x00 é", "缓存 失效 x",
		"%s a %s a %s a %s a %s b", strings.Repeat("{} a ", 50),
	} {
		f.Add(s, "f(\"cannot open \" + x + \": %v\")\n// a b a b\n`a {} b`")
		f.Add(s, s+"\n"+s)
	}
	f.Fuzz(func(t *testing.T, question, body string) {
		for _, l := range Of(question) {
			for _, p := range []Pattern{Verbatim(l.Text), Compile(l.Text)} {
				if m, ok := p.Find(body); ok && (m.From > m.To || m.To > len(body) || m.Line < 1) {
					t.Errorf("%q in %q: %+v", l.Text, body, m)
				}
			}
		}
		if m, ok := MessageOf(question).In(body); ok && (m.From > len(body) || m.Covers > 1 || m.Line < 1) {
			t.Errorf("%q in %q: %+v", question, body, m)
		}
	})
}
