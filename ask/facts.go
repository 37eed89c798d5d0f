package ask

import (
	"context"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/code/assay"
)

// referencesTime is the shortest timeout of a question about references. It parses every file that
// holds the name, about six megabytes a second on each core.
const referencesTime = 30 * time.Second

// FactsTime returns the shortest timeout of a question about facts, unless the user sets one. It
// returns 0 for no such timeout.
func FactsTime(question string) time.Duration {
	if question == "references" {
		return referencesTime
	}
	return 0
}

// findFacts tries each meaning of a pattern until one has facts.
func findFacts(ctx context.Context, c *Call, r Request) (*Answer, error) {
	out, query := &Answer{Form: Facts}, r.Query
	err := c.read(ctx, r.Packages, true, func(e api.Service) error {
		patterns, err := readPattern(c.Place, query.Pattern)
		if err != nil {
			return err
		}
		for _, pattern := range patterns {
			query := assay.Query{Type: query.Type, Pattern: pattern}
			out.Facts, err = e.Assay(ctx, api.AssayRequest{ReadOptions: c.Within(), Query: query})
			if err != nil || len(out.Facts.Facts.Facts) > 0 {
				break
			}
		}
		if err != nil {
			return err
		}
		out.Facts.Index = c.State(out.Facts.Index)
		if len(out.Facts.Facts.Facts) == 0 && len(out.Facts.Meant) == 0 { // else the name was right
			out.Near = c.findNear(ctx, e, query.Pattern)
		}
		return nil
	})
	return out, err
}

// readPattern returns the meanings of a pattern: as typed, then as a path or a glob from the folder
// of the call. "." means everything.
func readPattern(p project.Place, typed string) ([]string, error) {
	if typed == "." {
		return []string{typed}, nil
	}
	names, err := p.Names(typed)
	if err != nil {
		return nil, err
	}
	out := names[:1]
	for _, name := range names[1:] {
		if path, _, _ := strings.Cut(name, "::"); strings.ContainsAny(name, "*?[") || p.Exists(path) {
			out = append(out, name)
		}
	}
	return out, nil
}
