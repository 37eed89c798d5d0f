package oracles

import (
	"context"
	"maps"
	"slices"

	"patina/store"
	"patina/store/text"
)

const (
	maxSaying    = 3    // files with one message; with more, it is skipped
	enoughSaid   = 4    // sum of words beyond two, over a file's messages, at which M is 1
	maxSaidWords = 4000 // words of the text that are looked up
)

// printedShare returns M of each file: how much of the text it prints, at most 1. A message counts
// its words minus two, divided by the number of files with it.
func printedShare(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, words []string,
) (map[int64]float64, error) {
	words = words[:min(len(words), maxSaidWords)]
	places := map[int64][]int{} // by hash of three words
	for i := range len(words) - 2 {
		h := text.Head(words[i:])
		places[h] = append(places[h], i)
	}
	saying := map[text.Message][]int64{}
	err := r.Messages(ctx, snap, slices.Collect(maps.Keys(places)), func(m text.Message, file int64) {
		stands := func(at int) bool { return m.Begins(words[at:]) }
		if slices.ContainsFunc(places[m.Head], stands) {
			saying[m] = append(saying[m], file)
		}
	})
	if err != nil {
		return nil, err
	}
	out := map[int64]float64{}
	for m, files := range saying {
		if len(files) > maxSaying {
			continue
		}
		for _, f := range files {
			out[f] += float64(m.Words()-2) / float64(len(files))
		}
	}
	for f, sum := range out {
		out[f] = min(sum, enoughSaid) / enoughSaid
	}
	return out, nil
}
