package deliver

import (
	"fmt"
	"strings"
	"testing"

	"patina/store"
)

// The files that a commit touched are counted also where it leads to some of them only.
func TestUnlinkedFilesAreCounted(t *testing.T) {
	d := store.Description{DocID: "commit:0123456789ab", Kind: store.Commit, Title: "begin", Unlinked: 156}
	for i := range 50 {
		d.Links = append(d.Links, store.Link{Relation: "touches", Target: fmt.Sprintf("%s/%02d.go", strings.Repeat("d", 10), i)})
	}
	if got := recentCommit(d).rest[0].text; !strings.HasSuffix(got, "03.go, 202 more") {
		t.Errorf("recent: %q", got)
	}
	for width, want := range map[int]string{10: "49.go\n156 more\n", 300: " more\n"} {
		for i := range d.Links {
			d.Links[i].Target = fmt.Sprintf("%s/%02d.go", strings.Repeat("d", width), i)
		}
		var out strings.Builder
		if err := Links(&out, d, 0, "", Options{Dialect: CLI{}}); err != nil {
			t.Fatal(err)
		}
		shown := strings.Count(out.String(), "touches")
		if width == 300 {
			want = fmt.Sprintf("\n%d more\n", 206-shown)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("width %d: %q is missing in %q", width, want, out.String())
		}
	}
}
