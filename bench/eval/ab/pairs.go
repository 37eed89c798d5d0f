package ab

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Pair is the text that a judge reads: one task and two answers to it, on one line of JSON. It
// must not reveal an answer's arm, so ids are random, and a query's id and time are removed.
type Pair struct {
	ID     string `json:"id"`
	Task   string `json:"task"`
	First  string `json:"first"`
	Second string `json:"second"`
}

// A shownPair is a pair with the facts that the judge must not know. It is written to the record.
type shownPair struct {
	Pair
	Of      string `json:"of"`      // the task's id
	Kind    string `json:"kind"`    // the task's
	Arm     string `json:"arm"`     // compared with the first arm
	Swapped bool   `json:"swapped"` // whether the arm's answer is first
}

// same reports whether both answers are equal. A judge should then score them alike.
func (p shownPair) same() bool { return p.First == p.Second }

// pairs returns each task's answers by each arm and by the first one, in both orders, shuffled.
func (x *experiment) pairs() []shownPair {
	draw := rand.New(rand.NewPCG(x.options.Seed, 1))
	var out []shownPair
	for i, t := range x.tasks {
		base := i * len(x.arms)
		for j := 1; j < len(x.arms); j++ {
			if x.rows[base].Failed != "" || x.rows[base+j].Failed != "" {
				continue
			}
			for _, swapped := range []bool{false, true} {
				p := shownPair{
					Pair: Pair{Task: t.Query, First: x.texts[base], Second: x.texts[base+j]}, Of: t.ID,
					Kind: t.Kind, Arm: x.arms[j].Name, Swapped: swapped,
				}
				if swapped {
					p.First, p.Second = p.Second, p.First
				}
				out = append(out, p)
			}
		}
	}
	draw.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	for i := range out {
		out[i].ID = fmt.Sprintf("%016x", draw.Uint64())
	}
	return out
}

// blind removes the parts of an answer's text that differ between runs: the first line, with the
// query's id and the time, and the id in calls. It must remove ids because they contain the time,
// which would reveal who was asked first.
func blind(text, queryID string) string {
	if queryID == "" {
		return text
	}
	if strings.HasPrefix(text, queryID) {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.ReplaceAll(text, queryID, "QUERY_ID")
}
