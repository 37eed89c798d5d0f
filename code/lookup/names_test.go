package lookup_test

import (
	"slices"
	"testing"

	"patina/code/lookup"
	"patina/store/storetest"
)

// Similar names must be the same whether they are found in the index, as the first time, or among
// the kept names.
func TestKeptNamesAreThoseOfTheIndex(t *testing.T) {
	defined := storetest.Tree{"a.go": ";RecordAccumulator recordAccumulators Open Opens Überschrift übersicht HTTPServer Größe Grüsse;", "b.go": ";Open RecordAccumulate;"}
	for typed, want := range map[string][]string{
		"RecordAcumulator":   {"RecordAccumulator", "recordAccumulators"},
		"recordaccumulators": nil, // defined in another case
		"Opne":               {"Open"},
		"Überschrif":         {"Überschrift"},
		"HTPServer":          {"HTTPServer"},
		"Grösse":             {"Grüsse"}, // ß is two letters away
		"Nothing":            nil,
	} {
		r := defined.Build(t)
		for _, from := range []string{"the index", "the kept names"} {
			got, err := lookup.NearNames(t.Context(), r, typed, 5)
			storetest.Check(t, err)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, from %s", typed, got, from)
			}
		}
	}
}
