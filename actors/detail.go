package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/fusion"
	"patina/store"
	"patina/store/lookup"
)

// Detail returns a document's description and its whole text. project is a name or an id, and may be empty if there is only
// one. ErrNoDocument of package store says that there is no such document.
func (e *Engine) Detail(ctx context.Context, project, docID string) (d store.Description, body string, err error) {
	if _, _, err := e.queries.begin("detail"); err != nil {
		return d, "", err
	}
	defer e.queries.end()
	m, err := e.useOne(project)
	if err != nil {
		return d, "", err
	}
	defer m.users.Done()
	h := m.host
	if h == nil {
		return d, "", fmt.Errorf("read %q of %q: the project is not on this machine", docID, m.from)
	}
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
