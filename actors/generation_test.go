package actors_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles/embed"
	"patina/scrape"
)

// While scrapes publish generations, by update and by rename, each answer must show a single one.
func TestAnswerShowsOneGeneration(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, ".patina")
	publish := func(n int) error {
		for i := range 6 {
			src := fmt.Sprintf("package p\n\n// Marker%d is of generation-%d.\nfunc Marker%d() {}\n", i, n, i)
			if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%d.go", i)), []byte(src), 0o644); err != nil {
				return err
			}
		}
		_, err := scrape.Run(context.Background(), scrape.Options{Root: root, StoreDir: dir, Full: n%5 == 0, Embedder: embed.Base(), Load: embed.Load})
		return err
	}
	if err := publish(0); err != nil {
		t.Fatal(err)
	}
	e, err := actors.Open(actors.Options{Projects: []actors.Project{{ID: "p", Name: "p", Root: root, StoreDir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(context.Background()) }()
	done, answered := make(chan error, 1), make(chan bool)
	go func() {
		var err error
		for n := 1; n <= 25 && err == nil; n++ {
			if err = publish(n); err == nil {
				<-answered // however slow the questions are, they see every other generation
			}
		}
		done <- err
	}()
	number := regexp.MustCompile(`generation-(\d+)`)
	seen := make(map[string]bool)
	for asked := 0; ; asked++ {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			if len(seen) < 12 {
				t.Errorf("%d questions saw only the generations %v", asked, seen)
			}
			return
		default:
		}
		a, err := e.Scry(context.Background(), api.Request{Text: "which generation is the marker of", Timeout: time.Hour})
		if err != nil || a.Partial || len(a.Results) != 6 {
			t.Fatalf("%d results, partial %v, %v: %+v", len(a.Results), a.Partial, err, a.Channels)
		}
		first := number.FindString(a.Results[0].Summary)
		seen[first] = true
		for _, r := range a.Results {
			if got := number.FindString(r.Summary); got == "" || got != first {
				t.Fatalf("one answer shows %q and %q", first, got)
			}
		}
		select {
		case answered <- true:
		default: // nobody waits
		}
	}
}
