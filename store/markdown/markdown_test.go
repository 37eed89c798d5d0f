package markdown

import (
	"strings"
	"testing"
)

func TestFence(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"a\n```go\nb\n```\nc", "o e i e o"},
		{"~~~\n```\n~~~\nx", "e i e o"},
		{"````\n```\n````\nx", "e i e o"},
		{"```\nx\n````  \ny", "e i e o"},
		{"```\n```go\n```\nx", "e i e o"},
		{"```a``` b\nx", "o o"},
		{"~~~a~~~\nx", "e i"},
		{"  - ```\n    x\n    ```\ny", "o o e i"},
		{"\t```\nx\n\t```\ny", "e i e o"},
		{"``\nx", "o o"},
		{"```\r\nx\r\n```\r\ny", "e i e o"},
	} {
		var f Fence
		var got []string
		for line := range strings.Lines(x.text) {
			got = append(got, map[Place]string{Outside: "o", Inside: "i", Edge: "e"}[f.Step(line)])
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%q: %v, want %s", x.text, got, x.want)
		}
	}
}

func TestHeading(t *testing.T) {
	for _, x := range []struct {
		line, text string
		level      int
	}{
		{"# a", "a", 1},
		{"###### a b ##", "a b", 6},
		{"## a#", "a#", 2},
		{"##", "", 2},
		{"## ##", "", 2},
		{"# a \\#", "a \\#", 1},
		{"####### a", "", 0},
		{"#a", "", 0},
		{"a", "", 0},
		{"", "", 0},
		{"#\ta\t", "a", 1},
	} {
		level, from, to := Heading(x.line)
		if level != x.level || x.line[from:to] != x.text {
			t.Errorf("%q: level %d, %q", x.line, level, x.line[from:to])
		}
		if again, _, _ := Heading([]byte(x.line)); again != level {
			t.Errorf("%q: level %d as bytes", x.line, again)
		}
	}
	for line, want := range map[string]int{"=": 1, "===": 1, "-": 2, "---": 2, "": 0, "-=": 0, "- -": 0} {
		if got := Underline(line); got != want {
			t.Errorf("%q underlines level %d, want %d", line, got, want)
		}
	}
}

// In any text, every line has a place, and an open block is closed only by its own marks.
func FuzzLines(f *testing.F) {
	f.Add("```a\nb\n```\n# c #\n---")
	f.Fuzz(func(t *testing.T, text string) {
		var fence Fence
		for line := range strings.Lines(text) {
			bare := strings.TrimSpace(line)
			open := fence
			if place := fence.Step(line); open.marks > 0 && place == Outside {
				t.Errorf("%q is outside of the block that is open", line)
			}
			if level, from, to := Heading(bare); from > to || to > len(bare) || level > 6 {
				t.Errorf("%q: heading %d [%d:%d]", bare, level, from, to)
			}
			_ = Underline(bare)
		}
		if fence.Step(strings.Repeat(string(fence.mark), fence.marks)); fence.marks > 0 {
			t.Error("not closed by its own marks")
		}
	})
}
