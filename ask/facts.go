package ask

import (
	"context"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/code/assay"
)

// referencesTime is how long a question for references may take: it parses every file that holds
// the name, about six megabytes a second a core.
const referencesTime = 30 * time.Second

// FactsTime returns the least time that a question about facts has, unless one is asked for.
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
			out.Facts, err = e.Assay(ctx, api.AssayRequest{ReadOptions: c.Within(), Query: assay.Query{Type: query.Type, Pattern: pattern}})
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
// of the call. "." stands for everything.
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
