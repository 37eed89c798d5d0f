package text

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/internal/lazyregexp"
)

// Mentions are the names in a text that may be names in the repository. A short question has only
// Places.
type Mentions struct {
	// Paths are paths and file names outside tracebacks, with slashes, each once.
	Paths []string
	// Frames are the calls in tracebacks, innermost first, each once.
	Frames []Frame
	// Places are paths with a line outside tracebacks, each once. In a short question they include
	// frames.
	Places []Frame
	// Names maps identifiers, as written, to the confidence that they are names, from 0 to 1.
	Names map[string]float64
	// Words are the lower-cased words in order, without the zones of weight 0. Messages are looked
	// up in them.
	Words []string
}

// Bounds on paths and frames: the first paths and the innermost frames are kept.
const (
	maxPaths  = 64
	maxFrames = 64
)

// nameWeights weigh identifiers by zone: N in docs/ranking.md, "Long texts".
var nameWeights = [...]float64{trace: 0.3, failure: 0.3, code: 0.5, prose: 0.7, title: 1}

// The factors for an identifier's shape, and for a bare one in a title.
const (
	compound    = 1.0 // inner capitals or an underscore: surely an identifier
	capitalised = 0.8
	plain       = 0.5
	bareInTitle = 0.6
)

// notNames are identifiers found in every repository.
var notNames = Set("self cls this args kwargs test main name value data result print")

// anyFile are names that occur in every folder. Without a folder, such a name means no particular
// file.
var anyFile = Set("__init__ setup conf conftest test index mod lib main doc package-info")

var (
	pathForm = lazyregexp.New(`[\pL\pN_./\\@+~-]*[\pL\pN_-]\.[A-Za-z][A-Za-z0-9]{0,7}\b`)
	nameForm = lazyregexp.New(`[\pL_][\pL\pN_]*`)
)

// addPaths collects the paths on a line, up to maxPaths.
func (m *Mentions) addPaths(line string) {
	for _, p := range pathForm().FindAllString(line, -1) {
		if p = slashPath(p); !anyFile.Has(stemOf(p)) || strings.Contains(p, "/") {
			m.Paths = appendNew(m.Paths, p, maxPaths)
		}
	}
}

// slashPath returns a path as the index writes it: with slashes, without "./" or a slash at the
// front, and without a scheme.
func slashPath(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if _, after, ok := strings.Cut(p, "://"); ok {
		p = after
	}
	return strings.TrimPrefix(path.Clean(p), "/")
}

func stemOf(p string) string {
	stem, _, _ := strings.Cut(path.Base(p), ".")
	return stem
}

func appendNew(list []string, s string, limit int) []string {
	if len(list) >= limit || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// addNames collects the identifiers on a line. A plain word in prose must be written as code to
// count: in back-ticks, before "(" or after ".".
func (m *Mentions) addNames(z zone, line string) {
	ticks, at := false, 0
	for _, span := range nameForm().FindAllStringIndex(line, -1) {
		ticks = ticks != (strings.Count(line[at:span[0]], "`")%2 == 1)
		at = span[0]
		name := line[span[0]:span[1]]
		if utf8.RuneCountInString(name) < 3 || len(name) > MaxRun || notNames.Has(name) {
			continue
		}
		marked := ticks || span[1] < len(line) && line[span[1]] == '(' || span[0] > 0 && line[span[0]-1] == '.'
		weight, s := nameWeights[z], identifierLikeness(name)
		if s == plain && !marked {
			switch z {
			case prose:
				continue
			case title:
				weight *= bareInTitle
			}
		}
		if w := weight * s; w > m.Names[name] {
			m.Names[name] = w
		}
	}
}

// identifierLikeness returns how much a name looks like an identifier: one of the factors above.
func identifierLikeness(name string) float64 {
	inner := strings.Trim(name, "_")
	if strings.Contains(name, "_") {
		return compound
	}
	var before rune
	for _, r := range inner {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			return compound
		}
		before = r
	}
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return capitalised
	}
	return plain
}
