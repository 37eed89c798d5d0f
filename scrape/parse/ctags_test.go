package parse

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"patina/scrape/content"
)

var ctagsTree = flag.String("ctags", "", "compare with universal-ctags on this folder, and print what is missed")

// ctagsKinds are the kinds of universal-ctags for functions and methods, then for types, by its
// languages.
var ctagsKinds = map[string][2]string{
	"C": {"function", "struct union enum typedef"}, "C++": {"function", "class struct union enum typedef"},
	"C#": {"method", "class interface struct enum"}, "Go": {"func methodSpec", "struct interface type talias"},
	"Java":       {"method", "class interface enum annotation"},
	"JavaScript": {"function generator method getter setter", "class"},
	"PHP":        {"function", "class interface trait"},
	"Python":     {"function member", "class"}, "Ruby": {"method singletonMethod", "class module"},
	"Rust": {"function method", "struct enum interface typedef"}, "Sh": {"function", ""},
	"Elixir":  {"function macro callback guard delegate test", "module protocol type"},
	"Haskell": {"function", "type constructor"},
	// Languages without a parser, which the splitter reads.
	"R": {"function", ""}, "Perl": {"subroutine", "package"}, "Julia": {"function macro", "struct type module"},
	"OCaml": {"function val", "type module class exception"}, "Clojure": {"function", ""},
	"SQL": {"function procedure trigger", "table view index type"}, "Protobuf": {"rpc", "message enum service"},
	"Make": {"target", ""}, "Kotlin": {"method", "class interface object typealias"}, "Lua": {"function", ""},
	"Scala":      {"method", "class interface object"},
	"TypeScript": {"function generator method", "class interface enum alias"},
}

// ctagsNames are languages with another name.
var ctagsNames = map[string]string{"Sh": "Shell", "Make": "Makefile", "Protobuf": "Protocol Buffers"}

// joined are languages in which the equations of one function are one symbol, so that only the name
// must be equal.
var joined = map[string]bool{"Haskell": true}

var madeUp = regexp.MustCompile(`^(__anon|AnonymousFunction|anonFunc|anonymous)[0-9a-f]+`)

// A ctag is a line of universal-ctags.
type ctag struct {
	Name, Path, Kind, Language, Pattern string
	Line                                int
}

// TestAgainstCtags counts how many functions and types of universal-ctags ($CTAGS, or
// ctags-universal on the path) are also found here, by name and line: the table of
// bench/history/languages.md. Names made up by ctags are left out. So are files that ctags reads in
// another language.
//
//	go test -tags sqlite_fts5 ./scrape/parse -run AgainstCtags -v -ctags DIR
func TestAgainstCtags(t *testing.T) {
	if *ctagsTree == "" {
		t.Skip("no -ctags DIR")
	}
	type key struct {
		language string
		types    bool
	}
	found, of := map[key]int{}, map[key]int{}
	known := map[string]map[nameAt]bool{}
	for _, tag := range runCtags(t, *ctagsTree) {
		types := isWord(ctagsKinds[tag.Language][1], tag.Kind)
		if !types && !isWord(ctagsKinds[tag.Language][0], tag.Kind) || madeUp.MatchString(tag.Name) {
			continue
		}
		if known[tag.Path] == nil {
			known[tag.Path] = namesOf(t, filepath.Join(*ctagsTree, tag.Path), tag.Language)
		}
		if len(known[tag.Path]) == 0 {
			continue
		}
		k := key{tag.Language, types}
		of[k]++
		name := lastName(tag.Name)
		// ctags gives the line after the name if the name ends its line.
		if joined[tag.Language] && known[tag.Path][nameAt{name, 0}] || known[tag.Path][nameAt{name, tag.Line}] ||
			known[tag.Path][nameAt{name, tag.Line - 1}] {
			found[k]++
			continue
		}
		t.Logf("%s %s %s %s:%d %s", tag.Language, tag.Kind, tag.Name, tag.Path, tag.Line, tag.Pattern)
	}
	for k := range of {
		t.Logf("%s, types %t: %d of %d", k.language, k.types, found[k], of[k])
	}
}

func isWord(list, word string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

func runCtags(t *testing.T, tree string) []ctag {
	t.Helper()
	languages := make([]string, 0, len(ctagsKinds))
	for language := range ctagsKinds {
		languages = append(languages, language)
	}
	c := exec.Command(cmp.Or(os.Getenv("CTAGS"), "ctags-universal"), "-R", "--output-format=json", "--fields=+nKl",
		"--languages="+strings.Join(languages, ","), "-f", "-", ".")
	c.Dir = tree
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var tags []ctag
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var tag ctag
		if err := d.Decode(&tag); errors.Is(err, io.EOF) {
			return tags
		} else if err != nil {
			t.Fatal(err)
		}
		tags = append(tags, tag)
	}
}

// A nameAt is a name without its type, and the line that defines it.
type nameAt struct {
	name string
	line int
}

// namesOf returns the symbols of a file, or nil if the file is read in another language.
func namesOf(t *testing.T, name, language string) map[nameAt]bool {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := content.Decode(raw)
	file, _ := Parse(Input{Path: filepath.Base(name), Text: text})
	if read := file.Language; read != cmp.Or(ctagsNames[language], language) &&
		!(read == "TSX" && language == "TypeScript") {
		return nil
	}
	names := map[nameAt]bool{{}: true}
	for _, e := range file.Entries {
		name, _, _ := strings.Cut(e.Name, "#")
		names[nameAt{lastName(name), e.Line}], names[nameAt{lastName(name), 0}] = true, true
	}
	return names
}

// lastName returns the part of a name after its last dot or colon, without quotes, type parameters
// and blanks, because "operator ==" is written with and without a blank.
func lastName(name string) string {
	name, _, _ = strings.Cut(strings.Trim(name, "`\""), "{")
	return strings.ReplaceAll(name[strings.LastIndexAny(name, ".:")+1:], " ", "")
}
