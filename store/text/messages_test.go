package text

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

// The map has the words of each message by literal.
func TestMessages(t *testing.T) {
	long := strings.Repeat("word ", 70)
	for literal, want := range map[string][]string{
		"Cannot read the file":                               {"cannot read the file"},
		"cannot find %s in the given file":                   {"in the given file"},
		"%d of %-5.2f rows were lost by %(name)r on the way": {"rows were lost by", "on the way"},
		"the {0!r} of {name:>{width}} is not a number":       {"is not a number"},
		`first line goes here\nsecond line goes there`:       {"first line goes here", "second line goes there"},
		"template ${a + b} holds some words":                 {"holds some words"},
		"ruby #{x} holds some words, $shell says more to us": {"holds some words", "says more to us"},
		`swift \(x) holds some words`:                        {"holds some words"},
		`the \"quoted\" word's place`:                        {"the quoted word s place"},
		"github.com/someone/somewhere/package/of/many":       nil,
		"a b":                                    nil,
		"a b c":                                  nil, // too short
		"two words":                              nil,
		strings.Repeat("many words in one ", 20): nil, // too long
		"Größe of a ÜBERLAUF":                    {"größe of a überlauf"},
		strings.TrimSpace(strings.ReplaceAll(long, "word",
			"x")): {strings.TrimSpace(strings.Repeat("x ", messageWords))},
	} {
		var got, whole []Message
		Messages(literal, func(m Message) { got = append(got, m) })
		for _, w := range want {
			whole = append(whole, messageOf(strings.Fields(w)))
		}
		if !slices.Equal(got, whole) {
			t.Errorf("%q: %d messages, want those of %q", literal, len(got), want)
		}
	}
}

// A message begins exactly the texts that begin with its words.
func TestMessageBegins(t *testing.T) {
	pick := func(bits []bool) []string {
		words := make([]string, 0, len(bits))
		for _, b := range bits {
			words = append(words, map[bool]string{true: "on", false: "off"}[b])
		}
		return words
	}
	err := quick.Check(func(a [3]bool, more []bool, b []bool) bool {
		piece := pick(append(a[:], more[:min(len(more), 3)]...))
		words := pick(b)
		m := messageOf(piece)
		want := len(words) >= len(piece) && slices.Equal(words[:len(piece)], piece)
		return m.Words() == len(piece) && m.Begins(words) == want && (!want || Head(words) == m.Head)
	}, &quick.Config{MaxCount: 5000})
	if err != nil {
		t.Error(err)
	}
	if messageOf([]string{"ab", "c", "d"}) == messageOf([]string{"a", "bc", "d"}) {
		t.Error("words run together")
	}
	if (Message{}).Begins([]string{"a", "b", "c"}) {
		t.Error("a damaged row is a message")
	}
}

func FuzzMessages(f *testing.F) {
	f.Add(`cannot find %(x)-5d in {y} of \n${z} and \(w)`)
	f.Fuzz(func(t *testing.T, literal string) {
		Messages(literal, func(m Message) {
			if n := m.Words(); n < headWords || n > messageWords || int64(int32(m.Head)) != m.Head ||
				int64(int32(m.Whole)) != m.Whole {
				t.Errorf("%q: %+v", literal, m)
			}
		})
	})
}
