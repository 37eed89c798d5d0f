package fusion

// The words by which a question asks what is new: one that says when, and one that says that
// something became different.
var (
	recency = words("recent recently lately latest newest")
	changes = words("change changes changed changing commit commits happened happening")
)

// NewsWords returns the words by which a question asks what is new ("what changed recently in the
// parser", "latest commits about postings"); none if it does not. They are found in what answers it
// by chance alone.
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
