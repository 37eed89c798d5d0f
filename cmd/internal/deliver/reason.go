package deliver

import (
	"fmt"

	"patina/cmd/internal/layout"
	"patina/code/describe"
	"patina/store/doc"
)

// maxWhy bounds the reason in a result, in bytes.
const maxWhy = 200

// whyOf returns the line with a result's reason, quoted from its comment or commit, or "".
func whyOf(d doc.Description) string {
	switch {
	case d.Why.Text == "":
		return ""
	case d.Why.Number > 0 && d.Path != "":
		return fmt.Sprintf("why: %s :%d", layout.Quote(d.Why.Text, maxWhy), d.Why.Number)
	}
	return "why: " + layout.Quote(d.Why.Text, maxWhy)
}

// maxReason bounds a reason in the answer to why, in bytes.
const maxReason = 420

// reason returns a reason as a line, with its place.
func reason(r describe.Reason) string {
	text := "why: " + layout.Quote(r.Text, maxReason) + " "
	if r.DocID != "" {
		return text + layout.Clip(r.DocID, 60) + " of " + layout.Day(r.Time)
	}
	return fmt.Sprintf("%s%s:%d", text, layout.OpenPath(r.Path), r.Line)
}

type jsonReason struct {
	Text  string `json:"text"`
	DocID string `json:"doc_id"` // of the commit, or the path of the comment
	Line  int    `json:"line"`   // of the comment
}

func reasonsOf(reasons []describe.Reason) (out []jsonReason) {
	for _, r := range reasons {
		x := jsonReason{r.Text, r.DocID, r.Line}
		if x.DocID == "" {
			x.DocID = r.Path
		}
		out = append(out, x)
	}
	return out
}
