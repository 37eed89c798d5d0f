package mine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAppendAndRead(t *testing.T) {
	home := t.TempDir()
	for _, s := range []Dismissal{
		{Key: "a", Text: "A.", Time: time.Unix(1, 0).UTC()},
		{Key: "b", Text: "B."},
		{Key: "a", Undone: true},
		{Key: "c", Text: "C."},
		{Key: "b", Text: "B again."},
	} {
		must(t, AppendDismissal(home, "p", s))
	}
	all, broken, err := ReadDismissals(home, "p")
	must(t, err)
	if broken != 0 || len(all) != 2 || all[0].Text != "B again." || all[1].Key != "c" {
		t.Errorf("%+v, %d broken", all, broken)
	}
	if all, broken, err := ReadDismissals(home, "other"); err != nil || len(all) != 0 || broken != 0 {
		t.Errorf("another project: %+v, %d, %v", all, broken, err)
	}
}

// Broken lines are counted, and other lines are read.
func TestBrokenLines(t *testing.T) {
	home := t.TempDir()
	must(t, os.MkdirAll(filepath.Dir(DismissalsFile(home, "p")), 0o700))
	good := `{"v":1,"key":"k%d","text":"x"}`
	lines := []string{
		fmt.Sprintf(good, 1), "", "\x00\xff", `{"v":2,"key":"later"}`, `{"v":1}`, "[]",
		strings.Repeat("x", 3*maxDismissal), fmt.Sprintf(good, 2), `{"v":1,"key":"cut o`,
	}
	must(t, os.WriteFile(DismissalsFile(home, "p"), []byte(strings.Join(lines, "\n")), 0o600))
	must(t, AppendDismissal(home, "p", Dismissal{Key: "k3"})) // after an interrupted line
	all, broken, err := ReadDismissals(home, "p")
	must(t, err)
	if len(all) != 3 || broken != 6 {
		t.Errorf("%+v, %d broken", all, broken)
	}
}

func TestManyWriters(t *testing.T) {
	home := t.TempDir()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for j := range 20 {
				if err := AppendDismissal(home, "p",
					Dismissal{Key: fmt.Sprint(i, "-", j), Text: strings.Repeat("x", 300)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if all, broken, err := ReadDismissals(home, "p"); err != nil || len(all) != 320 || broken != 0 {
		t.Errorf("%d sentences, %d broken, %v", len(all), broken, err)
	}
}

func TestNoHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(home, nil, 0o600))
	if err := AppendDismissal(home, "p", Dismissal{Key: "k"}); err == nil {
		t.Error("written below a file")
	}
	if _, _, err := ReadDismissals(home, "p"); err == nil {
		t.Error("read below a file")
	}
}
