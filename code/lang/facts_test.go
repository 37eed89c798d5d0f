package lang

import "testing"

// A parser's facts follow from its rules: a fact that no rule reads is unknown.
func TestFacts(t *testing.T) {
	all := Facts{Symbols: true, Calls: true, Imports: true, Bindings: true}
	for language, want := range map[string]Facts{
		"Go": all, "Elixir": all, "Haskell": all, "Kotlin": all, "Lua": all, "Scala": all, "Solidity": all,
		"Swift": all, "Zig": all, "Ruby": {Symbols: true, Calls: true, Imports: true},
		"Shell": {Symbols: true, Calls: true, Imports: true},
		"Perl":  {}, "": {},
	} {
		if got := Named(language).Facts(); got != want {
			t.Errorf("%s: %+v, want %+v", language, got, want)
		}
	}
}
