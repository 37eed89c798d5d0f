package serve

import (
	"os"
	"path/filepath"
	"testing"
)

// A server must change into its folder if that was made again, and stay in a folder that was moved.
func TestServerWhoseFolderWasMadeAgain(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	folder, moved := filepath.Join(dir, "app"), filepath.Join(dir, "moved")
	must(os.Mkdir(folder, 0o755))
	t.Chdir(folder)
	box := &toolbox{folder: folder}
	for _, x := range []struct {
		do   func() error
		want string
	}{
		{func() error { return nil }, folder},
		{func() error { return os.Rename(folder, moved) }, moved},
		{func() error { return os.Mkdir(folder, 0o755) }, folder},
		{func() error {
			if err := os.Remove(folder); err != nil {
				return err
			}
			return os.Mkdir(folder, 0o755)
		}, folder},
	} {
		must(x.do())
		box.enter()
		if got, err := os.Getwd(); err != nil || got != x.want {
			t.Errorf("in %q, %v, want %q", got, err, x.want)
		}
	}
}
