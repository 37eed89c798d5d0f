package callers_test

import (
	"context"
	"testing"

	"patina/code/callers"
	"patina/store/storetest"
)

// A fading context is cancelled after its error was asked for a few times.
type fading struct {
	context.Context
	left int
}

func (f *fading) Done() <-chan struct{} { return nil }

func (f *fading) Err() error {
	if f.left--; f.left < 0 {
		return context.Canceled
	}
	return nil
}

// A question that is cancelled while manifests are read must not leave a resolver without their
// names.
func TestModulesOfAnEndedQuestion(t *testing.T) {
	ended := 0
	for left := range 40 {
		r := storetest.Tree{"server/go.mod": "module example.org/other\n", "server/s.go": ";Open;", "x.go": "example.org/other;use;"}.Build(t)
		snap, err := r.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := callers.Modules(&fading{t.Context(), left}, r, snap); err != nil {
			ended++
		}
		m, err := callers.Modules(t.Context(), r, snap)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := m.Resolve("Go", "x.go", "example.org/other"); !ok {
			t.Errorf("a context that ends at look %d: the import leads nowhere", left)
		}
	}
	if ended == 0 || ended == 40 {
		t.Errorf("%d of 40 questions were ended", ended)
	}
}
