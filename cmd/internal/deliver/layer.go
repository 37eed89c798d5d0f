package deliver

import (
	"fmt"
	"slices"
	"strings"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/cmd/internal/dialect"
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

// directive returns lines on how to search beliefs before answering, or nil if there are no
// beliefs.
func directive(c Context, d dialect.Dialect) []layout.Line {
	if len(c.Layer.Beliefs) == 0 {
		return nil
	}
	first, topic := c.Layer.Beliefs[0].ID, c.Topic
	if len(c.Beliefs) == 0 { // no belief is on the topic
		topic = ""
	} else if c.Beliefs[0].Belief != nil {
		first = c.Beliefs[0].Belief.ID
	}
	calls := d.Recall(topic, first)
	if len(calls) == 0 {
		return nil
	}
	what := "beliefs"
	if !c.Index.Generation.Own {
		what += " " + OfOthers
	}
	lines := []layout.Line{
		layout.Strong("## Recall Directive"),
		layout.Text("Before answering about conventions, decisions or patterns, search " + what + ":"),
	}
	for _, call := range calls {
		lines = append(lines, layout.Text(call))
	}
	return lines
}
