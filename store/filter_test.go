package store

import (
	"context"
	"errors"
	"testing"

	"patina/store/doc"
)

// A question's deadline holds while paths are compared.
func TestFilterEndsWithItsContext(t *testing.T) {
	snap := new(Snapshot)
	snap.files.read, snap.files.all = true, []doc.ListedFile{{Key: 1, Path: "a.go"}}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := new(Reader).Allowed(ctx, snap, doc.Filter{Paths: []string{"*.go"}, Languages: []string{"Go"}}); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := new(Reader).Allowed(ctx, snap, doc.Filter{Paths: []string{"*.go"}, Languages: []string{"Go"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
