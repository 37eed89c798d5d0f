package standing

// A Claim is a belief as its file states it.
type Claim struct {
	ID           string
	Entrenchment float64
	Held         bool // active or scoped; edges of other beliefs are ignored
	Supports     []Link
	Attacks      []Link
	AttackedBy   []Link
}

// A Link leads from a claim to another, or to an id that no claim has.
type Link struct {
	Target     string
	Status     string  // "scoped" and "defeated" edges count less
	Confidence float64 // negative if not given
}

// The weights of edges, by status. A scoped edge holds only in some cases.
const (
	fullWeight   = 1.0
	scopedWeight = 0.5
)

// doubt is the base score of an attacker that is not a belief and has no confidence.
const doubt = 0.5

// Of computes the standing of beliefs from their claims.
//
// A support or attack by a held claim has full weight, a scoped one half. In Attacks, "defeated"
// means that the target is defeated, and the attack counts. In AttackedBy, it means that the attack
// is defeated, and it does not count. An attacker in AttackedBy that is not a belief becomes one,
// with the given confidence as its base score.
func Of(claims []Claim) *Graph {
	known := make(map[string]bool, len(claims))
	held := make(map[string]bool, len(claims))
	var beliefs []Belief
	for _, c := range claims {
		if !known[c.ID] {
			known[c.ID], held[c.ID] = true, c.Held
			beliefs = append(beliefs, Belief{ID: c.ID, Base: c.Entrenchment})
		}
	}
	var edges []Edge
	refuted := make(map[[2]string]bool) // attacks that their target calls defeated
	for _, c := range claims {
		for _, l := range c.AttackedBy {
			w := l.weight()
			switch {
			case l.Status == "defeated":
				refuted[[2]string{l.Target, c.ID}] = true
				continue
			case known[l.Target] && !held[l.Target]:
				continue
			case known[l.Target] && l.Confidence >= 0:
				w *= l.Confidence
			case !known[l.Target]:
				b := Belief{ID: objectionID(l.Target, c.ID), Base: l.Confidence}
				if l.Confidence < 0 {
					b.Base = doubt
				}
				beliefs = append(beliefs, b)
				edges = append(edges, Edge{From: b.ID, To: c.ID, Weight: w})
				continue
			}
			edges = append(edges, Edge{From: l.Target, To: c.ID, Weight: w})
		}
	}
	for _, c := range claims {
		if !c.Held {
			continue
		}
		for _, l := range c.Supports {
			edges = append(edges, Edge{From: c.ID, To: l.Target, Supports: true, Weight: l.weight()})
		}
		for _, l := range c.Attacks {
			if !refuted[[2]string{c.ID, l.Target}] {
				edges = append(edges, Edge{From: c.ID, To: l.Target, Weight: l.weight()})
			}
		}
	}
	return New(beliefs, edges)
}

func (l Link) weight() float64 {
	if l.Status == "scoped" {
		return scopedWeight
	}
	return fullWeight
}

// objectionID returns the id of an attacker that is not a belief. It is different for each target,
// because each gives its own confidence.
func objectionID(attacker, target string) string { return attacker + " (against " + target + ")" }

// Factor returns the share of a belief's rank that remains after its standing is applied: from half
// to all.
func Factor(score float64) float64 { return 0.5 + 0.5*clampToUnit(score) }
