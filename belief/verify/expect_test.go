package verify

import (
	"testing"

	"patina/store/sqlite"
)

func answer(values ...any) (t sqlite.Table) {
	for _, v := range values {
		t.Rows = append(t.Rows, []any{v})
	}
	return t
}

func TestMet(t *testing.T) {
	none := answer()
	for _, test := range []struct {
		expect string
		answer sqlite.Table
		got    string
		want   string // true, false or the start of the error
	}{
		{"= 0", answer(int64(0)), "0", "true"},
		{"=0", answer(int64(3)), "3", "false"},
		{"== 0", answer(0.0), "0", "true"},
		{"!= 0", answer(int64(3)), "3", "true"},
		{"<> done", answer("open"), "open", "true"},
		{">= 10", answer(int64(10)), "10", "true"},
		{"> 10", answer(int64(10)), "10", "false"},
		{"<= 10", answer(10.5), "10.5", "false"},
		{"< 10", answer(3.5), "3.5", "true"},
		{"< 10", answer("7"), "7", "true"},
		{"= 'done'", answer("done"), "done", "true"},
		{"= 1.0", answer("1"), "1", "true"},
		{"> a", answer("b"), "b", `"b" and "a" cannot`},
		{"< 10", answer(nil), "NULL", `"NULL" and "10"`},
		{"= NULL", answer(nil), "NULL", "true"},
		{"= 0", none, "", "the query gives no row"},
		{"empty", none, "", "true"},
		{"empty", answer(int64(1)), "1", "false"},
		{"non-empty", answer(int64(1)), "1", "true"},
		{"contains x.go", answer("a.go", "src/x.go"), "a.go", "true"},
		{"contains \"y\"", answer("a.go"), "a.go", "false"},
		{"contains", answer("a"), "a", `"contains": not an`},
		{"", answer("a"), "a", `"": not an`},
		{"about 5", answer("a"), "a", `"about 5": not an`},
		{"> NaN", answer(int64(1)), "1", `"1" and "NaN"`},
	} {
		got, ok, err := compareExpected(test.expect, test.answer)
		is := map[bool]string{true: "true", false: "false"}[ok]
		if err != nil {
			is = err.Error()[:min(len(err.Error()), len(test.want))]
		}
		if got != test.got || is != test.want {
			t.Errorf("%q of %v: %q, %q, %v; want %q, %s", test.expect, test.answer.Rows, got, is, err, test.got,
				test.want)
		}
	}
}

// For any bytes, an expectation is met, not met, or invalid.
func FuzzMet(f *testing.F) {
	for _, s := range []string{"= 0", ">=", "contains '", "non-empty", "!= \x00"} {
		f.Add(s, "5")
	}
	f.Fuzz(func(t *testing.T, expect, value string) {
		if _, ok, err := compareExpected(expect, answer(value)); ok && err != nil {
			t.Fatal(expect, value, err)
		}
	})
}
