package deliver

import (
	"fmt"
	"slices"
	"strings"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/cmd/internal/layout"
	"patina/code/brief"
)

// layerSections returns a project's core patterns, its beliefs and its decisions.
func layerSections(c Context) []section {
	patterns := section{title: titleOf("## Core Patterns", c.Index), noun: "pattern"}
	for _, p := range c.Layer.Patterns {
		patterns.items = append(patterns.items, patternName(p.Name)+": "+quote(p.Purpose))
	}
	return slices.DeleteFunc([]section{patterns, beliefSection(c), decisionSection(c)}, section.empty)
}

// patternName quotes a name that is not a slug. The name begins a line.
func patternName(s string) string {
	if belief.IsID(strings.ToLower(s)) {
		return s
	}
	return layout.Quote(s, layout.MaxName)
}

// beliefSection lists active beliefs: those on the topic, else those with the best support.
func beliefSection(c Context) section {
	s := section{title: titleOf("## Active Beliefs (top %d by standing and use)", c.Index), noun: "belief"}
	for _, r := range c.Beliefs {
		if b := r.Belief; b != nil {
			s.title = titleOf("## Active Beliefs (top %d by relevance to topic)", c.Index)
			s.items = append(s.items, statement(b.Belief))
		}
	}
	if len(s.items) > 0 {
		return s
	}
	for _, b := range c.Layer.Beliefs {
		s.items = append(s.items, statement(b.Belief))
	}
	return s
}

// statement writes a belief in one line, with its place.
func statement(b belief.Belief) string {
	return fmt.Sprintf("%s: %s (entrenchment: %g) %s:%d", layout.Clip(b.ID, layout.MaxName),
		layout.Quote(b.Statement, maxQuoted), b.Entrenchment, layout.OpenPath(b.Path), b.Line)
}

// decisionSection lists the decision records in force.
func decisionSection(c Context) section {
	s := section{title: titleOf("## Decisions", c.Index), noun: "decision"}
	for _, d := range c.Layer.Decisions {
		s.items = append(s.items, decided(d))
	}
	return s
}

func decided(d knowledge.Held) string {
	return quote(brief.Quote{Text: d.Statement, Path: d.Path, Line: d.Line})
}
