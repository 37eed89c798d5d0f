package text

import (
	"maps"
	"testing"
)

func TestSet(t *testing.T) {
	if got := Set(" a\n\tb a "); !maps.Equal(got, map[string]bool{"a": true, "b": true}) {
		t.Errorf("Set = %v", got)
	}
	if got := Set(""); got == nil || len(got) != 0 {
		t.Errorf("Set of nothing = %v", got)
	}
}
