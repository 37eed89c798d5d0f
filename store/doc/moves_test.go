package doc

import (
	"math"
	"testing"
)

func TestMovesNow(t *testing.T) {
	const a, b, c, d = 1, 2, 3, 4
	m := Moves{}
	m.Add(b, c, 20) // a → b → c
	m.Add(a, b, 10)
	m.Add(a, d, 30) // another file that got the name later
	m.Add(c, d, 5)  // before c was renamed from b
	m.Add(d, 9, 40)
	m.Add(9, d, 41) // and back
	m.Sort()
	for _, test := range []struct {
		path, commit, held, want int64
	}{
		{a, 1, 0, c},
		{a, 1, c, c},
		{a, 10, b, b},
		{a, 11, 0, d},
		{a, 30, a, a},
		{a, 31, 0, d}, // a branch that does not know the rename: the last one counts
		{b, 15, c, c},
		{b, 21, c, c},
		{c, 1, 0, d},
		{c, 20, 0, d},
		{d, 1, 0, d},
		{d, 1, 9, 9},
		{7, 1, 0, 7},
		{a, math.MaxInt64, 0, d},
	} {
		held := func(path int64) bool { return path == test.held }
		if got := m.Now(test.path, test.commit, held); got != test.want {
			t.Errorf("path %d named by commit %d is now %d, want %d", test.path, test.commit, got, test.want)
		}
	}
}
