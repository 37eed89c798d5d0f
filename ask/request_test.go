package ask

import (
	"slices"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/store/doc"
)

// A time or an author limits a question to kinds with dates.
func TestNarrow(t *testing.T) {
	for _, c := range []struct {
		r    Request
		want string // the beginning of the error, or empty
		says doc.Kind
	}{
		{Request{}, "", ""},
		{Request{Since: "2024"}, "", doc.Session},
		{Request{Since: "2024", Author: "ann"}, "", doc.Commit},
		{Request{Since: "sometime"}, "read since: ", ""},
		{Request{Author: " "}, "author is blank", ""},
		{Request{Since: "2026", Until: "2025"}, `since "2026" is after until "2025"`, ""},
		{Request{Author: "ann", Kinds: []string{"code"}}, "author with content type code", ""},
		{Request{Until: "2024", Kinds: []string{"docs"}}, "until with content type ", ""},
	} {
		var q api.Request
		q.Filter.Kinds, _ = KindsNamed(c.r.Kinds)
		err := c.r.narrow(&q)
		switch {
		case c.want != "":
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %s…", c.r, err, c.want)
			}
		case err != nil:
			t.Errorf("%+v: %v", c.r, err)
		case c.says == "" && q.Filter.Kinds != nil, c.says != "" && !slices.Contains(q.Filter.Kinds, c.says),
			slices.Contains(q.Filter.Kinds, doc.Code):
			t.Errorf("%+v: kinds %v", c.r, q.Filter.Kinds)
		}
	}
}

func TestLineOf(t *testing.T) {
	for typed, want := range map[string]struct {
		path string
		line int
	}{
		"src/lock.go:12": {"src/lock.go", 12}, "src/lock.go:12:5": {"src/lock.go", 12},
		"src/lock.go:12-30": {"src/lock.go", 12},
		"src/lock.go":       {}, "src/lock.go:0": {}, ":12": {}, "lock-2": {}, "a:b:": {},
	} {
		path, line, ok := lineOf(typed)
		if ok != (want.line > 0) || ok && (path != want.path || line != want.line) {
			t.Errorf("%q: %q, %d, %v", typed, path, line, ok)
		}
	}
}

// "why do we use locks" is a question, and "why src/lock.go" asks for a file.
func TestLikeDocID(t *testing.T) {
	for word, want := range map[string]bool{
		"src/lock.go": true, "lock.go::Lock": true, "my lib/pool.py::take": true, "commit:0dd3b9ca8f21": true,
		"do": false, "what is a::b": false, "either/or is": false,
	} {
		if got := looksLikeDocID(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
