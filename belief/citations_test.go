package belief_test

import (
	"fmt"
	"strings"
	"testing"

	"patina/belief"
)

func TestCitations(t *testing.T) {
	for text, want := range map[string]string{
		"See `src/x.rs`.":                         "src/x.rs",
		"in src/a/b.rs:12-30, and ./c/d.go.":      "src/a/b.rs c/d.go",
		"`src/p.rs::is_on()` `src/s.rs:run()`":    "src/p.rs::is_on src/s.rs::run",
		"`run_all()` and `Type::method`":          "::run_all ::Type::method",
		"`handleScry` and `e5-base-v2` and `age`": "::handleScry",
		"`server.rs` but server.rs":               "server.rs",
		"[[CLAUDE.md]] [[session-2026]] [[b-x]]":  "CLAUDE.md",
		"[[commit-6AA7817e]] [[0dd3b9ca]]":        "@6aa7817e @0dd3b9ca",
		"[[deadbeef]] is a word":                  "",
		"commit 9a3bcd5d, not 9a3bcd5e":           "@9a3bcd5d",
		"`git add -p` `a == b` `*.go` `$HOME/x`":  "",
		"https://example.org/x.html":              "",
		"../secret.txt and /etc/passwd.conf":      "",
		"`x.go` `x.go` x/y.go `x/y.go`":           "x.go x/y.go",
		"```\n`src/x.rs`\n```\n`y_z()`":           "::y_z",
		"## Supports\n- [[simple.md]] and [[0dd3b9ca]] `f_g()`\n## Evidence\n- [[a.md]]": "simple.md @0dd3b9ca ::f_g a.md",
		"`MAX_ROWS` `README` `std::os::unix::net`":                                       "::MAX_ROWS ::std::os::unix::net",
	} {
		var got []string
		for _, c := range belief.Citations(text) {
			switch {
			case c.Commit != "":
				got = append(got, "@"+c.Commit)
			case c.Symbol != "":
				got = append(got, c.Path+"::"+c.Symbol)
			default:
				got = append(got, c.Path)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

// Ten megabytes of citations are bounded.
func TestCitationsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&b, "`src/file%d.rs` [[0dd3b9%d]] `name_%d()`\n", i, i, i)
	}
	if n := len(belief.Citations(b.String())); n != 500 {
		t.Errorf("%d citations", n)
	}
}

func FuzzCitations(f *testing.F) {
	f.Add("`src/x.rs::f()` [[commit-0dd3b9ca]] commit 0dd3b9ca\n```\n")
	f.Add("## Supports\n[[a|b]] `::` `()` `.` a/.b")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range belief.Citations(text) {
			if c.Line < 1 || c.Path == "" && c.Symbol == "" && c.Commit == "" || strings.HasPrefix(c.Path, "/") ||
				strings.Contains(c.Path, "..") {
				t.Fatalf("%q: %+v", text, c)
			}
		}
	})
}
