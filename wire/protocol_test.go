package wire

import (
	"testing"

	"patina/wire/nodepb"
)

func TestSpeaks(t *testing.T) {
	for _, test := range []struct {
		of   *nodepb.Version
		want bool
	}{
		{nil, false},
		{Protocol(), true},
		{&nodepb.Version{Min: MaxProtocol, Max: MaxProtocol + 3}, true},
		{&nodepb.Version{Min: MaxProtocol + 1, Max: MaxProtocol + 3}, false},
		{&nodepb.Version{}, false},
	} {
		if got := Speaks(test.of); got != test.want {
			t.Errorf("%v: %v", test.of, got)
		}
	}
}
