package govern_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/ask/govern"
	"patina/memory"
	"patina/scrape/scrapetest"
)

// labelled is an act with the note that governs it, or "-".
type labelled struct {
	act  govern.Act
	want string
}

// readLabelled reads testdata/acts.txt.
func readLabelled(t *testing.T) (notes map[string]string, acts []labelled) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "acts.txt"))
	scrapetest.Must(t, err)
	notes = map[string]string{}
	for line := range strings.Lines(string(source)) {
		mark, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch {
		case mark == "n":
			id, text, _ := strings.Cut(rest, " ")
			notes[id] = text
		case mark == "c":
			acts = append(acts, labelled{act: govern.Act{Command: rest}})
		case mark == "f":
			acts = append(acts, labelled{act: govern.Act{Command: "./run", Failure: rest}})
		case strings.HasPrefix(mark, "|"):
			acts[len(acts)-1].act.Failure += line
		case mark == "=":
			acts[len(acts)-1].want = rest
		}
	}
	return notes, acts
}

// The first item of labelled commands and failures. Without a governing note, nearly all are
// silent.
func TestLabelledActs(t *testing.T) {
	notes, acts := readLabelled(t)
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := memory.Open(t.Context(), path)
	scrapetest.Must(t, err)
	ids := map[string]string{"": "-"}
	for id, text := range notes {
		added, err := s.Add(t.Context(), memory.Memory{Content: text, Type: "gotcha"}, false)
		scrapetest.Must(t, err)
		ids[added.ID] = id
	}
	scrapetest.Must(t, s.Close())
	var governed, found, silent, quiet, shown, right int
	scrapetest.Must(t, memory.Glance(t.Context(), path, func(s *memory.Store) error {
		for _, a := range acts {
			items, err := govern.Find(t.Context(), govern.Source{Notes: s}, a.act)
			if err != nil {
				return err
			}
			first := ""
			if len(items) > 0 {
				first = items[0].ID
				shown++
			}
			got := ids[first]
			if got != a.want {
				t.Logf("%q %q: %s, want %s", a.act.Command, a.act.Failure, got, a.want)
			}
			switch {
			case a.want == "-":
				silent++
				if got == "-" {
					quiet++
				}
			default:
				governed++
				if got == a.want {
					found++
				}
			}
			if got == a.want && got != "-" {
				right++
			}
		}
		return nil
	}))
	t.Logf("%d acts: %d of %d governed ones get their note, %d of %d others are silent, %d of %d shown are right",
		len(acts), found, governed, quiet, silent, right, shown)
	if 100*quiet < 95*silent || 100*right < 95*shown || 100*found < 80*governed {
		t.Error("too many wrong or missing notes")
	}
}
