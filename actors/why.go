package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/fusion"
	"patina/store"
)

// host finds a project by its name or id.
func (e *Engine) host(project string) (*host, error) {
	if project == "" && len(e.hosts) == 1 {
		return e.hosts[0], nil
	}
	i := slices.IndexFunc(e.hosts, func(h *host) bool { return h.project.Name == project || h.project.ID == project })
	if i < 0 {
		var names []string
		for _, h := range e.hosts {
			names = append(names, h.project.Name)
		}
		return nil, fmt.Errorf("no project %q; there are %s", project, strings.Join(names, ", "))
	}
	return e.hosts[i], nil
}

// A WhyRequest asks how one document was ranked for a question.
type WhyRequest struct {
	Request
	DocID string // that of a symbol ranks as its file
}

// An Explanation tells how one document was ranked for a question.
type Explanation struct {
	Answer     // its Results hold that document alone, or nothing if no channel found it
	Ranked int // documents in the ranking
}

// whyLimit is the least limit with which Why asks, so that a document far below what is shown has its ranks too.
const whyLimit = 200

// Why implements Service: it runs a request and explains the place of one document, its rank, shares and contributions. The
// document may come from any project.
func (e *Engine) Why(ctx context.Context, w WhyRequest) (*Explanation, error) {
	r, docID := w.Request, w.DocID
	if docID == "" {
		return nil, errors.New("explain rank: no document")
	}
	x := &Explanation{}
	r.Limit = max(r.Limit, whyLimit)
	a, err := e.scry(ctx, r, func(_ int, ranking []fusion.Result) []int {
		x.Ranked = len(ranking)
		if i := slices.IndexFunc(ranking, func(r fusion.Result) bool { return store.Kind(r.Key.Kind).Means(r.Key.ID, docID) }); i >= 0 {
			return []int{i}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	x.Answer = *a
	return x, nil
}
