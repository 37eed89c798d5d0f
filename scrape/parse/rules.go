package parse

import (
	"cmp"
	"slices"
	"strings"

	"patina/scrape/chunk"
	"patina/scrape/prose"
	"patina/store/doc"
)

// ruleWords is the number of words of a rule that name its document.
const ruleWords = 8

// A written rule is a document inside its section. Rules that share a line are one document.
type written struct {
	text        string
	first, last int
}

// rulesOf returns the rules in a file for agents, sorted by first line. It returns nil for guides
// for people: when they were cut into rules, the short documents took the places of decisions
// (goldens: 0.719 to 0.716 MRR).
func rulesOf(f *doc.File) []written {
	if prose.RuleSourceOf(f.Path) != prose.AgentRules {
		return nil
	}
	found, _ := prose.ParseRules(f.Path, f.Body)
	var rules []written
	for _, r := range found {
		if n := len(rules); n > 0 && r.First <= rules[n-1].last {
			rules[n-1].last = max(rules[n-1].last, r.Last)
			continue
		}
		rules = append(rules, written{r.Text, r.First, r.Last})
	}
	return rules
}

// withRules adds rules to the entries and spans of sections. A rule takes its lines out of the span
// that contains all of them, and becomes a child of that span's section. rules must be sorted by
// first line.
func withRules(
	entries []doc.Entry, spans []chunk.Span, rules []written, namer chunk.Namer,
) ([]doc.Entry, []chunk.Span) {
	if len(rules) == 0 {
		return entries, spans
	}
	var cut []chunk.Span
	for _, s := range spans {
		for len(rules) > 0 && rules[0].first < s.First {
			rules = rules[1:] // in front matter, or across the border of a section
		}
		first := s.First
		for len(rules) > 0 && rules[0].last <= s.Last {
			r := rules[0]
			rules = rules[1:]
			cut = append(cut, chunk.Span{Entry: s.Entry, First: first, Last: r.first - 1},
				chunk.Span{Entry: len(entries), First: r.first, Last: r.last})
			entries = append(entries, doc.Entry{
				Name: namer.Unique(ruleName(r.text)), Sort: doc.Section, First: r.first, Line: r.first, Last: r.last,
				Title: entries[s.Entry].Title, Summary: chunk.FirstSentence(r.text, summaryBytes), Parent: s.Entry,
			})
			first = r.last + 1
		}
		cut = append(cut, chunk.Span{Entry: s.Entry, First: first, Last: s.Last})
	}
	cut = slices.DeleteFunc(cut, func(s chunk.Span) bool { return s.First > s.Last })
	return inOrder(entries, cut), cut
}

// inOrder returns the entries sorted by first line, and renumbers their parents and the spans.
func inOrder(entries []doc.Entry, spans []chunk.Span) []doc.Entry {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(entries[a].First, entries[b].First) })
	place, sorted := make([]int, len(entries)), make([]doc.Entry, 0, len(entries))
	for i, old := range order {
		place[old] = i
		sorted = append(sorted, entries[old])
	}
	for i := range sorted {
		if sorted[i].Parent >= 0 {
			sorted[i].Parent = place[sorted[i].Parent]
		}
	}
	for i := range spans {
		spans[i].Entry = place[spans[i].Entry]
	}
	return sorted
}

// ruleName names a rule by its first words.
func ruleName(text string) string {
	words := strings.Fields(text)
	return slug(heading{level: 1, text: strings.Join(words[:min(len(words), ruleWords)], " ")})
}
