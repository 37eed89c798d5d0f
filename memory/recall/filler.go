package recall

import (
	"strings"
	"sync"

	"patina/store/text"
)

// fillers are words of messages about anything: greetings, requests, times as seen from now, and
// vague words. By the items alone they are as rare as the words that a message is about, because
// few items have them.
var fillers = sync.OnceValue(func() *text.WordSet {
	return text.Set(strings.Join(Words(`hello hi dear thanks please okay ok sure alright yes yeah no good great nice fine right well
		let need want like wish hope help tell give show know think feel guess believe look see make go come get keep start
		begin try put take ask say talk mean remember understand
		now next today yesterday tomorrow tonight last time again still already back soon later before after day week moment
		thing something everything anything nothing way point bit lot more much many other another even actually exactly
		definitely maybe perhaps especially up down out off ready one two`), " "))
})

// Fillers reports for each word of a question whether it is a filler. Only a question with
// UsualSaid other words has fillers, because a shorter one can ask about what is "next".
//
// It is for notes. Turns of conversations are told apart less well without these words
// (bench/history/memory-recall.md, "Fillers of long messages").
func Fillers(words []string) []bool {
	out, others := make([]bool, len(words)), 0
	for i, w := range words {
		if out[i] = fillers().Has(w); !out[i] {
			others++
		}
	}
	if others < UsualSaid {
		clear(out)
	}
	return out
}
