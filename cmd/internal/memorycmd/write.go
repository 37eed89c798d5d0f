package memorycmd

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/memory"
	"patina/memory/transcript"
)

// memoryBytes bounds a printed list or memory. It is 900 tokens.
const memoryBytes = 3600

// maxSimilar bounds the similar memories named beside one.
const maxSimilar = 5

// writeNotes prints memories, one a line, as many as fit.
func writeNotes(w io.Writer, list []memory.Memory) error {
	var b strings.Builder
	for i, m := range list {
		line := fmt.Sprintf("%s [%s] %s%s\n", m.ID, m.Type, layout.Clip(layout.OneLine(m.Content), 160), stateOf(m))
		if b.Len()+len(line) > memoryBytes-100 {
			fmt.Fprintf(&b, "and %d more: narrow with --type, --tags or --path, or give --json\n", len(list)-i)
			break
		}
		b.WriteString(line)
	}
	if len(list) == 0 {
		b.WriteString("no memories\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func stateOf(m memory.Memory) string {
	var parts []string
	if m.Pinned {
		parts = append(parts, "pinned")
	}
	switch {
	case m.SupersededBy != "":
		parts = append(parts, "superseded by "+layout.OneLine(m.SupersededBy))
	case !m.Current():
		parts = append(parts, "forgotten")
	}
	if m.Moved != "" {
		parts = append(parts, m.Moved)
	}
	if m.Origin != memory.User {
		parts = append(parts, layout.OneLine(m.Origin))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// writeNote prints a memory with its history, within the same bound.
func writeNote(w io.Writer, m memory.Memory) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s] confidence %g, %s%s\n", m.ID, m.Type, m.Confidence, m.Created.Format(time.DateOnly),
		stateOf(m))
	for _, f := range [][2]string{
		{"tags", strings.Join(m.Tags, ", ")},
		{"aliases", strings.Join(m.Aliases, ", ")},
		{"path", m.Path},
		{"symbol", m.Symbol},
		{"commit", m.Commit},
		{"source", m.Source},
		{"session", m.Session},
	} {
		if f[1] != "" {
			fmt.Fprintf(&b, "  %-8s%s\n", f[0], layout.Clip(layout.OneLine(f[1]), 160))
		}
	}
	if len(m.Similar) > 0 {
		b.WriteString("  similar to")
		for _, n := range m.Similar[:min(maxSimilar, len(m.Similar))] {
			fmt.Fprintf(&b, " %s (%.2f)", n.ID, n.Cosine)
		}
		b.WriteString("\n")
	}
	cut := false
	write := func(line string) {
		if cut = cut || b.Len()+len(line) > memoryBytes-100; !cut {
			b.WriteString(line)
		}
	}
	for line := range strings.Lines(m.Content) {
		write("  | " + layout.Clip(layout.OneLine(strings.TrimRight(line, "\n")), 1000) + "\n")
	}
	for _, e := range m.Log {
		write(fmt.Sprintf("  %s %s %s\n", e.At.Format(time.DateOnly), layout.OneLine(e.Action),
			layout.Clip(layout.OneLine(e.Detail), 300)))
	}
	if cut {
		b.WriteString("  and more: give --json\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeAdded prints the id of a new memory, and below it the memories that it contradicts with the
// call that lets it take their place.
func writeAdded(w io.Writer, added memory.Added) error {
	var b strings.Builder
	id := layout.OneLine(added.ID)
	b.WriteString(id)
	switch {
	case added.Reason != "":
		fmt.Fprintf(&b, " resembles it: merged (%s), with its text in the history: %s", added.Reason,
			dialect.Command("memory", "show", added.ID))
	case added.Merged:
		b.WriteString(" says the same: merged")
	}
	b.WriteString("\n")
	if added.Superseded != "" {
		fmt.Fprintf(&b, "it supersedes %s\n", layout.OneLine(added.Superseded))
	}
	for _, c := range added.Conflicts {
		verb := "contradicts"
		if !c.Certain {
			verb = "may contradict"
		}
		fmt.Fprintf(&b, "%s %s [%s] %s (%s)\n", verb, layout.OneLine(c.ID), c.Type,
			layout.Quote(c.Content, 160), describeDifference(c))
	}
	if len(added.Conflicts) > 0 {
		fmt.Fprintf(&b, "both are kept; if the new one holds instead: %s\n",
			dialect.Command("memory", "edit", added.Conflicts[0].ID, "--superseded-by", added.ID))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// describeDifference returns the detail in which a memory differs from the new one.
func describeDifference(c memory.Conflict) string {
	side := func(text, where string) string {
		if text == "" {
			return "nothing " + where
		}
		return layout.Quote(text, 60) + " " + where
	}
	return c.Difference.Kind + ": " + side(c.Difference.A, "there") + ", " + side(c.Difference.B, "here")
}

// writeJSON prints a memory, a list or an outcome as JSON, with the schema first. A list is in the
// field "memories".
func writeJSON(w io.Writer, v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	fields, isObject := strings.CutPrefix(strings.TrimSpace(b.String()), "{")
	switch {
	case !isObject:
		fields = fmt.Sprintf(`,"memories":%s}`, fields)
	case fields != "}":
		fields = "," + fields
	}
	return layout.Encode(w, json.RawMessage(fmt.Sprintf(`{"schema":%d%s`, layout.Schema, fields)))
}

// writeConsolidation prints the pairs of equal memories, as many as fit.
func writeConsolidation(w io.Writer, c memory.Consolidation) error {
	var b strings.Builder
	likely := 0
	for i, p := range c.Proposals {
		verb := "stands for"
		if p.Likely && c.ID == "" {
			verb = "may say the same as"
			likely++
		}
		pair := fmt.Sprintf("%s %s %s: %s\n  | %s\n  | %s\n", p.Keep, verb, p.Drop, layout.OneLine(p.Reason),
			layout.Clip(layout.OneLine(p.Kept), 160), layout.Clip(layout.OneLine(p.Gone), 160))
		if b.Len()+len(pair) > memoryBytes-200 {
			fmt.Fprintf(&b, "and %d more: give --json\n", len(c.Proposals)-i)
			break
		}
		b.WriteString(pair)
	}
	if c.Uncompared > 0 {
		fmt.Fprintf(&b, "%d notes were not compared with all that have their words\n", c.Uncompared)
	}
	if c.Rest > 0 {
		fmt.Fprintf(&b, "%d pairs more: consolidate again\n", c.Rest)
	}
	switch {
	case len(c.Proposals) == 0:
		b.WriteString("no notes say the same\n")
	case c.ID == "" && likely > 0:
		fmt.Fprintf(&b, "nothing is changed: --apply does it, --apply --likely also for the %d that may say the same\n", likely)
	case c.ID == "":
		b.WriteString("nothing is changed: give --apply to do it\n")
	default:
		fmt.Fprintf(&b, "done: patina memory consolidate --undo %s takes it back\n", c.ID)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mostRuns bounds the printed consolidations.
const mostRuns = 40

// writeRuns prints consolidations, each with the call that undoes it.
func writeRuns(w io.Writer, runs []memory.Run) error {
	var b strings.Builder
	for _, r := range runs[:min(mostRuns, len(runs))] {
		fmt.Fprintf(&b, "%s changed %d notes: %s\n", r.At.Format(time.DateOnly), r.Memories,
			dialect.Command("memory", "consolidate", "--undo", r.ID))
	}
	switch {
	case len(runs) == 0:
		b.WriteString("nothing to take back\n")
	case len(runs) > mostRuns:
		fmt.Fprintf(&b, "and %d older ones: give --json\n", len(runs)-mostRuns)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeMarked prints the notes in a transcript, as many as fit.
func writeMarked(w io.Writer, notes []transcript.Note) error {
	var b strings.Builder
	for i, n := range notes {
		who := memory.Agent
		if n.User {
			who = memory.User
		}
		line := fmt.Sprintf("line %d, %s: %s\n", n.Line, who, layout.Clip(layout.OneLine(n.Text), 160))
		if b.Len()+len(line) > memoryBytes-200 {
			fmt.Fprintf(&b, "and %d more\n", len(notes)-i)
			break
		}
		b.WriteString(line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeStats prints counts of memories.
func writeStats(w io.Writer, s memory.Stats) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d memories hold, %d are superseded, %d forgotten\n", s.Current, s.Superseded, s.Forgotten)
	for _, group := range []struct {
		name   string
		counts map[string]int
	}{{"type", s.Types}, {"origin", s.Origins}} {
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(group.counts)) {
			parts = append(parts, fmt.Sprintf("%s %d", layout.OneLine(k), group.counts[k]))
		}
		if len(parts) > 0 {
			fmt.Fprintf(&b, "by %s: %s\n", group.name, strings.Join(parts, ", "))
		}
	}
	fmt.Fprintf(&b, "%d pinned, %d with a ground, of which %d moved (patina memory list --moved)\n", s.Pinned,
		s.Grounded, s.Moved)
	if s.Unembedded > 0 {
		fmt.Fprintf(&b, "%d are found by their words alone until questions have made their vectors\n", s.Unembedded)
	}
	for i, f := range s.Secrets {
		if b.Len() > memoryBytes-200 {
			fmt.Fprintf(&b, "and %d more: give --json\n", len(s.Secrets)-i)
			break
		}
		fmt.Fprintf(&b, "%s holds a secret (%s): patina memory forget %s --purge\n", f.ID, f.Rule, f.ID)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
