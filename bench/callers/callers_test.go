package main

import "testing"

// A call in a chain is found by the symbol around it, but not in another symbol. A certain call
// that the server lacks counts against precision.
func TestCompare(t *testing.T) {
	theirs := []site{{"a.go", 3, "f", false}, {"a.go", 9, "g", false}, {"b.go", 3, "", false}}
	ours := []site{{"a.go", 2, "f", true}, {"a.go", 20, "h", true}, {"b.go", 3, "", false}}
	c := compare(theirs, ours)
	if c.theirs != 3 || c.found != 2 || c.certain != 1 || c.ours != 2 || c.oursKnown != 1 {
		t.Errorf("%+v", c)
	}
}

func TestDeclares(t *testing.T) {
	for head, want := range map[string]bool{
		"func (q *Queue) Close": true, "	def close": true, "  async close": true, "export function close": true,
		"	q.Close": false, "	Close": false, "return close": false,
		"Door::Door": true, "  home::Door::Door": true, "new home::Door": false, "Door::~Door": true,
		"Door::close": false, "x := close": false,
	} {
		if got := declares(head, "(x)"); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
	for tail, want := range map[string]bool{
		"() {": true, "(): void": true, "(target: object, value: T, token?: object) {": true,
		"<K>(of: Map<K, (k: K) => void>): Set<K> {": true,
		"(x)": false, "(x);": false, "(x).then(y => {": false, "() ? a : b": false, "(() => {": false,
	} {
		if got := declares("  close", tail); got != want {
			t.Errorf("close%s: %v", tail, got)
		}
	}
}
