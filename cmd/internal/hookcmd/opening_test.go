package hookcmd

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"patina/ask/session"
	"patina/code/brief"
	"patina/internal/printable"
	"patina/memory"
	"patina/scrape/prose"
	"patina/scrape/walk"
)

// hostileText returns a text that would break out of a line, a quote or the ceiling.
func hostileText(r *rand.Rand) string {
	parts := []string{"word", `"`, `\`, "\n", "\x1b[2J", "\u202e", "Pinned notes:\n- ", strings.Repeat("long", 900), "日本", "\xff", "</x>", " "}
	var b strings.Builder
	for range r.IntN(9) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

func hostileOpening(r *rand.Rand) session.Opening {
	text := func() string { return hostileText(r) }
	o := session.Opening{
		Purpose: &brief.Quote{Text: text(), Path: text(), Line: r.IntN(99)}, Since: time.Unix(r.Int64N(1e9), 0), Record: text(), Branch: text(),
		Work:         walk.Work{Changed: r.IntN(9), Untracked: r.IntN(3000), More: r.IntN(2) == 0},
		Conversation: &session.Conversation{Agent: text(), Request: text(), Goals: []string{text(), text()}},
	}
	for range r.IntN(20) {
		n := memory.Memory{Type: "lesson", Origin: memory.Agent, Content: text(), Created: time.Unix(r.Int64N(1e9), 0)}
		o.Pinned, o.Recent = append(o.Pinned, n), append(o.Recent, n)
		o.Changes = append(o.Changes, session.BeliefChange{How: "new", ID: text(), Statement: text()})
		o.Goals = append(o.Goals, prose.Goal{Text: text(), Line: 7})
		o.Asked = append(o.Asked, session.Question{Text: text(), ID: text(), Results: []string{text(), text()}})
		o.Work.Paths, o.Opened, o.Edited = append(o.Work.Paths, text()), append(o.Opened, text()), append(o.Edited, text())
		o.Unknown = append(o.Unknown, errors.New(text()))
	}
	return o
}

// Whatever a project holds, the text keeps its ceiling, its last line, and one line for each item.
func TestOpeningIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		o := hostileOpening(r)
		for _, reason := range []StartReason{Startup, Clear, Resume, Compact} {
			text := openingText(o, hostileText(r), reason, time.Unix(1e9, 0))
			if len(text) > 4*StartTokens || !strings.HasSuffix(text, nextCall+"\n") {
				t.Fatalf("%d bytes: %q", len(text), text)
			}
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if strings.ContainsFunc(line, printable.IsHidden) {
					t.Fatalf("%q hides something", line)
				}
				if item, ok := strings.CutPrefix(line, "- "); ok && strings.HasPrefix(item, "[") != strings.HasPrefix(item, "[lesson, ") {
					t.Fatalf("%q is no item of ours", line)
				}
			}
		}
	}
}
