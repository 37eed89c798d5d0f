package store

import (
	"sync"
	"testing"
)

// A Recent must keep the most recently used values that fit.
func TestRecentForgets(t *testing.T) {
	var r Recent[int, string]
	const size, most = 100, 5_000
	r.Put(-1, "in use", 1, most)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 100 {
				r.Put(worker*100+i, "x", size, most)
				if v, ok := r.Get(-1); !ok || v != "in use" {
					t.Error("a value in use is forgotten")
				}
			}
		})
	}
	all.Wait()
	if r.bytes > most || r.bytes < most-size || len(r.at) != 1+(r.bytes-1)/size {
		t.Errorf("%d values of %d bytes are kept of %d", len(r.at), r.bytes, most)
	}
	r.Put(-2, "large", most/2, most)
	if _, ok := r.Get(-2); ok {
		t.Error("a value too large for the others is kept")
	}
	r.Put(-1, "another", 1, most)
	if v, _ := r.Get(-1); v != "in use" {
		t.Errorf("%q has the place of a value that was there", v)
	}
}

// The oldest value goes first, and the ring is whole when the last one went.
func TestRecentInOrder(t *testing.T) {
	var r Recent[int, int]
	for i := range 20 {
		r.Put(i, i, 1, 4)
		r.Get(max(0, i-3)) // the oldest there is becomes the newest
	}
	for i := range 20 {
		v, ok := r.Get(i)
		if ok && v != i {
			t.Errorf("%d has %d", i, v)
		}
	}
	if len(r.at) != 4 || r.bytes != 4 {
		t.Errorf("%d values of %d bytes", len(r.at), r.bytes)
	}
	for _, i := range []int{100, 101, 102, 103} {
		r.Put(i, i, 1, 4)
	}
	for _, i := range []int{100, 101, 102, 103} {
		if v, ok := r.Get(i); !ok || v != i {
			t.Errorf("%d has %d, %v", i, v, ok)
		}
	}
}
