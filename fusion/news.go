package fusion

// A question asks for news with two words: one for a time, and one for a change.
var (
	recency = words("recent recently lately latest newest")
	changes = words("change changes changed changing commit commits happened happening")
)

// NewsWords returns the words by which a question asks for news, or none. Examples are "what
// changed recently in the parser" and "latest commits about postings". Answers hold these words by
// chance alone.
func NewsWords(question string) []string {
	ws := intentWords(question)
	if !asksForNews(ws) {
		return nil
	}
	var out []string
	for _, w := range ws {
		if recency[w] || changes[w] {
			out = append(out, w)
		}
	}
	return out
}

func asksForNews(ws []string) bool { return recency.in(ws) && changes.in(ws) && !imperatives[ws[0]] }
