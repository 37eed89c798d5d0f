package deliver

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/fusion"
	"patina/store/doc"
)

// Snippets writes an answer as text, within its ceiling. The query id and the intent come first,
// then one block a result, and the calls that dig deeper. The last lines say how fresh the index is
// and name the channels not searched.
func Snippets(w io.Writer, a *api.Answer, o Options) error {
	top := preamble(a, o)
	if s := wordsRead(a.Read, o.Dialect); s != "" {
		top = append(top, layout.Faint(s))
	}
	if o.Explain {
		for _, s := range o.Route {
			top = append(top, layout.Faint(layout.Clip(s, 160)))
		}
		for _, c := range a.Channels {
			if c.Status == api.OK && c.Detail != "" {
				top = append(top, layout.Faint(layout.Clip(c.Channel+" also "+c.Detail, 160)))
			}
		}
	}
	results := shown(a)
	must := footer(a, o)
	deeper := deeperLines(a, results, o)
	// 1: the empty line above the results. The results shown must not depend on the time taken.
	took := len(fmt.Sprint(a.Took.Milliseconds()))
	room := o.Ceiling() - layout.Size(top) - layout.Size(must) - 1 - max(0, tookDigits-took)
	roomAbove := room - max(layout.Size(deeper), layout.Size(deeperLines(a, results, o.other())))
	blocks := snippets(a.QueryID, results, roomAbove, o)
	forms := fit(blocks, roomAbove)
	if text := cut(forms, o.Ceiling(), o.Dialect); text != "" {
		forms = fit(blocks, roomAbove-cutRoom)
		if len(forms) > 0 && forms[0] != whole { // small budget: results before links
			deeper = nil
			forms = fit(blocks, room-cutRoom)
		}
		must = append([]layout.Line{layout.Faint(cut(forms, o.Ceiling(), o.Dialect))}, must...)
	}
	var lines []layout.Line
	for _, l := range top {
		lines = append(lines, layout.Wrap(l, o.Width)...)
	}
	lines = append(lines, layout.Line{})
	for i, b := range blocks {
		lines = append(lines, b.lines(forms[i], o)...)
	}
	if len(blocks) == 0 {
		lines = lines[:len(lines)-1]
	}
	for _, l := range deeper {
		lines = append(lines, layout.BreakCalls(l, o.Width)...)
	}
	for _, l := range must {
		lines = append(lines, layout.Wrap(l, o.Width)...)
	}
	return layout.Write(w, lines, o.Colour)
}

// deeperLines returns the lines with calls under the results: the belief impact, one line that digs
// deeper, a proposed belief, and further files with a quoted text.
func deeperLines(a *api.Answer, results []api.Result, o Options) (lines []layout.Line) {
	if a.Relevance != fusion.Irrelevant {
		lines = beliefImpact(results, o)
	}
	lines = append(lines, digDeeper(results, o)...)
	if s := proposed(a, results, o); s != "" {
		lines = append(lines, layout.Faint(s))
	}
	for _, x := range a.More {
		if s := more(x, o); s != "" {
			lines = append(lines, layout.Faint(s))
		}
	}
	return lines
}

// tookDigits is the width reserved for the milliseconds of an answer.
const tookDigits = 6

// more returns the line about further files that contain a quoted text, with the call that lists
// those lines. It is empty if the dialect has no such call.
func more(x api.More, o Options) string {
	call := o.dialectOf(x.Project).Lines(x.Text)
	if call == "" {
		return ""
	}
	return fmt.Sprintf("%q stands in %s: %s", layout.Clip(x.Text, 60), layout.Count(x.Files, "more file"), call)
}

// shown returns the results that a text prints: all, or the nearest few if nothing is relevant.
func shown(a *api.Answer) []api.Result {
	if a.Relevance == fusion.Irrelevant {
		return a.Results[:min(len(a.Results), nearest)]
	}
	return a.Results
}

// preamble returns the first line of an answer. A heading follows if the answer is incomplete,
// empty, irrelevant or weak.
func preamble(a *api.Answer, o Options) []layout.Line {
	channels := map[string]bool{}
	for _, c := range a.Channels {
		if c.Status == api.OK || c.Status == api.Empty {
			channels[c.Channel] = true
		}
	}
	lines := []layout.Line{layout.Faint(fmt.Sprintf("%s  intent: %s  %s, %d ms",
		layout.Clip(a.QueryID, 40), layout.Clip(string(a.Intent), 20), layout.Count(len(channels), "channel"),
		a.Took.Milliseconds()))}
	switch lacks := Incomplete(a, o.Visits); {
	case lacks != "":
		lines = append(lines, layout.Strong(lacks))
	case len(a.Results) == 0:
		lines = append(lines, layout.Strong("nothing found"))
	case a.Relevance == fusion.Irrelevant:
		lines = append(lines, layout.Strong("nothing relevant; the nearest are"))
	case a.Relevance == fusion.Weak:
		lines = append(lines, layout.Strong("weak matches"))
	}
	return lines
}

// Lacking returns the channels that failed or were late, never nil. A channel of another project
// counts only if the answer has no results, or was not judged.
func Lacking(a *api.Answer, visits map[string]Visit) []string {
	names := []string{}
	for _, c := range a.Channels {
		_, visited := visits[c.Project]
		if visited && len(a.Results) > 0 && a.Relevance != fusion.Unjudged {
			continue
		}
		if c.Status.Partial() && !slices.Contains(names, c.Channel) {
			names = append(names, c.Channel)
		}
	}
	return names
}

// Incomplete returns a line that names the missing channels, or "" if the answer is complete.
func Incomplete(a *api.Answer, visits map[string]Visit) string {
	names := Lacking(a, visits)
	if len(names) == 0 {
		return ""
	}
	return layout.Clip("incomplete: the answer lacks "+strings.Join(names, ", "), 160)
}

// footer returns the lines under every answer: notes, freshness, missing channels. Their size is
// bounded. With a ceiling below roomy, only the missing channels are named.
func footer(a *api.Answer, o Options) []layout.Line {
	const roomy = 1200
	missed := missing(a.Channels, o.Visits)
	if o.Ceiling() < roomy {
		if missed == "" {
			return nil
		}
		return []layout.Line{layout.Strong(layout.Clip(missed, 110))}
	}
	var lines []layout.Line
	if len(a.Notes) > 0 {
		lines = append(lines, layout.Faint("note: "+layout.Clip(strings.Join(a.Notes, "; "), 200)))
	}
	for _, s := range []string{
		Freshness(atHome(a.Indexes, o.Visits), o.Dialect), elsewhere(a.Indexes, o.Visits),
		FarIndexes(far(a.Indexes, o.Visits), time.Now()),
	} {
		if s != "" {
			lines = append(lines, layout.Faint(s))
		}
	}
	if missed != "" {
		lines = append(lines, layout.Strong(missed))
	}
	return lines
}

// missing names the channels that could not answer, each with its reason. Neighbours with the same
// reason share it. A silent gap would read as "nothing known".
func missing(channels []api.ChannelState, visits map[string]Visit) string {
	var parts, instead []string
	last, said := "", map[string]bool{}
	for _, c := range channels {
		if !c.Status.Partial() && c.Status != api.Unavailable {
			continue
		}
		if c.ByBuiltIn() {
			text := layout.Clip(c.Detail, mostInstead)
			if len(visits) > 0 {
				text = layout.Clip(c.Project, 32) + ": " + text
			}
			if !slices.Contains(instead, text) {
				instead = append(instead, text)
			}
			continue
		}
		reason := c.Detail
		if reason == "" {
			reason = strings.ToLower(string(c.Status))
		}
		if c.Status != api.Unreachable { // it begins with the machine and the time
			reason = layout.Clip(cause(reason), mostCause)
		}
		reason = fmt.Sprintf(" (%s)", layout.Clip(reason, mostReason))
		where := ""
		if len(visits) > 0 {
			where = layout.Clip(c.Project, 32) + ": "
		}
		if _, visited := visits[c.Project]; visited && nothingFrom(channels, c) { // named once
			if said[c.Project] {
				continue
			}
			said[c.Project] = true
			parts, last = append(parts, layout.Clip(c.Project, 32)+reason), ""
			continue
		}
		if reason == last {
			parts[len(parts)-1] = strings.TrimSuffix(parts[len(parts)-1], reason)
		}
		parts, last = append(parts, where+layout.Clip(c.Channel, 20)+reason), reason
	}
	if len(parts) > 0 {
		instead = append([]string{"not searched: " + strings.Join(parts, ", ")}, instead...)
	}
	return layout.Clip(strings.Join(instead, "; "), 200)
}

// mostCause bounds the bytes of a cause, mostReason those of a reason, and mostInstead those of why
// built-in vectors answer.
const (
	mostInstead = 150
	mostCause   = 60
	mostReason  = 80
)

// cause returns the last parts of a wrapped error that fit into a line. The first parts are dropped
// because they are paths and steps, and the fault comes last.
func cause(reason string) string {
	for len(reason) > mostCause {
		_, rest, wrapped := strings.Cut(reason, ": ")
		if !wrapped {
			break
		}
		reason = rest
	}
	return reason
}

// nothingFrom reports whether all channels of a project have the same status and detail.
func nothingFrom(channels []api.ChannelState, of api.ChannelState) bool {
	return !slices.ContainsFunc(channels, func(c api.ChannelState) bool {
		return c.Project == of.Project && (c.Status != of.Status || c.Detail != of.Detail)
	})
}

// digDeeper returns one line with calls, beside the call of each result: why for the first result,
// and callers for the first that has some. The whole text of a result has calls for all its links.
func digDeeper(results []api.Result, o Options) []layout.Line {
	if len(results) == 0 {
		return nil
	}
	first := results[0]
	calls := onward(first.Description, o.dialectOfResult(first))
	called := func(r api.Result) bool { return linked(r.Description, "callers") }
	if i := slices.IndexFunc(results, called); i >= 0 {
		calls = append(calls, o.dialectOfResult(results[i]).Assay("callers", ShownID(results[i].Description)))
	}
	text := layout.JoinCalls(calls)
	if text == "" {
		return nil
	}
	return []layout.Line{layout.Faint("Dig deeper: " + text)}
}

// Deeper returns the call for a whole result: by rank if the query is logged, else by doc_id. It is
// empty if no call can be printed.
func Deeper(queryID string, r api.Result, o Options) string {
	if o.Logged {
		return o.Dialect.Detail(queryID, r.Rank, 1)
	}
	return o.dialectOfResult(r).Describe(ShownID(r.Description), 1)
}

// linked reports whether a file has links in a relation.
func linked(d doc.Description, relation string) bool {
	return d.Path != "" && slices.ContainsFunc(d.Links, func(l doc.Link) bool { return l.Relation == relation })
}

// ShownID returns the doc_id of the part shown in a result.
func ShownID(d doc.Description) string {
	if d.Shown != "" {
		return d.Shown
	}
	return d.DocID
}
