package deliver

import (
	"cmp"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/belief/knowledge"
	"patina/code/brief"
)

// firmShare is the share of a topic's words that a result must account for to be moved to the
// front. It is also the share below which an answer is irrelevant.
const firmShare = 0.25

// Focus moves items on the topic to the front, in the order of the given answers: packages with
// such files, their owners, decisions, and commits. It drops other packages and decisions, but
// keeps every rule because rules hold anyway. Results that are near by meaning alone move nothing.
func (c *Context) Focus(code, rules, beliefs, commits []api.Result) {
	beliefs = firm(beliefs)
	c.OnTopic, c.Beliefs, c.Commits = code, beliefs, firm(commits)
	code, rules = firm(code), firm(rules)
	var paths []string
	for _, r := range code {
		paths = append(paths, r.Path)
	}
	if owners := brief.OwnersOf(c.Owners, paths); len(owners) > 0 {
		c.Owners = owners
	}
	sortBy(c.Packages, code, holds)
	if n := slices.IndexFunc(c.Packages, func(p brief.Package) bool {
		return !slices.ContainsFunc(code, func(r api.Result) bool { return holds(p, r) })
	}); n >= 0 && len(code) > 0 {
		c.Packages = c.Packages[:n]
	}
	slices.SortStableFunc(c.Commits, func(a, b api.Result) int {
		return cmp.Or(cmp.Compare(brief.Routine(a.Title), brief.Routine(b.Title)), b.Time.Compare(a.Time))
	})
	sortBy(c.Rules, rules, func(q brief.Quote, r api.Result) bool {
		return r.Path == q.Path && r.First <= q.Line && q.Line <= r.Last
	})
	sortBy(c.Layer.Decisions, beliefs, records)
	c.Layer.Decisions = slices.DeleteFunc(c.Layer.Decisions, func(h knowledge.Held) bool {
		return !slices.ContainsFunc(beliefs, func(r api.Result) bool { return records(h, r) })
	})
}

// records reports whether r is the decision record of h.
func records(h knowledge.Held, r api.Result) bool { return r.Path == h.Path }

// holds reports whether r's file is in package p.
func holds(p brief.Package, r api.Result) bool { return strings.HasPrefix(r.Path, p.Folder+"/") }

// firm drops results that share too few words with the topic.
func firm(results []api.Result) (out []api.Result) {
	for _, r := range results {
		if r.Share >= firmShare {
			out = append(out, r)
		}
	}
	return out
}

// sortBy sorts a list by the first result that goes accepts for each item. Items without one come
// last, in their order.
func sortBy[T any](list []T, results []api.Result, goes func(T, api.Result) bool) {
	place := func(x T) int {
		if i := slices.IndexFunc(results, func(r api.Result) bool { return goes(x, r) }); i >= 0 {
			return i
		}
		return len(results)
	}
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(place(a), place(b)) })
}
