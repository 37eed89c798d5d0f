package parse

import (
	"fmt"
	"slices"
	"testing"
)

// Names that are keywords elsewhere, strings with several dollars and a constructor below its class
// are no errors, and must not cost a call.
func TestKotlinNamesLikeKeywords(t *testing.T) {
	f, trouble := Parse(Input{Path: "a.kt", Text: []byte(`package shop
class Host {
    fun take() {
        val made = store.insert {
            it[name] = build("a")
        } get store.key
        val other = made set 3
        get("/a") { call(other) }
        val all = find()
        where?.let {
            add(" WHERE ")
        }
        where = all
        check($$"cost $a", $$"""
            name: $b {
        """)
        last()
    }
    val tall: Int get() = high()
    var wide: Int
        get() = 1
        private set
}
class Inner<T : Any>
internal constructor(val size: Int) {
    fun use() = last()
}
fun last() { }
`)})
	var got []string
	for _, c := range f.Calls {
		got = append(got, fmt.Sprintf("%d %s", c.Line, c.Name))
	}
	want := []string{
		"4 store.insert", "5 build", "8 get", "8 call", "9 find", "10 where.let", "11 add", "17 last", "19 high",
		"26 last",
	}
	if !slices.Equal(got, want) || trouble != Fine {
		t.Errorf("calls %q %s, want %q", got, trouble, want)
	}
	if got := definitionsOf(string(f.Body), "a.kt"); !slices.Contains(got, "type Inner") ||
		!slices.Contains(got, "method Inner.use") || !slices.Contains(got, "function last") {
		t.Errorf("definitions %q", got)
	}
}
