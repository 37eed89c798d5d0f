package deliver

import (
	"strconv"
	"strings"
	"time"

	"patina/actors"
)

// A jsonRead is what was read from the words of a question. Until is the first moment behind.
type jsonRead struct {
	Words   []string   `json:"words"`
	Since   *time.Time `json:"since,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
	Author  string     `json:"author,omitempty"`
	Commits int        `json:"commits"` // that pass
	Newest  bool       `json:"newest"`
}

func readOf(r actors.FromWords) *jsonRead {
	if !r.Some() {
		return nil
	}
	return &jsonRead{list(r.Words), utc(r.Since), utc(r.Until), r.Author, r.Commits, r.Newest}
}

// utc is a time for JSON, nil for none.
func utc(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// wordsRead says in one line what was read from the words of a question, and how to search for them
// instead. It is empty where nothing was.
func wordsRead(r actors.FromWords, d Dialect) string {
	if !r.Some() {
		return ""
	}
	var parts []string
	if r.Set() {
		parts = append(parts, r.Span.String())
	}
	if r.Author != "" {
		who := "by " + clip(r.Author, 40)
		if r.Others > 0 {
			who += " and " + count(r.Others, "namesake")
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
			quoted[i] = strconv.Quote(clip(w, 40))
		}
		out += ", read from " + strings.Join(quoted, " and ")
	}
	return out + " (" + d.AsWritten() + ")"
}
