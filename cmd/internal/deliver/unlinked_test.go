package deliver

import (
	"fmt"
	"strings"
	"testing"

	"patina/cmd/internal/dialect"
	"patina/store/doc"
)

// All files touched by a commit are counted, even where it links to some only.
func TestUnlinkedFilesAreCounted(t *testing.T) {
	d := doc.Description{DocID: "commit:0123456789ab", Kind: doc.Commit, Title: "begin", Unlinked: 156}
	for i := range 50 {
		d.Links = append(d.Links,
			doc.Link{Relation: "touches", Target: fmt.Sprintf("%s/%02d.go", strings.Repeat("d", 10), i)})
	}
	if got := recentCommit(d).rest[0].Text; !strings.HasSuffix(got, "03.go, 202 more") {
		t.Errorf("recent: %q", got)
	}
	for range 2 { // all links fit on a page, and then not all
		var out strings.Builder
		if err := Links(&out, Document{Description: d}, 0, "", Options{Dialect: dialect.CLI{}}); err != nil {
			t.Fatal(err)
		}
		shown := strings.Count(out.String(), "touches")
		if want := fmt.Sprintf(".go\n%d more\n", len(d.Links)+156-shown); !strings.Contains(out.String(), want) ||
			(shown < len(d.Links)) != (len(d.Links) > 50) {
			t.Errorf("%d of %d shown, %q is missing in %q", shown, len(d.Links), want, out.String())
		}
		for range 5 {
			d.Links = append(d.Links, d.Links...)
		}
	}
}
