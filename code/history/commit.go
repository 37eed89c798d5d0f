package history

import (
	"strings"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
)

// TouchedLinks bounds the touched files to which the description of a commit links.
const TouchedLinks = 50

// CommitDescription describes a commit without its files.
func CommitDescription(v store.RevisionRow) doc.Description {
	id := doc.CommitID(v.SHA)
	return doc.Description{
		DocID: id, Shown: id, Kind: doc.Commit, Title: v.Subject, Summary: firstWords(v.Body),
		SHA: v.SHA, Time: v.Time, Author: v.Author,
	}
}

var trailer = lazyregexp.New(`^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|Reviewers?|Authors?|Cc): `)

// IsTrailer reports whether a line of a message is a trailer, such as "Signed-off-by: …".
func IsTrailer(line string) bool { return trailer().MatchString(line) }

// maxFirstWords is the number of bytes after which firstWords takes no further line.
const maxFirstWords = 160

// firstWords returns the beginning of a message's body: the lines up to the end of a sentence, a
// paragraph or a list item, without trailers. A line that ends in a colon is joined with the list
// below it.
func firstWords(body string) string {
	var words []string
	n := 0
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		empty := line == "" || IsTrailer(line)
		item := strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")
		if n > 0 && !strings.HasSuffix(words[len(words)-1], ":") && (empty || item) {
			break
		}
		if empty {
			continue
		}
		words = append(words, line)
		if n += len(line); n > maxFirstWords || strings.ContainsAny(line[len(line)-1:], ".!?") {
			break
		}
	}
	return strings.Join(words, " ")
}
