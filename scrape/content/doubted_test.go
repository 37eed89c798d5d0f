package content

import (
	"testing"
	"time"

	"patina/store/doc"
)

func TestDoubted(t *testing.T) {
	now := time.Unix(1_700_000_000, 500_000_000)
	for _, c := range []struct {
		written time.Time
		doubt   bool
	}{
		{now, true},
		{now.Add(-fineTick / 2), true},
		{now.Add(fineTick / 2), true}, // the clock of a server
		{now.Add(-fineTick), false},
		{now.Add(-time.Hour), false},
		{now.Add(time.Hour), false},
		{now.Truncate(time.Second), true}, // whole seconds
		{now.Truncate(time.Second).Add(-time.Second), true},
		{now.Truncate(time.Second).Add(-2 * time.Second), false},
	} {
		if got := clearDoubted(doc.Stat{ModTime: c.written.UnixNano(), Inode: 7}, now); (got.Inode == 0) != c.doubt {
			t.Errorf("written %s ago: %+v", now.Sub(c.written), got)
		}
	}
}
