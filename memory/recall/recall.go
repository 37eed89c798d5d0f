// Package recall ranks notes, and the turns of conversations, by what a question says.
//
// It is pure: no I/O, no clock. index.go ranks items by the words in their fields, score.go joins
// words, meaning, confidence and age, and relevance.go says whether anything fits at all.
// words.go makes words. The recipe was measured on conversations: docs/memory.md has the figures.
package recall

import (
	"math"
	"time"
)

// A Field is one part of an item.
type Field int

// The fields of an item.
const (
	Own     Field = iota // its text
	Near1                // the turns next to it
	Near2                // those two away
	Near3                // those three away
	Session              // all turns of its session
	Month                // month and year of its session
	Tags
	Path
	Symbol
	fields
)

// weights and norms are each field's weight and how much its length counts (w and b of BM25F).
var (
	weights = [fields]float64{Own: 1, Near1: .4, Near2: .2, Near3: .1, Session: .05, Month: 1, Tags: 1, Path: .5, Symbol: 1}
	norms   = [fields]float64{Own: .75, Near1: .75, Near2: .75, Near3: .75, Session: .9}
)

const (
	k1          = 1.2
	vectorShare = .3 // of meaning beside words
	askedBonus  = .3 // for what the person said who is asked about
	halfLife    = 30 * 24 * time.Hour
	leastDecay  = .5 // age moves an item down, and never hides the only answer
)

// Weigh adds a word's frequency in a field of average length to what counts of it in the item.
func Weigh(f Field, frequency, length, average float64) float64 {
	b := norms[f]
	if average <= 0 {
		return weights[f] * frequency
	}
	return weights[f] * frequency / (1 - b + b*length/average)
}

// Saturated is what a word's weighed frequency is worth, below 2.2.
func Saturated(tf float64) float64 { return (k1 + 1) * tf / (tf + k1) }

// IDF is how rare a word is that n of all items have.
func IDF(n, all int) float64 {
	return math.Log(1 + (float64(all-n)+.5)/(float64(n)+.5))
}

// Decay is what age leaves of an item's score. Pinned items do not age.
func Decay(age time.Duration, pinned bool) float64 {
	if pinned || age <= 0 {
		return 1
	}
	return max(leastDecay, math.Pow(.5, float64(age)/float64(halfLife)))
}
