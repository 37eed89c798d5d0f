package recall

import (
	"strings"
	"time"
)

// An Item is a note, or a turn of a conversation.
type Item struct {
	Text    string
	Speaker string
	Session string    // turns of one session must be adjacent and in order
	At      time.Time // time of its session; zero: unknown
	Tags    []string
	Path    string
	Symbol  string
}

// An Index ranks items by words. It is immutable and safe for concurrent use.
type Index struct {
	items    []Item
	speakers [][]string // the words of their names
	own      map[string]int
	counts   []map[string]*[fields]float64
	sessions []map[string]float64 // shared by all turns of a session
	lengths  [][fields]float64
	average  [fields]float64
	defined  []Definition // by the items
}

// NewIndex returns an index of items. Turns of one session must be adjacent, in order.
func NewIndex(items []Item) *Index {
	x := &Index{
		items: items, own: map[string]int{}, speakers: make([][]string, len(items)),
		counts: make([]map[string]*[fields]float64, len(items)), sessions: make([]map[string]float64, len(items)),
		lengths: make([][fields]float64, len(items)),
	}
	words := make([][]string, len(items))
	for i, it := range items {
		words[i], x.speakers[i] = Words(it.Text), Words(it.Speaker)
		x.counts[i] = map[string]*[fields]float64{}
		x.defined = append(x.defined, Definitions(it.Text)...)
	}
	for i, it := range items {
		x.addField(i, Own, words[i])
		for w := range x.counts[i] {
			x.own[w]++
		}
		x.addField(i, Tags, Words(strings.Join(it.Tags, " ")))
		x.addField(i, Path, Words(it.Path))
		x.addField(i, Symbol, Words(it.Symbol))
	}
	x.addSessions(words)
	for f := range x.average {
		for i := range items {
			x.average[f] += x.lengths[i][f] / float64(len(items))
		}
	}
	return x
}

// addSessions adds the context of each turn.
func (x *Index) addSessions(words [][]string) {
	for first := 0; first < len(x.items); {
		end := first + 1
		for end < len(x.items) && x.items[end].Session == x.items[first].Session {
			end++
		}
		if x.items[first].Session == "" {
			first++
			continue
		}
		all, size := map[string]float64{}, 0
		for _, said := range words[first:end] {
			for _, w := range said {
				all[w]++
			}
			size += len(said)
		}
		for i := first; i < end; i++ {
			for distance := 1; distance <= 3; distance++ {
				f := Near1 + Field(distance-1)
				if i-distance >= first {
					x.addField(i, f, words[i-distance])
				}
				if i+distance < end {
					x.addField(i, f, words[i+distance])
				}
			}
			x.sessions[i], x.lengths[i][Session] = all, float64(size)
			if at := x.items[i].At; !at.IsZero() {
				x.addField(i, Month, Words(at.Format("January 2006")))
			}
		}
		first = end
	}
}

func (x *Index) addField(i int, f Field, words []string) {
	for _, w := range words {
		c := x.counts[i][w]
		if c == nil {
			c = new([fields]float64)
			x.counts[i][w] = c
		}
		c[f]++
	}
	x.lengths[i][f] += float64(len(words))
}

// Candidates returns a candidate for each item, scored by words only.
func (x *Index) Candidates(question string) []Candidate {
	out := make([]Candidate, len(x.items))
	terms := Terms(question, x.defined)
	words := make([]string, len(terms))
	idfs, plain, rarity := make([]float64, len(terms)), make([]float64, len(terms)), make([]float64, len(terms))
	mass := 0.0
	for j, t := range terms {
		n, all := x.frequency(t), len(x.items)
		words[j] = t.Word
		idfs[j] = IDF(n, all)
		plain[j] = PlainIDF(x.own[t.Word], all)
		rarity[j] = Rarity(n, all)
		mass += rarity[j]
	}
	asked := x.speakersAsked(question, words)
	for i := range out {
		c := &out[i]
		c.Confidence, c.Asked, c.length = 1, asked[x.items[i].Speaker], LengthOfMass(mass, len(x.items), UsualWords)
		for j, t := range terms {
			tf := x.weighed(i, t.Word)
			value, share := Saturated(tf), min(1, tf)
			for _, form := range t.Forms {
				least := x.weighedForm(i, form)
				value, share = max(value, FormShare*Saturated(least)), max(share, FormShare*min(1, least))
			}
			c.Words += idfs[j] * value
			c.Share += rarity[j] * share / mass
			if count := x.counts[i][t.Word]; count != nil {
				c.BM25 += plain[j] * Saturated(Weigh(Own, count[Own], x.lengths[i][Own], x.average[Own]))
			}
		}
	}
	return out
}

// frequency returns the number of items that have a term in their texts, in one form or another.
func (x *Index) frequency(t Term) int {
	n := x.own[t.Word]
	for _, form := range t.Forms {
		least := len(x.items)
		for _, w := range form {
			least = min(least, x.own[w])
		}
		n += least
	}
	return min(n, len(x.items))
}

// weighed returns the weighted frequency of a word in all fields of an item.
func (x *Index) weighed(i int, w string) (tf float64) {
	count, inSession := x.counts[i][w], x.sessions[i][w]
	if count == nil {
		if count = new([fields]float64); inSession == 0 {
			return 0
		}
	}
	for f, n := range count {
		if f == int(Session) {
			n = inSession
		}
		if n > 0 {
			tf += Weigh(Field(f), n, x.lengths[i][f], x.average[f])
		}
	}
	return tf
}

// weighedForm returns the least weighted frequency of the words of a form.
func (x *Index) weighedForm(i int, form []string) float64 {
	least := x.weighed(i, form[0])
	for _, w := range form[1:] {
		least = min(least, x.weighed(i, w))
	}
	return least
}

// speakersAsked returns the speakers that a question names, or the user for "I".
func (x *Index) speakersAsked(question string, words []string) map[string]bool {
	out := map[string]bool{}
	has := map[string]bool{}
	for _, w := range words {
		has[w] = true
	}
	me := false
	for w := range strings.FieldsSeq(strings.ToLower(question)) {
		switch strings.Trim(w, ".,;:!?'\"") {
		case "i", "my", "me", "we", "our", "mine", "i'm", "i've":
			me = true
		}
	}
	for i, it := range x.items {
		for _, w := range x.speakers[i] {
			if has[w] || me && w == "user" {
				out[it.Speaker] = true
			}
		}
	}
	return out
}
