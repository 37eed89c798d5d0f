package deliver

import (
	"fmt"
	"slices"

	"patina/store/brief"
	"patina/store/knowledge"
)

// Layered reports whether a project keeps beliefs or core patterns of its own.
func (c Context) Layered() bool { return len(c.Layer.Beliefs)+len(c.Layer.Patterns) > 0 }

// layerSections lists what a project says of itself: its core patterns, then its beliefs.
func layerSections(c Context) []section {
	patterns := section{title: "## Core Patterns", noun: "pattern"}
	for _, p := range c.Layer.Patterns {
		patterns.items = append(patterns.items, clip(p.Name, maxName)+": "+quote(p.Purpose))
	}
	return slices.DeleteFunc([]section{patterns, beliefSection(c), decisionSection(c.Layer)}, section.empty)
}

// beliefSection lists active beliefs: those that answer the topic, else the best established.
func beliefSection(c Context) section {
	s := section{title: "## Active Beliefs (top %d by standing and use)", noun: "belief"}
	for _, r := range c.Beliefs {
		if b := r.Belief; b != nil {
			s.title = "## Active Beliefs (top %d by relevance to topic)"
			s.items = append(s.items, held(b.ID, b.Statement, b.Entrenchment))
		}
	}
	if len(s.items) > 0 {
		return s
	}
	for _, b := range c.Layer.Beliefs {
		s.items = append(s.items, held(b.ID, b.Statement, b.Entrenchment))
	}
	return s
}

func held(id, statement string, entrenchment float64) string {
	return fmt.Sprintf(`%s: "%s" (entrenchment: %g)`, clip(id, maxName), clip(statement, maxQuoted), entrenchment)
}

// decisionSection lists the decision records that hold.
func decisionSection(l brief.Layer) section {
	s := section{title: "## Decisions", noun: "decision"}
	for _, d := range l.Decisions {
		s.items = append(s.items, decided(d))
	}
	return s
}

func decided(d knowledge.Held) string {
	return quote(brief.Quote{Text: d.Statement, Path: d.Path, Line: d.Line})
}

// directive says how to search beliefs before answering.
func directive(c Context, d Dialect) []line {
	if len(c.Layer.Beliefs) == 0 {
		return nil
	}
	first, topic := c.Layer.Beliefs[0].ID, c.Topic
	if len(c.Beliefs) == 0 { // none is relevant to it
		topic = ""
	} else if c.Beliefs[0].Belief != nil {
		first = c.Beliefs[0].Belief.ID
	}
	calls := d.Recall(topic, first)
	if len(calls) == 0 {
		return nil
	}
	lines := []line{
		{strong, "## Recall Directive"},
		{"", "Before answering about conventions, decisions or patterns, search beliefs:"},
	}
	for _, call := range calls {
		lines = append(lines, line{"", call})
	}
	return lines
}
