package text

import (
	"maps"
	"slices"
	"strings"
)

// LongWords is the number of words at which a text counts as long. Questions in the tuning sets
// have at most 14, commit subjects 18, and issues at least 42 (docs/ranking.md, "Long texts").
const LongWords = 20

// isLong reports whether a text is a pasted issue or traceback rather than a question.
func isLong(s string, words int) bool {
	return words >= LongWords || holdsTrace(s) || strings.Contains(s, "\n") && holdsFence(s)
}

func holdsFence(s string) bool {
	for line := range strings.Lines(s) {
		if isFence(line) {
			return true
		}
	}
	return false
}

// parseLong reads a text by its zones. ok is false if no word with a weight is left.
func parseLong(s string) (q Question, ok bool) {
	q = Question{Raw: s, Long: true, Weights: map[string]float64{}, Mentions: Mentions{Names: map[string]float64{}}}
	var terms orderedSet
	var frames traceReader
	lines := make(map[float64]*strings.Builder)
	traced, others := 0, 0
	for l := range zoneLines(withoutColours(s)) {
		if l.zone == title {
			q.Title = l.text
			q.Words = lowerRuns(l.text)
		}
		if l.zone == trace || l.zone == failure {
			traced++
		} else {
			others++
		}
		weight := zoneWeights[l.zone]
		if weight == 0 {
			continue
		}
		if lines[weight] == nil {
			lines[weight] = new(strings.Builder)
		}
		lines[weight].WriteString(l.text + "\n")
		Runs(l.text, func(run string) {
			if IsStop(strings.ToLower(run)) {
				return
			}
			Words(run, func(w string) {
				terms.insert(w)
				q.Weights[w] = max(q.Weights[w], weight)
			})
		})
		q.Mentions.addNames(l.zone, l.text)
		q.Mentions.Words = append(q.Mentions.Words, lowerRuns(l.text)...)
		if frames.takeLine(l.text) {
			continue
		}
		q.Mentions.addPlaces(l.text)
		if l.zone != trace {
			q.Mentions.addPaths(l.text)
		}
	}
	q.Mentions.Frames = frames.innermost()
	// In Go, the line with a function does not look like part of a trace, but is. Of a text that
	// begins with a trace, other lines are its message.
	isTrace := q.Title == "" || traced+frames.named >= others-frames.named
	q.Traced = isTrace && len(q.Mentions.Frames)+len(q.Mentions.Places) > 0
	for _, weight := range slices.Backward(slices.Sorted(maps.Keys(lines))) {
		q.Zones = append(q.Zones, lines[weight].String())
	}
	q.Terms = terms.list
	return q, len(q.Terms) > 0
}
