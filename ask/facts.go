package ask

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/code/assay"
)

// referencesTime is the shortest timeout of a question about references. It parses every file that
// holds the name, about six megabytes a second on each core.
const referencesTime = 30 * time.Second

// FactsTime returns the shortest timeout of a question about facts, unless the user sets one. It
// returns 0 for no such timeout.
func FactsTime(question string) time.Duration {
	switch question {
	case "references":
		return referencesTime
	case "impact":
		return ImpactTime
	}
	return 0
}

// A FactsElsewhere holds the facts of a project that an edge leads to.
type FactsElsewhere struct {
	Visit  visit.Visit
	Facts  *api.AssayAnswer // nil if it could not be asked
	Missed error            // why it could not, or nil
}

// findFacts returns the facts of the project, and those of related projects if the caller asks for
// them. The setting all-repos is about questions alone.
func findFacts(ctx context.Context, c *Call, r Request) (*Answer, error) {
	began := time.Now()
	out, err := findFactsHere(ctx, c, r)
	if err != nil || c.Given["all-repos"] != "true" || c.Moved != "" {
		return out, err
	}
	linked, err := visit.RouteToLinked(ctx, c.Place, c.Mother, mostLinked)
	if err != nil {
		c.Warn("asked at home alone: %v", err)
		return out, nil
	}
	for _, v := range linked.Visits {
		x := FactsElsewhere{Visit: v}
		left := c.Settings.Timeout - time.Since(began)
		if x.Facts, x.Missed = c.factsOf(ctx, v, r, left); errors.As(x.Missed, new(*visit.ClosedError)) {
			continue // it shows no code
		}
		out.Elsewhere = append(out.Elsewhere, x)
	}
	return out, nil
}

// factsOf asks a project that an edge leads to, within the time that is left.
func (c *Call) factsOf(ctx context.Context, v visit.Visit, r Request, left time.Duration) (*api.AssayAnswer, error) {
	if left <= 0 {
		return nil, &LateError{Read: "assay", Project: v.Name, Within: c.Settings.Timeout}
	}
	o := c.Options
	o.Repos, o.LooksUp, o.AtLeast = []string{v.Locator()}, true, 0
	o.Given = maps.Clone(c.Given)
	if o.Given == nil {
		o.Given = map[string]string{}
	}
	o.Given["timeout"] = left.String()
	there, err := Begin(o)
	if err != nil {
		return nil, err
	}
	a, err := findFactsHere(ctx, there, r)
	if err != nil {
		return nil, err
	}
	return a.Facts, nil
}

// findFactsHere tries each meaning of a pattern until one has facts.
func findFactsHere(ctx context.Context, c *Call, r Request) (*Answer, error) {
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
