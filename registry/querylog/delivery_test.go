package querylog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// read returns the ids of queries and the tools of deliveries since a time, in order.
func read(t testing.TB, l Log, since time.Time) string {
	t.Helper()
	var got []string
	err := l.Each(since, func(q Query) { got = append(got, q.ID) }, func(d Delivery) { got = append(got, d.Tool) })
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(got, " ")
}

func TestDeliveriesStandBesideQueries(t *testing.T) {
	l := at(filepath.Join(t.TempDir(), "queries"), noon)
	id := "q_260202120000_aaa"
	if err := l.Append(Query{ID: id, Time: noon}); err != nil {
		t.Fatal(err)
	}
	for _, d := range []Delivery{{Tool: "late", Query: id}, {Tool: "early", Time: noon.Add(-48 * time.Hour)}} {
		if err := l.Deliver(d); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, l, noon.Add(-72*time.Hour)); got != "early "+id+" late" {
		t.Errorf("the log has %q", got)
	}
	if got := read(t, l, noon.Add(-time.Hour)); got != id+" late" {
		t.Errorf("since an hour ago the log has %q", got)
	}
	// A delivery names the id of a query, but Find must not return it.
	if q, err := l.Find(id); err != nil || !q.Time.Equal(noon) {
		t.Errorf("found %v, %v", q, err)
	}
}

func FuzzEachPassesOverWhatIsNoEntry(f *testing.F) {
	f.Add([]byte(`{"delivered":2,"tool":"later"}` + "\n" + `{"id":"x","query":"no id"}`))
	f.Add([]byte(`{"delivered":1`))
	f.Add([]byte(strings.Repeat("x", 70_000) + "\n\x00"))
	f.Fuzz(func(t *testing.T, garbage []byte) {
		dir := t.TempDir()
		l := at(dir, noon)
		if err := os.WriteFile(l.fileOfDay(noon), garbage, fileMode); err != nil {
			t.Fatal(err)
		}
		if err := l.Deliver(Delivery{Tool: "mine"}); err != nil {
			t.Fatal(err)
		}
		if got := read(t, l, time.Time{}); !strings.HasSuffix(got, "mine") {
			t.Errorf("an entry after %q was lost: %q", garbage, got)
		}
	})
}

func TestLineThatIsTooLongIsPassedOver(t *testing.T) {
	l := at(t.TempDir(), noon)
	line := `{"delivered":1,"tool":"` + strings.Repeat("x", maxLine) + "\"}\n"
	if err := os.WriteFile(l.fileOfDay(noon), []byte(line), fileMode); err != nil {
		t.Fatal(err)
	}
	if err := l.Deliver(Delivery{Tool: "mine"}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, l, time.Time{}); got != "mine" {
		t.Errorf("read %.50q", got)
	}
}
