package deliver

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/template"

	"patina/actors"
	"patina/fusion"
	"patina/store"
)

// Found are the results that a listing has: none where nothing is relevant. A listing (Paths, Symbols, Vimgrep, Format) is for
// other programs: a line a result and nothing else, and no ceiling.
func Found(a *actors.Answer) []actors.Result {
	if a.Relevance == fusion.Irrelevant {
		return nil
	}
	return a.Results
}

// Missing names the channels that could not answer, each with its reason; empty for none.
func Missing(a *actors.Answer) string { return missing(a.Channels) }

// Paths writes the path of each file of an answer once, best first. With nul each ends with a NUL and stands as it is; else a
// path is one harmless line. Commits have none.
func Paths(w io.Writer, a *actors.Answer, nul bool) error {
	var b strings.Builder
	seen := make(map[string]bool)
	for _, r := range Found(a) {
		switch {
		case r.Path == "" || seen[r.Path]:
			continue
		case nul:
			b.WriteString(r.Path + "\x00")
		default:
			b.WriteString(Plain(r.Path) + "\n")
		}
		seen[r.Path] = true
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Symbols writes symbols as "path:line kind name".
func Symbols(w io.Writer, symbols []store.Symbol) error {
	var b strings.Builder
	for _, s := range symbols {
		fmt.Fprintf(&b, "%s:%d %s %s\n", Plain(s.Path), s.Line, Plain(string(s.Sort)), Plain(s.Name))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Vimgrep writes "path:line:column:text" for an editor: the line where a result begins as line returns it, the column, from 1
// and in bytes, where its name stands in it. Commits have no place in a file.
func Vimgrep(w io.Writer, a *actors.Answer, line func(path string, n int) (string, error)) error {
	var b strings.Builder
	for _, r := range Found(a) {
		if r.Path == "" {
			continue
		}
		at := max(r.First, 1)
		text, err := line(r.Path, at)
		if err != nil {
			return err
		}
		column := strings.Index(text, lastOf(r.Symbol))
		if r.Symbol == "" || column < 0 {
			column = len(text) - len(strings.TrimLeft(text, " \t"))
		}
		fmt.Fprintf(&b, "%s:%d:%d:%s\n", Plain(r.Path), at, column+1, OneLine(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lastOf is a symbol's own name: "Open" of "Store.Open#2".
func lastOf(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "#")
	return symbol[strings.LastIndexByte(symbol, '.')+1:]
}

// OneLine makes one harmless line of any text and keeps its spaces and tabs: a command that is printed stays the same.
func OneLine(s string) string {
	return strings.ReplaceAll(body(strings.TrimSuffix(s, "\r")), "\n", " ")
}

// ParseTemplate reads a template of Go's text/template over the result objects of the JSON: {{.path}}, {{.score}}.
func ParseTemplate(text string) (*template.Template, error) {
	t, err := template.New("format").Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read template %q: %w", text, err)
	}
	return t, nil
}

// Format writes a line a result by a template that was parsed from text.
func Format(w io.Writer, a *actors.Answer, t *template.Template, text string, o Options) error {
	var all strings.Builder
	for _, r := range Found(a) {
		fields, err := templateFields(result(a.QueryID, r, o))
		if err != nil {
			return err
		}
		var b strings.Builder
		if err := t.Execute(&b, fields); err != nil {
			return fmt.Errorf("apply template %q: %w", text, err)
		}
		all.WriteString(OneLine(strings.TrimSuffix(b.String(), "\n")) + "\n")
	}
	_, err := io.WriteString(w, all.String())
	return err
}

// templateFields are the fields of a result under the names that JSON gives them, each always there. Whole numbers are ints,
// so that %d and comparisons work.
func templateFields(r jsonResult) (map[string]any, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	fields := make(map[string]any)
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	fields["sha"], fields["rank"], fields["line_start"], fields["line_end"] = r.SHA, r.Rank, r.LineStart, r.LineEnd
	return fields, nil
}
