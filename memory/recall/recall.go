// Package recall ranks notes, and the turns of conversations, by how well they answer a question.
//
// It is pure: no I/O, no clock. index.go ranks items by the words in their fields. score.go
// combines words, meaning, confidence and age. relevance.go decides whether an item fits at all.
// words.go splits texts into words. The formula was measured on conversations: docs/memory.md has
// the figures.
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
	Near1                // the adjacent turns
	Near2                // the turns two away
	Near3                // the turns three away
	Session              // all turns of its session
	Month                // month and year of its session
	Tags
	Path
	Symbol
	fields
)

// The weight of each field, and how much its length counts (w and b of BM25F).
var (
	weights = [fields]float64{
		Own: 1, Near1: .4, Near2: .2, Near3: .1, Session: .05, Month: 1, Tags: 1, Path: .5,
		Symbol: 1,
	}
	norms = [fields]float64{Own: .75, Near1: .75, Near2: .75, Near3: .75, Session: .9}
)

const (
	k1          = 1.2
	vectorShare = .3  // weight of meaning relative to words, for notes
	turnShare   = .15 // the same, for turns of sessions
	halfLife    = 30 * 24 * time.Hour
	leastDecay  = .5 // lower bound of decay, so that age never hides the only answer
)

// AskedBonus is the bonus of a turn by the person asked about, as a share of its score.
const AskedBonus = .3

// CompressLength returns a length in words in one byte: exact below 128, then in steps of 16.
func CompressLength(length int) byte {
	if length < 128 {
		return byte(length)
	}
	return byte(min(255, 128+(length-128)/16))
}

// LengthOf returns the length that CompressLength has made a byte.
func LengthOf(b byte) int {
	if b < 128 {
		return int(b)
	}
	return 128 + (int(b)-128)*16
}

// Weigh returns the weighted frequency of a word in a field, normalised by the field's length.
func Weigh(f Field, frequency, length, average float64) float64 {
	b := norms[f]
	if average <= 0 {
		return weights[f] * frequency
	}
	return weights[f] * frequency / (1 - b + b*length/average)
}

// Saturated returns the value of a word's weighted frequency. It is below 2.2.
func Saturated(tf float64) float64 { return (k1 + 1) * tf / (tf + k1) }

// IDF returns the rarity of a word that n of all items have.
func IDF(n, all int) float64 {
	return math.Log(1 + (float64(all-n)+.5)/(float64(n)+.5))
}

// Decay returns the share of an item's score that remains at an age. Pinned items do not age.
func Decay(age time.Duration, pinned bool) float64 {
	if pinned || age <= 0 {
		return 1
	}
	return max(leastDecay, math.Pow(.5, float64(age)/float64(halfLife)))
}
