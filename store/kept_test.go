package store

import (
	"strings"
	"sync"
	"testing"
)

// As many texts are kept as have room: those that were used last.
func TestKeptTextsForget(t *testing.T) {
	var k keptTexts
	const size = 100_000
	k.put(&KeptText{key: -1, Body: "in use"})
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 100 {
				k.put(&KeptText{key: int64(worker*100 + i), Body: strings.Repeat("x", size)})
				if k.get(-1) == nil {
					t.Error("a text in use is forgotten")
				}
			}
		})
	}
	all.Wait()
	if k.bytes > keptBytes || k.bytes < keptBytes-size {
		t.Errorf("%d bytes are kept of %d", k.bytes, keptBytes)
	}
	k.put(&KeptText{key: -2, Body: strings.Repeat("x", keptBytes)})
	if k.get(-2) != nil || k.get(-1) == nil {
		t.Error("a text too large for the others is kept")
	}
}
