package deliver

import (
	"strconv"
	"strings"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// A jsonRead is the filters read from the words of a question. Until is exclusive.
type jsonRead struct {
	Words   []string   `json:"words"`
	Since   *time.Time `json:"since,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
	Author  string     `json:"author,omitempty"`
	Commits int        `json:"commits"` // that pass the filters
	Newest  bool       `json:"newest"`
}

func readOf(r api.FromWords) *jsonRead {
	if !r.Some() {
		return nil
	}
	return &jsonRead{layout.NonNil(r.Words), layout.Time(r.Since), layout.Time(r.Until), r.Author, r.Commits, r.Newest}
}

// wordsRead returns one line on the filters read from the words of a question, and how to search
// for those words instead. It is empty if there were no filters.
func wordsRead(r api.FromWords, d dialect.Dialect) string {
	if !r.Some() {
		return ""
	}
	var parts []string
	if r.Set() {
		parts = append(parts, r.Span.String())
	}
	if r.Author != "" {
		who := "by " + layout.Clip(r.Author, 40)
		if r.Others > 0 {
			who += " and " + layout.Count(r.Others, "namesake")
		}
		parts = append(parts, who)
	}
	out := "commits"
	switch {
	case len(parts) > 0 && r.Commits == 0:
		out = "no commits " + strings.Join(parts, ", ")
	case len(parts) > 0:
		out += " " + strings.Join(parts, ", ")
	}
	if r.Newest && (r.Commits > 0 || len(parts) == 0) {
		out += ", newest first"
	}
	if len(r.Words) > 0 {
		quoted := make([]string, len(r.Words))
		for i, w := range r.Words {
			quoted[i] = strconv.Quote(layout.Clip(w, 40))
		}
		out += ", read from " + strings.Join(quoted, " and ")
	}
	return out + " (" + d.AsWritten() + ")"
}
