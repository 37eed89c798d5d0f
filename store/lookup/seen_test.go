package lookup

import (
	"errors"
	"fmt"
	"testing"

	"patina/store"
)

// A column gives its numbers in order, and what is no number is damage.
func FuzzColumn(f *testing.F) {
	f.Add(int64(1), int64(-2), "rest")
	f.Add(int64(0), int64(-1)<<63, "\x00\x00")
	f.Fuzz(func(t *testing.T, a, b int64, rest string) {
		c := column(fmt.Sprint(a) + separator + fmt.Sprint(b) + separator + rest)
		for _, want := range []int64{a, b} {
			if got, err := c.next(); got != want || err != nil {
				t.Errorf("%d, %v, want %d", got, err, want)
			}
		}
		if string(c) != rest {
			t.Errorf("%q is left, want %q", c, rest)
		}
		for c != "" {
			before := len(c)
			if _, err := c.next(); err != nil && !errors.Is(err, store.ErrDamaged) || len(c) >= before {
				t.Fatalf("%q: %v", rest, err)
			}
		}
	})
}
