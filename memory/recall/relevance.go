package recall

import (
	"math"
	"slices"
)

// Floor is the least relevance of a result. AnswerFloor is the least beside code, where most
// questions are about something else. Relevance does not depend on the number of items, so that a
// single note is not the answer to every question.
const (
	Floor       = .3
	AnswerFloor = .5
)

const (
	// background is the size of a virtual corpus without the question's words. With it, a word in
	// all of three notes is still rare.
	background = 1000
	// 90% of equal notes have a cosine above it.
	sameCosine = .75
)

// The numbers of rare words in a usual question. A longer message says more than one thing, so an
// item about one of them has a small share of it.
const (
	UsualWords = 5
	UsualSaid  = 4 // without fillers
)

// Leads reports whether an item is relevant enough that a message of some length (LengthOfMass) has
// results at all. It must have the floor's share of the question or, of a message longer than
// usual, of the geometric mean of both lengths, because a long message shares some words with any
// item.
func Leads(floor, share, cosine, length float64) bool {
	return Relevance(share*math.Sqrt(max(1, length)), cosine) >= floor
}

// Follows reports whether an item is relevant enough beside one that leads. It must have as many
// rare words of a long message as of a usual question.
func Follows(floor, share, cosine, length float64) bool {
	return Relevance(share*max(1, length), cosine) >= floor
}

// Above returns the ranked items that are relevant enough, by Leads and Follows.
func Above(floor float64, list []Ranked) []Ranked {
	if !slices.ContainsFunc(list, func(r Ranked) bool { return Leads(floor, r.share, r.cosine, r.length) }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(r Ranked) bool { return !Follows(floor, r.share, r.cosine, r.length) })
}

// LengthOfMass returns the length of a question beside a usual one, given the sum of its words'
// rarity among all items, and the number of rare words in a usual one.
func LengthOfMass(mass float64, all int, usual float64) float64 { return mass / Rarity(0, all) / usual }

// UnrelatedCosine is the cosine below which 99% of unrelated notes are, by the built-in model.
const UnrelatedCosine = .25

// Rarity returns a word's weight in relevance.
func Rarity(n, all int) float64 {
	return math.Log(1 + (float64(all+background-n)+.5)/(float64(n)+.5))
}

// Relevance returns how well an item covers a question, from 0 to 1: the share of its words by
// rarity, or the value of the cosine if that is higher.
func Relevance(share, cosine float64) float64 {
	near := (cosine - UnrelatedCosine) / (sameCosine - UnrelatedCosine)
	return min(1, max(0, share, near))
}

// PlainIDF returns the idf of FTS5's BM25.
func PlainIDF(n, all int) float64 {
	return max(1e-6, math.Log((float64(all-n)+.5)/(float64(n)+.5)))
}
