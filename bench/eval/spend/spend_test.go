package spend

import (
	"reflect"
	"strings"
	"testing"
)

// The search is for the rarest word that occurs on any line. Its size is that of the output of rg
// -n -i -F.
func TestSearch(t *testing.T) {
	m := &meter{rg: map[string][2]int{}, files: map[string]string{
		"a.go": "the kettle boils\nKETTLE again\n", "b.go": "a kettle\nlimescale\n" + strings.Repeat("x\n", 100),
	}}
	// "limescale" is on one line, "kettle" on three, "absent" on no line.
	printed := "b.go:2:limescale\n"
	around := "a kettle\nlimescale\n" + strings.Repeat("x\n", 29)
	found, reading := m.search("does the kettle have limescale or an absent lid")
	if found != len(printed)/4 || reading != (len(printed)+len(around))/4 {
		t.Errorf("%d and %d tokens, want %d and %d", found, reading, len(printed)/4, (len(printed)+len(around))/4)
	}
	if found, reading := m.search("absent"); found != 0 || reading != 0 {
		t.Errorf("nothing has it: %d and %d", found, reading)
	}
}

func TestWords(t *testing.T) {
	if got := words("How does the Lock expire, and why? lock_time"); !reflect.DeepEqual(got,
		[]string{"lock", "expire", "lock_time"}) {
		t.Errorf("%q", got)
	}
}

func TestMedian(t *testing.T) {
	all := []sample{{full: 9}, {full: 1}, {full: 5}, {full: 7}}
	if got := median(all, func(s sample) int { return s.full }); got != 5 {
		t.Error(got)
	}
	if got := median(nil, func(s sample) int { return s.full }); got != 0 {
		t.Error(got)
	}
}
