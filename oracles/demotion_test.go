package oracles

import (
	"testing"

	"patina/store"
	"patina/store/text"
)

func TestDemotionOfSections(t *testing.T) {
	for _, test := range []struct {
		path     string
		class    store.Class
		question string
		want     float64
	}{
		{"layer/core/decisions.md", 0, "cookie storage", 1},
		{"docs/user/advanced.rst", store.Example, "cookie storage", 0.8},
		{"docs/user/advanced.rst", store.Example, "which docs tell of cookies", 1},
		{"HISTORY.md", 0, "cookie storage", 0.8},
		{"docs/changelog.md", store.Example, "cookie storage", 0.8},
		{"CHANGES.rst", 0, "what changed in cookies", 1},
		{"docs/README.md", store.Example, "a tutorial of cookies", 1},
	} {
		q := text.ParseQuestion(test.question)
		if got := demoteSection(test.path, test.class, &q); got != test.want {
			t.Errorf("%s for %q: %v, want %v", test.path, test.question, got, test.want)
		}
	}
}
