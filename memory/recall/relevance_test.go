package recall

import "testing"

// A question of usual length has one floor. A longer message is answered if one item has enough of
// it, and then the others need no more than a short question asks for.
func TestFloorsByLength(t *testing.T) {
	for _, c := range []struct {
		share, cosine, length float64
		leads, follows        bool
	}{
		{.3, 0, 1, true, true},
		{.29, 0, 1, false, false},
		{.15, 0, 4, true, true}, // three words of twenty
		{.14, 0, 4, false, true},
		{.075, 0, 4, false, true},
		{.07, 0, 4, false, false},
		{0, .5, 4, true, true}, // by meaning, whatever the length
		{0, .3, 4, false, false},
	} {
		if got := Leads(Floor, c.share, c.cosine, c.length); got != c.leads {
			t.Errorf("%+v leads: %v", c, got)
		}
		if got := Follows(Floor, c.share, c.cosine, c.length); got != c.follows {
			t.Errorf("%+v follows: %v", c, got)
		}
		if Leads(Floor, c.share, c.cosine, c.length) && !Follows(Floor, c.share, c.cosine, c.length) {
			t.Errorf("%+v leads and is hidden", c)
		}
	}
}
