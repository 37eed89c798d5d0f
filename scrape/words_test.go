package scrape

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"patina/scrape/scrapetest"
	"patina/store/doc"
	"patina/store/storetest"
)

// interrupted is an Adapter that is cancelled when it is about to be fitted.
type interrupted struct {
	storetest.Fitted
	cancel context.CancelFunc
}

func (i interrupted) Adapt(ctx context.Context, _ doc.Corpus) (doc.Adapter, error) {
	i.cancel()
	<-ctx.Done()
	return nil, ctx.Err()
}

// A first scrape that is interrupted during the fit must leave words that can be searched, and say
// so. The next one must make the whole index.
func TestInterruptedDuringTheFit(t *testing.T) {
	root, dir, whole := t.TempDir(), t.TempDir(), t.TempDir()
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\n// F%d ranks files.\nfunc F%d() {}\n", i, i)
	}
	scrapetest.Tree(t, root, files)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, Options{Root: root, StoreDir: dir, Embedder: interrupted{cancel: cancel}, Load: storetest.Load})
	if _, words := errors.AsType[WordsError](err); !words || !errors.Is(err, context.Canceled) {
		t.Fatalf("the scrape ended with %v", err)
	}
	if r := storetest.Pin(t, dir); !r.Generation().WordsOnly || r.Generation().Files != len(files) {
		t.Fatalf("the index left is %+v", r.Generation())
	}
	s := scrape(t, Options{Root: root, StoreDir: dir, Embedder: storetest.Fitted{}, Load: storetest.Load})
	if !s.Embedded.Adapted || s.Generation.WordsOnly || !strings.Contains(strings.Join(s.Notes, "\n"),
		"its model was not fitted") {
		t.Errorf("the next scrape is %+v", s)
	}
	scrape(t, Options{Root: root, StoreDir: whole, Embedder: storetest.Fitted{}, Load: storetest.Load})
	if got, want := dump(t, dir), dump(t, whole); got != want {
		t.Errorf("after the interrupted scrape the index differs from a fresh one:\n%s", firstDifference(got, want))
	}
}
