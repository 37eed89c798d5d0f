package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each file of testdata/constructs has the frame of a program in one language, and constructs of
// that language. No construct may cost the members before and after it, or the code below.
func TestConstructsCostNoNeighbours(t *testing.T) {
	names, err := filepath.Glob("testdata/constructs/*.txt")
	if err != nil || len(names) < 19 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		path := strings.TrimSuffix(filepath.Base(name), ".txt")
		t.Run(strings.TrimSuffix(path, filepath.Ext(path)), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			frame, constructs, _ := strings.Cut(string(text), "====\n")
			want := neighboursIn(definitionsOf(strings.Replace(frame, "@@\n", "", 1), path))
			if len(want) < 3 {
				t.Fatalf("the frame alone has %v", want)
			}
			for c := range strings.SplitSeq(constructs, "====\n") {
				got := neighboursIn(definitionsOf(strings.Replace(frame, "@@\n", c, 1), path))
				if !slices.Equal(got, want) {
					t.Errorf("%s\nleaves %v of %v", c, got, want)
				}
			}
		})
	}
}

// definitionsOf returns the sorts and names of the definitions in a text.
func definitionsOf(text, path string) (all []string) {
	f, _ := Parse(Input{Path: path, Text: []byte(text)})
	for _, e := range f.Entries {
		all = append(all, fmt.Sprintf("%s %s", e.Sort, e.Name))
	}
	return all
}

// neighboursIn returns the definitions of the frame, sorted.
func neighboursIn(all []string) (kept []string) {
	for _, d := range all {
		switch _, name, _ := strings.Cut(strings.ToLower(d),
			" "); strings.TrimRight(name[strings.LastIndexAny(name, ".:")+1:], "_'") {
		case "before", "after", "tail", "behind":
			kept = append(kept, d)
		}
	}
	slices.Sort(kept)
	return kept
}

// A definition that a parser loses must be found by its keyword, with its members.
func TestLostDefinitionsAreRecovered(t *testing.T) {
	for path, test := range map[string]struct {
		text string
		want []string
	}{
		"annotations.kt": {
			"package shop\n@Service\n@Settings(prefix = \"shop\")\nclass Till {\n    var rate: Double? = null\n" +
				"    fun open() { }\n}\nclass Drawer {\n    fun count(): Int = 3\n}\n",
			[]string{"type Till", "method Till.open", "type Drawer", "method Drawer.count"},
		},
		"constructor.kt": {
			"package shop\n@Suppress(\"x\")\ninternal open class Till(private val rate: Int, val name: String) {\n" +
				"    suspend fun take() = wait({ it: suspend -> a }, { \"${\" })\n    fun open() { }\n}\n" +
				"class Drawer(val size: Int) {\n    fun count(): Int = 3\n}\n",
			[]string{"type Till", "method Till.take", "method Till.open", "type Drawer", "method Drawer.count"},
		},
		"export.cpp": {
			"class EXPORT_API Lamp {\n  int light() { return 1; }\n};\n", []string{"type Lamp", "method Lamp.light"},
		},
	} {
		got := definitionsOf(test.text, path)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", path, got, test.want)
		}
	}
}
