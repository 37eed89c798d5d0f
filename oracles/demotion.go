package oracles

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"patina/scrape/prose"
	"patina/store/doc"
	"patina/store/text"
)

// A demotion lowers files of a class, unless the question asks for such files (docs/ranking.md,
// "Demotion").
type demotion struct {
	is     func(c doc.Class, functions int) bool
	factor float64
	lifted []string // singular words that lift it if the question holds one
	howTo  bool     // a question about how to use something lifts it
}

var demotions = []demotion{
	{func(c doc.Class, _ int) bool { return doc.IsTest(c) }, 0.3, []string{"test", "spec", "mock", "fixture"}, false},
	{
		anyOf(doc.Example), 0.6,
		[]string{
			"example", "sample", "demo", "doc", "tutorial", "bench", "benchmark", "perf",
			"playground", "script", "tool", "website", "fuzz",
		},
		true,
	},
	{
		anyOf(doc.Compat | doc.Generated | doc.Vendored), 0.6,
		[]string{
			"compat", "legacy", "deprecated", "old", "vendor", "generated", "gen", "polyfill",
			"shim",
		},
		false,
	},
	{anyOf(doc.Declaration), 0.7, nil, false},
	{onlyReExports, 0.5, nil, false},
	{anyOf(doc.Header), 0.8, nil, false},
	{anyOf(doc.Platform), 0.85, []string{"windows", "win", "win32", "iocp"}, false},
	{anyOf(doc.Internal), 0.85, []string{"internal", "private", "impl", "detail"}, false},
	{anyOf(doc.OtherText), 0.6, nil, true},
	{anyOf(doc.Translation), 0.5, []string{"translation", "locale", "localization", "i18n", "language"}, false},
	{anyOf(doc.Data), 0.5, []string{"data", "dataset", "record"}, false},
}

// AsksForTests reports whether a question lifts tests.
func AsksForTests(q *text.Question) bool { return demotions[0].isLifted(q) }

func anyOf(bits doc.Class) func(doc.Class, int) bool {
	return func(c doc.Class, _ int) bool { return c&bits != 0 }
}

// onlyReExports reports whether a file re-exports names and defines hardly any function.
func onlyReExports(c doc.Class, functions int) bool {
	return c&doc.ReExport != 0 && functions < 3
}

// A demoter holds the demotions that a question does not lift. It is made once because it is used
// for hundreds of documents.
type demoter struct {
	files                              []demotion
	foreign                            bool
	translation, guide, lists, manuals float64 // the factors of sections
}

func demoterFor(q *text.Question) *demoter {
	factor := func(x demotion) float64 {
		if x.isLifted(q) {
			return 1
		}
		return x.factor
	}
	d := &demoter{
		foreign: hasForeignLetters(q), translation: factor(translation),
		guide: factor(guide), lists: factor(changeList), manuals: factor(manual),
	}
	for _, x := range demotions {
		if !x.isLifted(q) {
			d.files = append(d.files, x)
		}
	}
	if d.foreign {
		d.translation = 1
	}
	return d
}

// fileFactor returns D of a file: the product of the factors that apply.
func (d *demoter) fileFactor(c doc.Class, functions int) float64 {
	if d.foreign {
		c &^= doc.Translation
	}
	product := 1.0
	for i := range d.files {
		if d.files[i].is(c, functions) {
			product *= d.files[i].factor
		}
	}
	return product
}

// manual and changeList lower sections of manuals and of lists of changes, because these describe
// the code in the words of questions and would come first everywhere. 0.7 to 0.85 is a plateau on
// seven repositories with questions about code. Questions about design documents are not affected,
// because these are in other folders (bench/history/ranking.md, "All kinds asked").
var (
	manual = demotion{anyOf(doc.Example), 0.8, demotions[1].lifted, true}
	guide  = demotion{factor: 0.8, howTo: true, lifted: append([]string{
		"readme", "contributing", "contribute", "contributor", "guide", "install", "setup", "upgrade",
		"project",
	}, demotions[1].lifted...)}
	changeList = demotion{factor: 0.8, lifted: []string{
		"changelog", "release", "released", "version", "history", "changed", "news",
	}}
	translation = demotion{anyOf(doc.Translation), 0.5, demotions[9].lifted, false}
)

// section returns D of a section of a document.
func (d *demoter) section(name string, c doc.Class) float64 {
	product := 1.0
	if translation.is(c, 0) {
		product = d.translation
	}
	lists := text.ListsChanges(name)
	switch {
	case d.guide != 1 && aboutProject(name):
		product *= d.guide
	case d.lists != 1 && lists:
		product *= d.lists
	case d.manuals != 1 && !lists && (manual.is(c, 0) || inManual(name)):
		product *= d.manuals
	}
	return product
}

// hasForeignLetters reports whether a question has letters beyond ASCII, so that it may be in the
// language of a translation.
func hasForeignLetters(q *text.Question) bool {
	return slices.ContainsFunc(q.Words, func(w string) bool {
		return strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII })
	})
}

// isLifted reports whether a question lifts the demotion, by a word that may be inflected.
// "testing" lifts "test", but "general" does not lift "generated", though Porter stems both to
// "gener".
func (x demotion) isLifted(q *text.Question) bool {
	return x.howTo && q.HowTo || slices.ContainsFunc(q.Words, func(w string) bool {
		return slices.ContainsFunc(x.lifted, func(l string) bool {
			return w == l || strings.HasPrefix(w, l) && text.Stem(w) == text.Stem(l)
		})
	})
}

// guides are the documents about a project as a whole, by their names without extension. They touch
// everything in the words of questions, and answer few.
var guides = text.Set(`readme contributing skill agents claude gemini copilot-instructions install installation
	tutorial quickstart faq upgrading code_of_conduct`)

// aboutProject reports whether a document is a guide.
func aboutProject(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(name)), ".")
	return guides.Has(stem)
}

// manuals are the names of folders with manuals, besides those whose code is an example
// (class.OfPath).
var manuals = text.Set("documentation man manual manuals guide guides www wiki book handbook skills")

// inManual reports whether a document is in a manual, by the name of a folder: guides/, docs-v3/,
// versioned_docs/. A decision record is never part of a manual, because it says what holds.
func inManual(name string) bool {
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(name)), "/") {
		if (manuals.Has(strings.Trim(folder, "_")) || holdsDocs(folder)) && !prose.IsDecision(name) {
			return true
		}
	}
	return false
}

// holdsDocs reports whether "doc" or "docs" is one of the words in the name of a folder.
func holdsDocs(folder string) bool {
	for w := range strings.FieldsFuncSeq(folder, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if w == "doc" || w == "docs" {
			return true
		}
	}
	return false
}
