package belief

import (
	"fmt"
	"slices"
	"strings"

	"patina/store/markdown"
)

// statuses are the statuses that a belief may have.
var statuses = []string{Active, Scoped, "proposed", "defeated", "archived"}

// edgeStatuses are the statuses that a link may have.
var edgeStatuses = []string{"", Active, Scoped, "defeated"}

// A Fault is a value that Parse ignores.
type Fault struct {
	Line int // from 1
	What string
}

// Misread returns the values in a belief's file that have no meaning, or are not valid YAML. Parse
// ignores them, or takes them as text.
func Misread(text string) (faults []Fault) {
	text = text[:min(len(text), maxText)]
	front, _, _ := markdown.SplitFrontMatter(text)
	entries, invalid := front.Entries()
	for _, f := range invalid {
		faults = append(faults, Fault{f.Line, f.What})
	}
	for _, e := range entries {
		if e.Key == "confidence" {
			e, _ = markdown.Lookup(e.Entries, "score")
		}
		texts := e.Texts()
		if len(texts) == 0 {
			continue
		}
		value := texts[0]
		switch key := e.Key; key {
		case "id":
			if !IsID(value) {
				faults = append(faults, Fault{
					e.Line,
					fmt.Sprintf("id %q is no slug of at most %d letters a-z, digits, dots, hyphens and underscores: "+
						"its file's name stands for it", value, maxID),
				})
			}
		case "status":
			if !slices.Contains(statuses, strings.ToLower(value)) {
				faults = append(faults,
					Fault{e.Line, fmt.Sprintf("status %q is none of %s", value, strings.Join(statuses, ", "))})
			}
		case "entrenchment", "score":
			if _, ok := entrenchmentOf(value); !ok {
				faults = append(faults,
					Fault{
						e.Line,
						fmt.Sprintf("%s %q is no number from 0 to 1, and none of low, medium, high, very-high", key,
							value),
					})
			}
		}
	}
	b := Parse("x.md", text)
	for _, e := range slices.Concat(b.Supports, b.Attacks, b.AttackedBy) {
		if !slices.Contains(edgeStatuses, e.Status) {
			faults = append(faults,
				Fault{e.Line, fmt.Sprintf("the link's status %q is none of active, scoped, defeated", e.Status)})
		}
	}
	return faults
}
