package deliver

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"patina/memory"
)

// memoryBytes bounds a printed list or memory: 900 tokens.
const memoryBytes = 3600

// Memories prints memories, one a line, as many as fit.
func Memories(w io.Writer, list []memory.Memory) error {
	var b strings.Builder
	for i, m := range list {
		line := fmt.Sprintf("%s [%s] %s%s\n", m.ID, m.Type, clip(OneLine(m.Content), 160), state(m))
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

func state(m memory.Memory) string {
	var parts []string
	if m.Pinned {
		parts = append(parts, "pinned")
	}
	switch {
	case m.SupersededBy != "":
		parts = append(parts, "superseded by "+OneLine(m.SupersededBy))
	case !m.Current():
		parts = append(parts, "forgotten")
	}
	if m.Origin != memory.User {
		parts = append(parts, OneLine(m.Origin))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Memory prints a memory with its history, within the same bound.
func Memory(w io.Writer, m memory.Memory) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s] confidence %g, %s%s\n", m.ID, m.Type, m.Confidence, m.Created.Format(time.DateOnly), state(m))
	for _, f := range [][2]string{
		{"tags", strings.Join(m.Tags, ", ")},
		{"path", m.Path},
		{"symbol", m.Symbol},
		{"commit", m.Commit},
		{"source", m.Source},
		{"session", m.Session},
	} {
		if f[1] != "" {
			fmt.Fprintf(&b, "  %-8s%s\n", f[0], clip(OneLine(f[1]), 160))
		}
	}
	cut := false
	write := func(line string) {
		if cut = cut || b.Len()+len(line) > memoryBytes-100; !cut {
			b.WriteString(line)
		}
	}
	for line := range strings.Lines(m.Content) {
		write("  | " + clip(OneLine(strings.TrimRight(line, "\n")), 1000) + "\n")
	}
	for _, e := range m.Log {
		write(fmt.Sprintf("  %s %s %s\n", e.At.Format(time.DateOnly), OneLine(e.Action), clip(OneLine(e.Detail), 300)))
	}
	if cut {
		b.WriteString("  and more: give --json\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// MemoryJSON prints a memory, a list or an outcome as JSON.
func MemoryJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
