package actors

import (
	"context"
	"fmt"
	"maps"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store/doc"
)

// keeper returns the channel that holds a document. It returns nil if an index holds it. The error
// wraps lookup.ErrNoDocument if the project has no such channel.
func (h *host) keeper(docID string) (oracles.Keeper, error) {
	t := doc.KindOf(docID).Traits()
	if t.Shape != doc.Outside {
		return nil, nil
	}
	for _, x := range h.oracles {
		if x.oracle.Name() != t.Channel {
			continue
		}
		open, err := x.openOnce()
		if k, ok := open.(oracles.Keeper); ok || err != nil {
			return k, err
		}
	}
	return nil, fmt.Errorf("find %q: %w", docID, lookup.ErrNoDocument)
}

// describeOutside describes a document that no index holds. For all others ok is false.
func (h *host) describeOutside(ctx context.Context, docID string) (d doc.Description, body string, ok bool, err error) {
	k, err := h.keeper(docID)
	if k == nil || err != nil {
		return d, "", err != nil, err
	}
	d, body, err = k.Describe(ctx, docID)
	return d, body, true, err
}

// stemsOf returns the stems of documents that no index holds, by doc_id.
func stemsOf(of []*api.Lists) map[string]string {
	all := map[string]string{}
	for _, m := range of {
		for _, l := range m.Lists {
			maps.Copy(all, l.Stems)
		}
	}
	return all
}
