package store_test

import (
	"context"
	"fmt"
	"testing"

	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// An index knows whether its history has a commit of the user's, also one that a later scrape adds.
// Without an identity, or for a clone, nothing is the user's.
func TestOwnWork(t *testing.T) {
	ctx, dir, asked := context.Background(), t.TempDir(), 0
	options := build.Options{Root: "/src", Extractor: 1, Embedder: storetest.Hashed{}, Identity: func() string { asked++; return "Ann@example.org" }}
	n := 0
	publish := func(w *build.Writer, err error, email string) bool {
		t.Helper()
		storetest.Check(t, err)
		if email != "" {
			n++
			storetest.Check(t, w.AddRevision(doc.Revision{SHA: fmt.Sprintf("%040x", n), Subject: "work", Author: "x", Email: email, Time: theDay(n)}))
		}
		_, err = w.Publish(storetest.Generation)
		storetest.Check(t, err)
		return storetest.Pin(t, dir).Generation().Own
	}
	w, err := build.New(ctx, dir, options)
	if publish(w, err, "stranger@example.org") {
		t.Error("a stranger's work is taken for the user's")
	}
	w, err = build.Update(ctx, dir, options)
	if publish(w, err, "") || asked != 1 {
		t.Errorf("the identity was asked for %d times, without new commits", asked)
	}
	w, err = build.Update(ctx, dir, options)
	if !publish(w, err, "ann@example.org") {
		t.Error("the user's commit is not known")
	}
	w, err = build.Update(ctx, dir, options)
	if !publish(w, err, "stranger@example.org") || asked != 2 {
		t.Errorf("the user's work is forgotten, or was looked for again: asked %d times", asked)
	}
	options.Identity = nil
	w, err = build.Update(ctx, dir, options)
	if publish(w, err, "ann@example.org") {
		t.Error("a clone is taken for the user's work")
	}
}
