package xref_test

import (
	"slices"
	"testing"
)

// A receiver of another type than the only one with the method must not be certain.
func TestReceivers(t *testing.T) {
	goStore := tiny{path: "db/store.go", defines: []string{"type Store: type Store struct", "method Store.Delete2: func (s *Store) Delete2()", "function New: func New() (*Store, error)", "variable shared: var shared = sync.Map{}"}, typed: ""}
	for _, c := range []struct {
		name      string
		manifests map[string]string
		from      tiny
		others    []tiny
		want      []string
	}{
		{
			"what a function of Go returns", app,
			tiny{
				path: "db/store_test.go", defines: []string{"function f: func f()"}, typed: "f a New(), f b sync.Pool, f c =b, f d other.New(), f _.Delete2 New()",
				imports: "sync y.org/other",
				calls:   []string{"f: a.Delete2", "f: b.Delete2", "f: c.Delete2", "f: d.Delete2", "f: _.Delete2", "f: shared.Delete2"}, testFile: true,
			},
			[]tiny{goStore},
			[]string{
				"db/store.go::Store.Delete2 (declared type)", "? db/store.go::Store.Delete2 (declared type is another)", "? db/store.go::Store.Delete2 (declared type is another)",
				"? db/store.go::Store.Delete2 (type of the receiver not followed)", "db/store.go::Store.Delete2 (declared type)", "? db/store.go::Store.Delete2 (declared type is another)",
			},
		},
		{
			"fields of Go, embedded ones and those of another package", app,
			tiny{
				path: "web/w.go", imports: "x.org/app/db sync", defines: []string{"type Web: type Web struct", "method Web.f: func (w *Web) f()", "type In: type In struct"},
				typed: "Web st db.Store, Web mu sync.Map, In . db.Store, Web.f in In, Web in2 In",
				calls: []string{"Web.f: w.st.Delete2", "Web.f: w.mu.Delete2", "Web.f: in.Delete2", "Web.f: w.in2.Delete2"},
			},
			[]tiny{goStore},
			[]string{
				"db/store.go::Store.Delete2 (declared type)", "? db/store.go::Store.Delete2 (declared type is another)",
				"db/store.go::Store.Delete2 (base of the declared type)", "db/store.go::Store.Delete2 (base of the declared type)",
			},
		},
	} {
		got := edges(t, c.manifests, append([]tiny{c.from}, c.others...))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
