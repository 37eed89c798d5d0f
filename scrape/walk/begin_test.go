package walk

import (
	"os"
	"path/filepath"
	"testing"

	"patina/scrape/scrapetest"
)

// A folder is outside all repositories only if git would find none.
func TestLiesOutside(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{
		"plain/sub/a": "", "dot/sub/a": "", "dot/.git/HEAD": "", "file/sub/a": "", "file/.git": "gitdir: x\n",
		"bare/HEAD": "", "bare/sub/a": "",
	})
	scrapetest.Must(t, os.Symlink(filepath.Join(root, "dot/sub"), filepath.Join(root, "plain/link")))
	for folder, want := range map[string]bool{
		"plain": true, "plain/sub": true, "dot": false, "dot/sub": false, "file/sub": false, "bare/sub": false,
		"plain/link": false, "missing": false,
	} {
		if got := liesOutside(filepath.Join(root, folder)); got != want {
			t.Errorf("%q: %v, want %v", folder, got, want)
		}
	}
}
