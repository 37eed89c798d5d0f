package scrape_test

import (
	"fmt"
	"strings"
	"testing"

	"patina/belief"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store/storetest"
)

// The user must be told if there are more beliefs than are read as beliefs.
func TestManyBeliefsAreTold(t *testing.T) {
	files := map[string]string{}
	for i := range belief.Most + 1 {
		files[fmt.Sprintf("layer/beliefs/b%05d.md", i)] = fmt.Sprintf("---\nid: b%d\n---\n# b\n\nB %d holds.\n", i, i)
	}
	root := t.TempDir()
	scrapetest.Tree(t, root, files)
	s, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: t.TempDir()})
	storetest.Check(t, err)
	if notes := strings.Join(s.Notes, "\n"); !strings.Contains(notes, "20001 beliefs: the first 20000 by path") {
		t.Errorf("%d beliefs, notes %q", s.Generation.Beliefs, notes)
	}
}
