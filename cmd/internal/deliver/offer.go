package deliver

import (
	"fmt"

	"patina/actors/api"
	"patina/belief/mine"
	"patina/fusion"
)

// An offer proposes the reason of a result as a belief.
type offer struct {
	Rank   int    `json:"rank"`
	Source string `json:"source"`
}

// offered returns the reason of a result as a possible belief. It returns nil unless the question
// asks why and no belief answers it.
func offered(a *api.Answer, results []api.Result, o Options) *offer {
	if a.Intent != fusion.Rationale || a.Relevance == fusion.Irrelevant {
		return nil
	}
	var best *api.Result
	for i, r := range results {
		switch {
		case r.Belief != nil && r.Share >= firmShare:
			return nil
		case best == nil && r.Share >= firmShare && mine.IsOfferable(r.Why.Text) &&
			!(o.Dismissed != nil && o.Dismissed(mine.SentenceKey(r.Why.Text))):
			best = &results[i]
		}
	}
	if best == nil {
		return nil
	}
	source := best.DocID
	if n := best.Why.Number; best.Path != "" {
		source = fmt.Sprintf("%s:%d", best.Path, n)
	} else if n > 1 {
		source = fmt.Sprintf("%s#%d", source, n)
	}
	return &offer{best.Rank, source}
}

// proposed returns the line about an offer, or "". The sentence itself is printed in the result.
func proposed(a *api.Answer, results []api.Result, o Options) string {
	x := offered(a, results, o)
	if x == nil {
		return ""
	}
	call := o.Dialect.Accept(x.Source)
	if call == "" {
		return ""
	}
	return fmt.Sprintf("Proposed belief, not accepted: the reason in %d: %s", x.Rank, call)
}
