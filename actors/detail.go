package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/fusion"
	"patina/store"
	"patina/store/lookup"
)

// Detail returns a document's description and its whole text. project is a name or an id, and may be empty if there is only
// one. ErrNoDocument of package store says that there is no such document.
func (e *Engine) Detail(ctx context.Context, project, docID string) (d store.Description, body string, err error) {
	h, err := e.host(project)
	if err != nil {
		return d, "", err
	}
	if _, _, err := e.queries.begin("detail"); err != nil {
		return d, "", err
	}
	defer e.queries.end()
	ctx, cancel := context.WithTimeout(ctx, defaultTimeout)
	defer cancel()
	p, err := h.index.pin(ctx, 0)
	if err != nil {
		return d, "", fmt.Errorf("read index of %q: %w", h.project.Name, err)
	}
	defer p.Close()
	err = guarded(h.log, func() error {
		d, body, err = lookup.Body(ctx, p.desk, docID)
		return err
	})
	return d, body, err
}

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

// An Explanation tells how one document was ranked for a question.
type Explanation struct {
	Answer     // its Results hold that document alone, or nothing if no channel found it
	Ranked int // documents in the ranking
}

// whyLimit is the least limit with which Why asks, so that a document far below what is shown has its ranks too.
const whyLimit = 200

// Why runs a request and explains the place of one document: its rank, shares and contributions. docID may be that of a
// symbol, which ranks as its file. The document may come from any project.
func (e *Engine) Why(ctx context.Context, r Request, docID string) (*Explanation, error) {
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
