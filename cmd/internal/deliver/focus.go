package deliver

import (
	"cmp"
	"slices"
	"strings"

	"patina/actors"
	"patina/store/brief"
	"patina/store/knowledge"
)

// firmShare is the share of a topic that an answer accounts for by words to come first: the floor
// below which an answer is irrelevant.
const firmShare = 0.25

// Focus puts first what answers a topic, in the order of the answers: packages with such files,
// rules and decisions. Others keep their order. What is near by meaning alone moves nothing.
func (c *Context) Focus(code, rules, beliefs []actors.Result) {
	c.OnTopic, c.Beliefs = code, beliefs
	code, rules, beliefs = firm(code), firm(rules), firm(beliefs)
	sortBy(c.Packages, code, func(p brief.Package, r actors.Result) bool {
		return strings.HasPrefix(r.Path, p.Folder+"/")
	})
	sortBy(c.Rules, rules, func(q brief.Quote, r actors.Result) bool {
		return r.Path == q.Path && r.First <= q.Line && q.Line <= r.Last
	})
	sortBy(c.Layer.Decisions, beliefs, func(h knowledge.Held, r actors.Result) bool { return r.Path == h.Path })
}

// firm leaves out answers that share few words with the topic.
func firm(results []actors.Result) (out []actors.Result) {
	for _, r := range results {
		if r.Share >= firmShare {
			out = append(out, r)
		}
	}
	return out
}

// sortBy sorts a list by the first result that each item goes with.
func sortBy[T any](list []T, results []actors.Result, goes func(T, actors.Result) bool) {
	place := func(x T) int {
		if i := slices.IndexFunc(results, func(r actors.Result) bool { return goes(x, r) }); i >= 0 {
			return i
		}
		return len(results)
	}
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(place(a), place(b)) })
}

// maxRuleFiles bounds the files whose rules are ordered by a topic: each is a filter of a question.
const maxRuleFiles = 20

// RuleFiles lists the first files that hold rules, as globs that match nothing else.
func (c Context) RuleFiles() (paths []string) {
	for _, q := range c.Rules {
		if len(paths) < maxRuleFiles && !slices.Contains(paths, q.Path) && !strings.ContainsAny(q.Path, `*?[]{}\!`) {
			paths = append(paths, q.Path)
		}
	}
	return paths
}
