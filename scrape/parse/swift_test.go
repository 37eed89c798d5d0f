package parse

import (
	"fmt"
	"slices"
	"testing"
)

// A binding of a call that waits and may fail, in a condition, must not hide the calls after it.
func TestSwiftBindings(t *testing.T) {
	f, trouble := Parse(Input{Path: "a.swift", Text: []byte(`func poll() async {
  if let r = try? await fetch() {
    show(r)
  }
  guard let s = try? await fetch(), let q = try await load(s) else { return }
  while let t = try! await step() { show(t) }
  if case .some(let v) = try? await fetch() { show(v) }
  let plain = try await fetch()
  use(s)
}
func behind() { use(1) }
`)})
	var got []string
	for _, c := range f.Calls {
		got = append(got, fmt.Sprintf("%d %s", c.Caller, c.Name))
	}
	want := []string{
		"0 fetch", "0 show", "0 fetch", "0 load", "0 step", "0 show", "0 fetch", "0 show", "0 fetch", "0 use", "1 use",
	}
	if !slices.Equal(got, want) || trouble != Fine {
		t.Errorf("calls %q %s, want %q", got, trouble, want)
	}
}
