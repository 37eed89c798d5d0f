package store

import (
	"context"
	"maps"
	"slices"

	"patina/store/text"
)

// Messages that code prints and a long text quotes: M of docs/ranking.md, "Long texts". Tests print
// the messages of others: the table has none of theirs.

const (
	maxSaying    = 3    // files that may have a message in common; more, and it tells nothing of any
	enoughSaid   = 4    // words beyond two, over all messages of a file, that say as much as can be said
	maxSaidWords = 4000 // words of a text that are looked at
)

// said is M: for each file, how much of the text it prints, 1 at most. A message counts its words but two, divided by the files that have it.
func (r *Reader) said(ctx context.Context, snap *snapshot, words []string) (map[int64]float64, error) {
	words = words[:min(len(words), maxSaidWords)]
	places := map[int64][]int{} // by hash of the three words that start there
	for i := range len(words) - 2 {
		h := text.Head(words[i:])
		places[h] = append(places[h], i)
	}
	saying := map[text.Message][]int64{}
	heads := slices.Collect(maps.Keys(places))
	err := r.rowsIn(ctx, `SELECT head, whole, file FROM message WHERE head IN `, heads, func(scan func(...any) error) error {
		var m text.Message
		var file int64
		if err := scan(&m.Head, &m.Whole, &file); err != nil {
			return err
		}
		stands := func(at int) bool { return m.Begins(words[at:]) }
		if snap.members.has(file) && slices.ContainsFunc(places[m.Head], stands) {
			saying[m] = append(saying[m], file)
		}
		return nil
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

// insertMessages notes what a file prints.
func (w *Writer) insertMessages(f *File, key int64) error {
	if f.Class&(TestFolder|TestName) != 0 {
		return nil
	}
	for _, m := range f.Messages {
		if err := w.exec(`INSERT OR IGNORE INTO message(head, whole, file) VALUES(?, ?, ?)`, m.Head, m.Whole, key); err != nil {
			return err
		}
	}
	return nil
}
