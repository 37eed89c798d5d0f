package text

import (
	"slices"
	"strings"
	"unicode"

	"patina/internal/lazyregexp"
)

// FrameIn returns the innermost frame in a file: the one whose path shares the longest tail with
// the file's path, of equal ones the first. Without a frame it returns a place in the file. It
// returns false if there is neither.
func (m *Mentions) FrameIn(file string) (best Frame, ok bool) {
	for _, all := range [][]Frame{m.Frames, m.Places} {
		most := 0
		for _, f := range all {
			if n := CommonTail(f.Path, file); n > most && Agree(f.Path, file, n) {
				best, most = f, n
			}
		}
		if most > 0 {
			return best, true
		}
	}
	return Frame{}, false
}

// Agree reports whether two paths may mean the same file, given the length of their common tail.
// They must share the file name, and a folder too if both have one.
func Agree(a, b string, tail int) bool {
	folders := strings.Contains(a, "/") && strings.Contains(b, "/")
	return tail >= 2 || tail == 1 && !folders
}

// CommonTail counts the trailing parts that two paths share, file names included. A folder may have
// a version in one of the paths: "mux-1.8.0" equals "mux".
func CommonTail(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(as), len(bs)) {
		x, y := as[len(as)-1-n], bs[len(bs)-1-n]
		if x == "" || x != y && (n == 0 || Unversioned(x) != Unversioned(y)) {
			break
		}
		n++
	}
	return n
}

// versionForm matches a version at the end of a folder's name.
var versionForm = lazyregexp.New(`[-@]v?\d+(?:\.\d+)+[\w.+-]*$`)

// Unversioned returns a folder's name without a version at its end.
func Unversioned(folder string) string {
	if !strings.ContainsAny(folder, "-@") {
		return folder
	}
	return versionForm().ReplaceAllString(folder, "")
}

// noPart matches parts of a function's name that name nothing: closures and the like.
var noPart = lazyregexp.New(`^(?:\d*|func\d+|gowrap\d+|\{.*\}|<.*>|\?+|h[0-9a-f]{16}|c__DisplayClass\w*|lambda|block)$`)

// innerForm matches the names that a C# compiler derives from a method for its closures and tasks.
var innerForm = lazyregexp.New(`<(\w+)>[a-z]__\w*(?:\|\w+)?`)

// functionName converts a function's name in a trace into the form that entries have: the name,
// after its type or module if it has one. Arguments, closures and generics are dropped. The result
// is empty if nothing is left.
func functionName(s string) string {
	s = strings.ReplaceAll(s, "(anonymous namespace)::", "")
	if i := strings.LastIndex(s, " in "); i >= 0 {
		s = s[i+len(" in "):] // Ruby: block (2 levels) in T#f
	}
	if made := innerForm().FindStringSubmatch(s); made != nil {
		s = innerForm().ReplaceAllString(s, "$1")
		s = strings.TrimSuffix(s, ".MoveNext")
	}
	if strings.HasPrefix(s, "<") && strings.Contains(s, " as ") { // Rust: <T as Trait>::f
		of, rest, _ := strings.Cut(s[1:], " as ")
		if i := strings.LastIndex(rest, ">::"); i >= 0 {
			s = of + rest[i+1:]
		}
	}
	if i := strings.IndexByte(s, '('); i >= 0 {
		s = s[:i]
	}
	if strings.Contains(s, "::") {
		s = withoutGenerics(s)
	}
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return ""
	}
	s = fields[len(fields)-1] // C++ may begin with a type, JavaScript with "async" and "new"
	s = strings.NewReplacer("::", ".", "#", ".", "->", ".", "$", ".", "..ctor", "", "..cctor", "", ".<init>",
		"").Replace(s)
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '/' || r == '+' })
	parts = slices.DeleteFunc(parts, noPart().MatchString)
	for i, p := range parts {
		parts[i], _, _ = strings.Cut(p, "`")
	}
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

// withoutGenerics drops the text in angle brackets.
func withoutGenerics(s string) string {
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '<':
			depth++
		case r == '>':
			depth = max(0, depth-1)
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// numbered matches the line with the function, above the line with its file, in a Rust backtrace.
var numbered = lazyregexp.New(`^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(\S.*)$`)

// functionAbove returns the function on a line that is followed by its file, as Go, Rust and
// addr2line print it. It returns "" if the line is not of this form.
func functionAbove(line string) string {
	line = strings.TrimSpace(line)
	if m := numbered().FindStringSubmatch(line); m != nil {
		return functionName(m[1])
	}
	if made, ok := strings.CutPrefix(line, "created by "); ok {
		line, _, _ = strings.Cut(made, " in goroutine ")
	}
	if i := strings.LastIndexByte(line, '/'); i >= 0 {
		line = line[i+1:]
	}
	line = strings.NewReplacer("(*", "", ").", ".", "[...]", "").Replace(line)
	line, _, _ = strings.Cut(line, "(")
	if strings.ContainsFunc(line, unicode.IsSpace) {
		return ""
	}
	if _, rest, ok := strings.Cut(line, "."); ok {
		line = rest // the package
	}
	return functionName(line)
}
