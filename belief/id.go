package belief

import (
	"fmt"
	"hash/fnv"
	"path"
	"strings"
)

// maxID bounds an id, in bytes.
const maxID = 80

// IsID reports whether a text is the id of a belief: a slug. Lines of an answer begin with it, so
// it must not read like a sentence, or like patina's own words.
func IsID(s string) bool {
	return s != "" && len(s) <= maxID && strings.Trim(s, idLetters) == "" && !strings.ContainsRune("._-", rune(s[0]))
}

const idLetters = "abcdefghijklmnopqrstuvwxyz0123456789._-"

// idOfFile returns the id of a belief whose file has no valid id. It is the name of the file as a
// slug, or a hash of the name if the slug would be empty.
func idOfFile(file string) string {
	stem := strings.TrimSuffix(path.Base(file), ".md")
	words := strings.FieldsFunc(strings.ToLower(stem), func(r rune) bool { return !strings.ContainsRune(idLetters, r) })
	id := strings.TrimLeft(strings.Join(words, "-"), "._-")
	if id = strings.TrimRight(id[:min(len(id), maxID)], "-"); id != "" {
		return id
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(stem))
	return fmt.Sprintf("file-%08x", h.Sum32())
}
