package fusion

// MostFactor is the greatest factor of a Tuning. Higher factors count as MostFactor.
const MostFactor = 10

// A Tuning changes weights for one question, so that a measurement can compare them
// (bench/eval/ab). The zero value changes nothing. No setting of the user may reach it, because an
// answer must have the weights that were measured. Its maps may be nil.
type Tuning struct {
	Channels map[string]float64 // factor of a channel, 0 to MostFactor; 1 if not listed
	Kinds    map[string]float64 // factor of a kind's prior, 0 to MostFactor; 1 if not listed
	// Places is, by kind, the last place for its best relevant document, counted from 1. 0 means
	// that the kind has no such place. A kind that is not listed keeps its default.
	Places map[string]int
}

// Keeps reports whether a channel's list of a kind is ranked. A factor of 0 leaves it out.
func (t Tuning) Keeps(channel, kind string) bool { return t.channel(channel) > 0 && t.kind(kind) > 0 }

// Place returns the place of a kind, or own if the tuning does not list the kind.
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
