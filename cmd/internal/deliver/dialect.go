package deliver

import (
	"fmt"
	"strings"
)

// A Dialect spells the calls that an answer advertises. It is all that differs between the texts of two front ends.
// A call that cannot be spelled is empty, and is not printed.
type Dialect interface {
	Detail(queryID string, rank, page int) string // show a result of an answer; page 1 is the first
	Describe(docID string, page int) string       // show a document by its id
	Why(docID string) string                      // list what explains a document
	Neighbours(path string) string                // list what changes together with a file
	Recent(days int) string                       // list what changed in the last days
	Assay(queryType, pattern string) string       // list facts about a name, a path or a document
	Raise(budget int) string                      // the argument that raises the ceiling
	Scrape() string                               // bring the index up to date
}

// CLI spells calls for a shell.
type CLI struct {
	Store string // the --store that was given, to be given again; empty: none
}

// Detail is part of Dialect. The query log knows the store.
func (CLI) Detail(queryID string, rank, page int) string {
	return command("scry", "--detail", queryID, fmt.Sprint(rank)) + pageFlag(page)
}

// Describe is part of Dialect.
func (c CLI) Describe(docID string, page int) string {
	s := c.call("scry", "--detail", docID)
	if s == "" {
		return ""
	}
	return s + pageFlag(page)
}

// Why is part of Dialect.
func (c CLI) Why(docID string) string {
	if strings.HasPrefix(docID, "-") {
		return c.call("scry", "--", "why", docID)
	}
	return c.call("scry", "why", docID)
}

// Neighbours is part of Dialect.
func (c CLI) Neighbours(path string) string { return c.call("scry", "--file", path) }

// Recent is part of Dialect.
func (c CLI) Recent(days int) string { return c.call("scry", "recent", "--days", fmt.Sprint(days)) }

// Assay is part of Dialect.
func (c CLI) Assay(queryType, pattern string) string {
	if strings.HasPrefix(pattern, "-") {
		return c.call("assay", queryType, "--", pattern)
	}
	return c.call("assay", queryType, pattern)
}

// Raise is part of Dialect.
func (CLI) Raise(budget int) string { return fmt.Sprintf("--budget %d", budget) }

// Scrape is part of Dialect.
func (c CLI) Scrape() string { return c.call("scrape") }

// call spells a command that needs the store, or nothing where half of it would have to be cut.
func (c CLI) call(words ...string) string {
	if c.Store != "" {
		words = append([]string{words[0], "--store", c.Store}, words[1:]...)
	}
	s := command(words...)
	if len(s) > maxCommand {
		return ""
	}
	return s
}

func pageFlag(page int) string {
	if page <= 1 {
		return ""
	}
	return fmt.Sprintf(" --page %d", page)
}

func command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return "patina " + strings.Join(quoted, " ")
}

const bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,="

// Quote spells one word for a shell: bare where that is safe, else between single quotes. A word that holds control
// characters or other invisible ones takes the $'…' form, which bash, zsh, ksh and busybox read, so that none reaches a
// terminal.
func Quote(word string) string {
	if word != "" && strings.Trim(word, bare) == "" {
		return word
	}
	if plainWord(word) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for _, c := range []byte(word) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c) // three digits always: what follows cannot be read as a fourth
		default:
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}

// plainWord tells whether every rune of a word may be printed as it is.
func plainWord(word string) bool {
	for i, r := range word {
		if !harmless(r) || r == '\uFFFD' && !strings.HasPrefix(word[i:], "\uFFFD") {
			return false
		}
	}
	return true
}
