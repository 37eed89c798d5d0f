package fusion

// MostFactor is the greatest factor in a Tuning.
const MostFactor = 10

// A Tuning changes weights for one question, so that a measurement can compare them
// (bench/eval/ab). The zero value changes nothing. No setting leads here: an answer for users has
// the weights that were measured.
type Tuning struct {
	Channels map[string]float64 // factor of a channel, 0 to MostFactor; 1 if not listed
	Kinds    map[string]float64 // factor of a kind's prior, 0 to MostFactor; 1 if not listed
	// By kind: its best relevant document stands here at the latest, counted from 1. 0: it has no
	// such place. A kind that is not listed keeps its own.
	Places map[string]int
}

// Keeps reports whether a channel's list of a kind is ranked at all. A factor of 0 leaves it out.
func (t Tuning) Keeps(channel, kind string) bool { return t.channel(channel) > 0 && t.kind(kind) > 0 }

// Place is the place of a kind whose own is given.
func (t Tuning) Place(kind string, own int) int {
	if p, ok := t.Places[kind]; ok {
		return p
	}
	return own
}

func (t Tuning) channel(name string) float64 { return factorOf(t.Channels, name) }
func (t Tuning) kind(name string) float64    { return factorOf(t.Kinds, name) }

func factorOf(of map[string]float64, name string) float64 {
	if f, ok := of[name]; ok {
		return min(MostFactor, finitePositive(f))
	}
	return 1
}
