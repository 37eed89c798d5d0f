package oracles

import (
	"testing"

	"patina/store/doc"
	"patina/store/text"
)

func TestDemotionOfSections(t *testing.T) {
	for _, test := range []struct {
		path     string
		class    doc.Class
		question string
		want     float64
	}{
		{"layer/core/decisions.md", 0, "cookie storage", 1},
		{"docs/user/advanced.rst", doc.Example, "cookie storage", 0.8},
		{"docs/user/advanced.rst", doc.Example, "which docs tell of cookies", 1},
		{"HISTORY.md", 0, "cookie storage", 0.8},
		{"docs/changelog.md", doc.Example, "cookie storage", 0.8},
		{"CHANGES.rst", 0, "what changed in cookies", 1},
		{"docs/README.md", doc.Example, "a tutorial of cookies", 1},
		{"README.fr.md", doc.Translation, "cookie storage", 0.4},
		{"docs/fr/a.md", doc.Example | doc.Translation, "cookie storage", 0.4},
		{"README.fr.md", doc.Translation, "translations of the readme", 1},
		{"README.md", 0, "cookie storage", 0.8},
		{"pkg/CONTRIBUTING.rst", 0, "cookie storage", 0.8},
		{"README.md", 0, "what is this project for", 1},
		{"readme-first.md", 0, "cookie storage", 1},
		{"README.zh-CN.md", doc.Translation, "存储", 0.8},
		{"guides/source/cookies.md", 0, "cookie storage", 0.8},
		{"guides/source/2_3_release_notes.md", 0, "cookie storage", 0.8},
		{"guides/source/2_3_release_notes.md", 0, "cookies since the last release", 1},
		{"www/versioned_docs/version-9.x/cookies.md", 0, "cookie storage", 0.8},
		{"packages/docs-v3/api.md", 0, "which docs tell of cookies", 1},
		{"packages/docs-v3/api.md", 0, "cookie storage", 0.8},
		{"documentation/adr/0003-cookies.md", 0, "cookie storage", 1},
		{"layer/skill-rules/cookies.md", 0, "cookie storage", 1},
		{"INSTALL.md", 0, "cookie storage", 0.8},
	} {
		q := text.ParseQuestion(test.question)
		d := demoterFor(&q)
		if got := d.section(test.path, test.class); got != test.want {
			t.Errorf("%s for %q: %v, want %v", test.path, test.question, got, test.want)
		}
	}
}

// Code comes before the text about it. Translations and large data files are lowered, unless the
// question asks for them or is in another language.
func TestDemotionOfNoise(t *testing.T) {
	for _, test := range []struct {
		class    doc.Class
		question string
		want     float64
	}{
		{doc.OtherText | doc.Translation, "cookie storage", 0.3},
		{doc.OtherText | doc.Translation, "where are the locales", 0.6},
		{doc.OtherText | doc.Translation, "où est le témoin réseau", 0.6},
		{doc.OtherText | doc.Data, "cookie storage", 0.3},
		{doc.OtherText | doc.Data, "the data of cookies", 0.6},
		{0, "où est le témoin réseau", 1},
	} {
		q := text.ParseQuestion(test.question)
		d := demoterFor(&q)
		if got := d.fileFactor(test.class, 0); got != test.want {
			t.Errorf("class %b for %q: %v, want %v", test.class, test.question, got, test.want)
		}
	}
}
