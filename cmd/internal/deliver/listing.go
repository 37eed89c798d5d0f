package deliver

import (
	"fmt"
	"io"
	"strings"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/code/lookup"
	"patina/fusion"
)

// Listings (Paths, Symbols, Vimgrep, Format) are for other programs: one line a result, nothing
// else, and no ceiling.

// Missing names the channels that could not answer, each with its reason. It is empty if all
// answered.
func Missing(a *api.Answer) string { return missing(a.Channels, nil) }

// Paths writes the path of each file in an answer once, best first. With nul, each path is followed
// by a NUL and printed as it is. Otherwise control characters are removed and each path is a line.
// Commits have no path.
func Paths(w io.Writer, a *api.Answer, nul bool) error {
	var b strings.Builder
	seen := make(map[string]bool)
	results := a.Results // a path is known without a description
	if a.Relevance == fusion.Irrelevant {
		results = nil
	}
	for _, r := range results {
		switch {
		case r.Path == "" || seen[r.Path]:
			continue
		case nul:
			b.WriteString(r.Path + "\x00")
		default:
			b.WriteString(layout.Plain(r.Path) + "\n")
		}
		seen[r.Path] = true
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Symbols writes symbols as "path:line kind name".
func Symbols(w io.Writer, symbols []lookup.Symbol) error {
	var b strings.Builder
	for _, s := range symbols {
		fmt.Fprintf(&b, "%s:%d %s %s\n", layout.Plain(s.Path), s.Line, layout.Plain(string(s.Sort)),
			layout.Plain(s.Name))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Vimgrep writes "path:line:column:text" for an editor. The function line must return a line of a
// file; its error ends the listing. The column is the position of the name in it, in bytes from 1.
// Commits are left out.
func Vimgrep(w io.Writer, a *api.Answer, line func(path string, n int) (string, error)) error {
	var b strings.Builder
	for _, r := range a.Relevant() {
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
		fmt.Fprintf(&b, "%s:%d:%d:%s\n", layout.Plain(r.Path), at, column+1, layout.OneLine(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lastOf returns a symbol's own name: "Open" for "Store.Open#2".
func lastOf(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "#")
	return symbol[strings.LastIndexByte(symbol, '.')+1:]
}
