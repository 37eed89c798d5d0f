package mother

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patina/actors/api"
	"patina/registry/route"
	"patina/store/text"
	"patina/wire/nodepb"
	"patina/wire/peer"
)

const (
	// mostWithout bounds the repositories whose counts are asked for by name.
	mostWithout = 64
	// mostCount bounds the counts that are believed.
	mostCount = 1 << 40
)

// Counts returns how often terms occur in all repositories together that the user may ask, except
// in those of without. It waits for shortWait at most.
func (c *Client) Counts(ctx context.Context, terms, without []string) (text.Frequencies, error) {
	ctx, cancel := context.WithTimeout(ctx, shortWait)
	defer cancel()
	none := text.Frequencies{}
	set, err := c.open()
	if err != nil {
		return none, err
	}
	m := &nodepb.RouteRequest{BudgetUs: shortWait.Microseconds(), Candidates: without[:min(len(without), mostWithout)]}
	for _, t := range terms {
		m.Stems = append(m.Stems, uint64(route.HashOf(t)))
	}
	reply, err := patiently(ctx, func() (*nodepb.RouteReply, error) {
		reply, call, err := peer.TryAny(ctx, set, peer.How{}, func(life context.Context, c *peer.Call) (*nodepb.RouteReply, error) {
			return nodepb.NewNodeClient(c.Conn).Route(life, m)
		})
		if err != nil {
			return nil, failureOf(err)
		}
		call.End()
		return reply, nil
	})
	if f, ok := errors.AsType[*api.Failure](err); ok && (ctx.Err() != nil || f.Status == api.Deadline) {
		return none, fmt.Errorf("no answer within %d ms", shortWait/time.Millisecond)
	}
	if err != nil {
		return none, errors.New(failureOf(err).Detail)
	}
	return frequencies(terms, reply)
}

// frequencies returns the counts of a reply, without those of its candidates.
func frequencies(terms []string, m *nodepb.RouteReply) (text.Frequencies, error) {
	f := text.Frequencies{Terms: map[string]int{}, Chunks: countOf(m.GetChunks())}
	if len(m.GetDocuments()) != len(terms) {
		return text.Frequencies{}, fmt.Errorf("%d counts of %d words", len(m.GetDocuments()), len(terms))
	}
	for i, t := range terms {
		f.Terms[t] = countOf(m.GetDocuments()[i])
	}
	for _, x := range m.GetCandidates() {
		f.Chunks = max(0, f.Chunks-countOf(x.GetChunks()))
		for i, n := range x.GetDocuments()[:min(len(x.GetDocuments()), len(terms))] {
			f.Terms[terms[i]] = max(0, f.Terms[terms[i]]-countOf(n))
		}
	}
	for t, n := range f.Terms {
		if n == 0 {
			delete(f.Terms, t)
		}
	}
	return f, nil
}

func countOf(n uint64) int { return int(min(n, mostCount)) }
