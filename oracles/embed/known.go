package embed

import "patina/store"

// Known counts the different words of a question, those that skip takes left out, and how many of them are a piece of their own. A
// word that must be put together from pieces is rare in the documentation that the vocabulary was made of: of the words of absurd questions
// 40% are known, of paraphrases 87%, of real questions 94% (bench/RESULTS.md, "Paraphrases and absurd questions").
func (m *Model) Known(question []store.QuestionPart, skip func(word string) bool) (words, known int) {
	seen := map[string]bool{}
	var ids []uint16
	for _, part := range question {
		for word := range Words(part.Text) {
			if seen[string(word)] || skip(string(word)) {
				continue
			}
			seen[string(word)] = true
			ids = m.table.words.Encode(ids[:0], word)
			if len(ids) == 1 && ids[0] != 0 {
				known++
			}
		}
	}
	return len(seen), known
}
