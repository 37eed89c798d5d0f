package prose

import (
	"strings"

	"patina/internal/lazyregexp"
)

// statementSections may contain the decision, best first. The last ones are used if a record has no
// better one.
var statementSections = []string{
	"decision outcome", "decision", "decisions", "the decision", "our decision", "resolution", "chosen option",
	"entscheidung", "entscheidungsergebnis", "beschluss", "décision", "décision retenue", "résultat de la décision",
	"decisión", "resultado de la decisión", "决策", "决定", "決策", "決定", "决策结果", "決策結果", "決議", "决议",
	"proposal", "proposed solution", "proposed decision", "proposed design",
	"detailed design", "solution", "summary", "abstract", "tl;dr", "design",
	"vorschlag", "lösung", "zusammenfassung", "proposition", "résumé", "propuesta", "solución", "resumen", "提案", "方案",
	"摘要", "概述",
}

// A section is a heading with the blocks between it and the next heading.
type section struct {
	name   string // in lower case, without number and marks
	level  int
	line   int
	blocks []Block
}

// headingMark is the number, the sign or the note in the name of a section.
var headingMark = lazyregexp.New(`^[\d.)\s]+|[^\pL\pN)]+$|\s*\(.*\)$`)

// sections returns the sections of a document, in their order. Each has the blocks directly below
// its heading, and not those of its subsections.
func sections(d *Document) []section {
	var all []section
	var open []int
	for _, b := range d.Blocks {
		if b.Kind != Heading {
			if n := len(open); n > 0 {
				s := &all[open[n-1]]
				s.blocks = append(s.blocks, b)
			}
			continue
		}
		for len(open) > 0 && all[open[len(open)-1]].level >= b.Level {
			open = open[:len(open)-1]
		}
		name := strings.ToLower(Plain(b.Text))
		name = strings.TrimSpace(headingMark().ReplaceAllString(headingMark().ReplaceAllString(name, ""), ""))
		all = append(all, section{name: name, level: b.Level, line: b.First})
		open = append(open, len(all)-1)
	}
	return all
}

// body returns the blocks of a section, or those of its first subsection that has any. It returns
// nil if there are none.
func body(all []section, i int) []Block {
	for j := i; j < len(all) && (j == i || all[j].level > all[i].level); j++ {
		if len(all[j].blocks) > 0 {
			return all[j].blocks
		}
	}
	return nil
}
