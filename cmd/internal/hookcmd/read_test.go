package hookcmd

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"patina/cmd/internal/agentcmd"
)

// The events of each client are read, and answered in the form of its reference where it takes an
// answer.
func TestShapesOfClients(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range shapes {
		e, ok := ReadEvent(s.argument, []byte(s.input))
		if !ok {
			t.Errorf("%s, %s: not read: %s", s.client, s.argument, s.input)
			continue
		}
		seen[s.client] = true
		want := s.want
		want.Client, want.Name, want.ToolName = s.client, e.Name, e.ToolName
		if !reflect.DeepEqual(e, want) {
			t.Errorf("%s, %s:\n got %+v\nwant %+v", s.client, s.input, e, want)
		}
		out := FormatContext(e, `a "text" <of> two lines`+"\n\u2028")
		if err := checkAnswer(s.client, e.Name, out); err != nil {
			t.Errorf("%s, %s: %v", s.client, s.argument, err)
		}
		if (out != nil) != s.takes || s.takes != mayAnswer(s.client, e.Name) {
			t.Errorf("%s, %s %s: answer %q, takes one: %v", s.client, s.argument, e.Name, out, s.takes)
		}
		for _, a := range eventArguments {
			if _, ok := ReadEvent(a.word, []byte(s.input)); ok && a.kind != e.Kind && s.client != "copilot-cli" {
				t.Errorf("%s: %s is taken for %s", s.client, e.Name, a.word)
			}
		}
	}
	for _, in := range unknownShapes {
		for _, a := range eventArguments {
			if e, ok := ReadEvent(a.word, []byte(in)); ok {
				t.Errorf("%s: %s is %+v", a.word, in, e)
			}
		}
	}
	for _, name := range agentcmd.Names() {
		runsNothing := slices.Contains([]string{"opencode", "zed", "amp"}, name)
		if seen[name] == runsNothing {
			t.Errorf("%s: has shapes %v, runs no hooks %v", name, seen[name], runsNothing)
		}
	}
	for client := range contextForms {
		if !slices.Contains(agentcmd.Names(), client) {
			t.Errorf("%s is no client", client)
		}
	}
}

// spoil returns an input that is changed at random, as a broken client might write it.
func spoil(r *rand.Rand, input string) []byte {
	b := []byte(input)
	values := []string{
		"null", "7", "-1e999", "true", `""`, "[]", "{}", `["x",1,null]`, `{"command":["ls"]}`, `"\ud800"`, "\"\xff\xfe\"", `"` +
			strings.Repeat("x", r.IntN(3000)) + `"`, strings.Repeat("[", 200) + strings.Repeat("]", 200),
	}
	for range 1 + r.IntN(4) {
		switch r.IntN(8) {
		case 0: // cut
			b = b[:r.IntN(len(b)+1)]
		case 1: // one byte
			if len(b) > 0 {
				b[r.IntN(len(b))] = byte(r.IntN(256))
			}
		case 2, 3, 4: // another value after a colon
			parts := strings.SplitAfter(string(b), ":")
			at := r.IntN(len(parts))
			if end := strings.IndexAny(parts[at], ",}"); at > 0 && end >= 0 {
				parts[at] = values[r.IntN(len(values))] + parts[at][end:]
			}
			b = []byte(strings.Join(parts, ""))
		case 5: // a part twice
			if len(b) > 1 {
				from := r.IntN(len(b) - 1)
				b = slices.Insert(b, r.IntN(len(b)), b[from:from+r.IntN(min(len(b)-from, 200))]...)
			}
		case 6: // another encoding
			if r.IntN(2) == 0 {
				b = append([]byte("\xef\xbb\xbf"), b...)
				break
			}
			wide := []byte("\xff\xfe")
			for _, c := range b {
				wide = append(wide, c, 0)
			}
			b = wide
		case 7: // a member of another client
			other := shapes[r.IntN(len(shapes))].input
			if from := strings.Index(other, ","); from > 0 && len(b) > 0 && b[0] == '{' {
				b = append([]byte(other[:from+1]), b[1:]...)
			}
		}
	}
	return b
}

// 10,000 random events have no answer, or one that their client takes. None panics.
func TestRandomEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	read, answered := 0, 0
	for range 10_000 {
		s := shapes[r.IntN(len(shapes))]
		input := spoil(r, s.input)
		if r.IntN(50) == 0 {
			input = append(input, make([]byte, r.IntN(2*MaxInput))...)
		}
		argument := eventArguments[r.IntN(len(eventArguments))].word
		if r.IntN(4) > 0 {
			argument = s.argument
		}
		e, ok := ReadEvent(argument, input)
		if !ok {
			continue
		}
		read++
		out := FormatContext(e, "a text")
		if err := checkAnswer(e.Client, e.Name, out); err != nil || out != nil && !mayAnswer(e.Client, e.Name) {
			t.Fatalf("%s, %q: %q, %v", argument, input, out, err)
		}
		if len(out) > 0 {
			answered++
		}
	}
	if read < 2_000 || answered < 1_000 {
		t.Errorf("only %d events were read and %d answered", read, answered)
	}
}
