package deliver

import (
	"fmt"
	"strings"

	"patina/actors"
	"patina/store"
)

const indent = "   "

// A block is the text for one result, which a budget may cut.
type block struct {
	head line   // kind, place, score: the last to go
	rest []line // snippet, links, arithmetic
}

func snippet(r actors.Result, explain bool) block {
	b := block{head: line{strong, fmt.Sprintf("%d. %s", r.Rank, title(r))}}
	add := func(style, text string) {
		if text != "" {
			b.rest = append(b.rest, line{style, indent + text})
		}
	}
	for _, text := range excerpt(r.Description) {
		add("", text)
	}
	add(faint, strings.Join(breadcrumbs(r.Description, maxLinks), "  "))
	if explain {
		for _, text := range arithmetic(r) {
			add(faint, text)
		}
	}
	return b
}

// title returns a result's first line: kind, place, name, score and the channels that found it.
func title(r actors.Result) string {
	s := fmt.Sprintf("[%s] %s  (%.2f)", clip(r.Kind.Label(), 16), name(r.Description), r.Score)
	if r.Exact {
		s += "  exact"
	}
	if r.Changed {
		s += "  changed since the scrape"
	}
	if c := contributions(r); c != "" {
		s += "  " + c
	}
	return s
}

// contributions names the channels that ranked a result, with their normalised scores. 1 is a
// channel's best hit.
func contributions(r actors.Result) string {
	var parts []string
	for _, c := range r.Contributions {
		if c.Rank > 0 {
			parts = append(parts, fmt.Sprintf("%s %.2f", clip(c.Channel, 16), c.Normalised))
		}
	}
	return clip(strings.Join(parts, " + "), maxLine)
}

// breadcrumbs returns a document's first links and its file's next best symbols.
func breadcrumbs(d store.Description, limit int) []string {
	var parts []string
	for i, l := range d.Links {
		if i == limit {
			break
		}
		parts = append(parts, "→ "+link(l))
	}
	if len(d.Also) > 0 {
		var names []string
		for i, also := range d.Also {
			if i == maxAlso {
				break
			}
			names = append(names, middle(also, 40)) // owners are alike, members differ
		}
		parts = append(parts, "also: "+strings.Join(names, ", "))
	}
	return parts
}

// link returns a relation, its target as a doc_id, and its note. A commit's doc_id begins with the
// relation, which is then left out.
func link(l store.Link) string {
	s := middle(l.Target, maxName)
	if !strings.HasPrefix(l.Target, l.Relation+":") {
		s = clip(l.Relation, 16) + " " + s
	}
	if l.Note != "" {
		s += " (" + clip(l.Note, 80) + ")"
	}
	return s
}
