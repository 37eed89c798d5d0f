package text

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A FileName is the name of a file, the title of a section, or the subject of a commit, prepared
// for comparison with questions. The zero value is named by no question.
type FileName struct {
	// Stem is the base name up to the first dot, lower-cased, with letters and digits only:
	// "urlmap" for "lib/url_map.rb".
	Stem string
	// Words are the stems of its parts: "url", "map".
	Words []string
}

// FileNameOf returns the FileName of a path, which must be written with slashes. Files named by
// convention rather than by content ("__init__.py", "mod.rs", "index.ts") get the name of their
// folder. Both fields are empty if the path has no letters and digits.
func FileNameOf(path string) FileName {
	folder, base := splitPath(path)
	if packageFiles[strings.ToLower(base)] && folder != "" {
		_, base = splitPath(folder)
	} else {
		base, _, _ = strings.Cut(strings.TrimLeft(base, "."), ".")
	}
	var n FileName
	Runs(base, func(run string) {
		n.Stem += strings.ToLower(run)
		Parts(run, func(part string) { n.Words = append(n.Words, Stem(strings.ToLower(part))) })
	})
	return n
}

// TitleOf returns the title of a section as a name without a Stem: its words, but for stop words. A
// title follows those of the sections around it ("Pools > How pools shrink"), which do not count.
func TitleOf(breadcrumb string) FileName {
	if i := strings.LastIndex(breadcrumb, " > "); i >= 0 {
		breadcrumb = breadcrumb[i+len(" > "):]
	}
	return SubjectOf(breadcrumb)
}

// SubjectOf returns the subject of a commit as a name without a Stem: its words, but for stop
// words.
func SubjectOf(subject string) FileName {
	var words orderedSet
	Runs(subject, func(run string) {
		Parts(run, func(part string) {
			if p := strings.ToLower(part); !IsStop(p) {
				words.insert(Stem(p))
			}
		})
	})
	return FileName{Words: words.list}
}

// packageFiles are the lower-cased files that get the name of their folder.
var packageFiles = map[string]bool{
	"__init__.py": true, "mod.rs": true, "lib.rs": true,
	"index.ts": true, "index.js": true, "index.tsx": true, "index.jsx": true,
}

func splitPath(path string) (folder, base string) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

// Named reports whether a question names the file. It does if one of its words, or a word's stem or
// plural, is the Stem, or if two or three adjacent words, joined, are the Stem ("url map" names
// "url_map.rb"). A stop word alone names a file only if the question has no other words, because
// "how do I use X" is not about "use.rs".
func (n FileName) Named(q *Question) bool {
	if n.Stem == "" {
		return false
	}
	for i, w := range q.Words {
		if n.is(w) && (len(q.Parts) == 0 || !IsStop(w)) || n.isJoined(q.Words[i:]) {
			return true
		}
	}
	return false
}

// is reports whether the Stem equals word, or word's stem or plural. It skips words that begin
// differently, because stemming is slow and changes at most the last two letters.
func (n FileName) is(word string) bool {
	if word == n.Stem || pluralOf(n.Stem, word) {
		return true
	}
	kept := n.Stem[:max(1, len(n.Stem)-2)]
	return strings.HasPrefix(word, kept) && Stem(word) == n.Stem
}

// pluralOf reports whether plural is the plural of word, which must have three letters or more. The
// file about a task may be called "tasks".
func pluralOf(plural, word string) bool {
	if ending, ok := strings.CutPrefix(plural, word); ok {
		return len(word) > 2 && (ending == "s" || ending == "es")
	}
	beginning, ok := strings.CutSuffix(plural, "ies")
	return ok && len(word) > 2 && word == beginning+"y"
}

// isJoined reports whether the Stem is the first two or three words, joined.
func (n FileName) isJoined(words []string) bool {
	rest := n.Stem
	for i := range min(3, len(words)) {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, words[i]); !ok {
			return false
		}
		if rest == "" {
			return i > 0
		}
	}
	return false
}

// Coverage returns how well a file's name and a question cover each other, from 0 to 1. It is the
// square root of (matched share of the question's parts by weight) × (matched share of the name's
// words). idf must hold each part's weight over files, in the order of parts. The result is 0 if no
// word matches.
func (n FileName) Coverage(parts []string, idf []float64) float64 {
	var total, matched float64
	var few [8]bool // most names have fewer words, so nothing is allocated
	found := append(few[:0], make([]bool, len(n.Words))...)
	for p, part := range parts {
		hit := false
		for i, w := range n.Words {
			if SoftEqual(part, w) {
				hit, found[i] = true, true
			}
		}
		total += idf[p]
		if hit {
			matched += idf[p]
		}
	}
	words := 0
	for _, ok := range found {
		if ok {
			words++
		}
	}
	if words == 0 || total <= 0 {
		return 0
	}
	return math.Sqrt(matched / total * float64(words) / float64(len(n.Words)))
}

// SoftEqual reports whether two stems are likely forms of one word. They are if they are equal, if
// one is a prefix of the other and has at least 4 letters (3 if the longer one has at most 5), or
// if they share a prefix of at least 5 letters that is 70% of the longer one.
func SoftEqual(a, b string) bool {
	if a == b {
		return true
	}
	if a == "" || b == "" || a[0] != b[0] {
		return false
	}
	common := commonPrefix(a, b)
	shorter, longer := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if shorter > longer {
		shorter, longer = longer, shorter
	}
	if common == shorter {
		return shorter >= 4 || shorter == 3 && longer <= 5
	}
	return common >= 5 && 10*common >= 7*longer
}

// commonPrefix returns the length, in characters, of the longest common prefix of a and b.
func commonPrefix(a, b string) int {
	n := 0
	for a != "" && b != "" {
		r, i := utf8.DecodeRuneInString(a)
		s, j := utf8.DecodeRuneInString(b)
		if r != s || i != j {
			break
		}
		a, b = a[i:], b[j:]
		n++
	}
	return n
}
