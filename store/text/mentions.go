package text

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mentions is what a long text names of a repository, whether or not the repository has it.
type Mentions struct {
	Paths  []string           // paths and names of files outside tracebacks, with slashes, each once
	Frames []string           // paths of the frames of its tracebacks, innermost first, each once
	Names  map[string]float64 // identifiers as written → how surely they are meant as names, 0..1
	Words  []string           // its lower-cased words in order, without what its zones leave out: what messages are found in
}

// How many paths and frames are kept: the first, and the innermost.
const (
	maxPaths  = 64
	maxFrames = 64
)

// What a mention in each zone is worth as a name (longtext.md, N).
var nameWeights = [...]float64{trace: 0.3, failure: 0.3, code: 0.5, prose: 0.7, title: 1}

// The factors of an identifier's shape, and of one that stands bare in a title.
const (
	compound    = 1.0 // inner capitals or an underscore: made by a programmer
	capitalised = 0.8
	plain       = 0.5
	bareInTitle = 0.6
)

// notNames are identifiers that every repository has, and that say nothing.
var notNames = Set("self cls this args kwargs test main name value data result print")

// anyFile are names of files that every folder may have: without a folder they name none.
var anyFile = Set("__init__ setup conf conftest test index mod lib main doc package-info")

var (
	pathForm = Lazy(`[\pL\pN_./\\@+~-]*[\pL\pN_-]\.[A-Za-z][A-Za-z0-9]{0,7}\b`)
	nameForm = Lazy(`[\pL_][\pL\pN_]*`)
)

// addPaths collects the paths of a line.
func (m *Mentions) addPaths(line string) {
	for _, p := range pathForm().FindAllString(line, -1) {
		if p = slashed(p); !anyFile[stemOf(p)] || strings.Contains(p, "/") {
			m.Paths = appendNew(m.Paths, p, maxPaths)
		}
	}
}

// slashed is a path as the index writes it: slashes, no "./" in front, no scheme.
func slashed(p string) string {
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

// addNames collects the identifiers of a line. A plain word of prose counts only where it is written as code: in
// back-ticks, before "(" or behind ".".
func (m *Mentions) addNames(z zone, line string) {
	ticks, at := false, 0
	for _, span := range nameForm().FindAllStringIndex(line, -1) {
		ticks = ticks != (strings.Count(line[at:span[0]], "`")%2 == 1)
		at = span[0]
		name := line[span[0]:span[1]]
		if utf8.RuneCountInString(name) < 3 || len(name) > MaxRun || notNames[name] {
			continue
		}
		marked := ticks || span[1] < len(line) && line[span[1]] == '(' || span[0] > 0 && line[span[0]-1] == '.'
		weight, s := nameWeights[z], shape(name)
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

// shape tells how much an identifier looks like one.
func shape(name string) float64 {
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
