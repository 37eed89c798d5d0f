package store

import (
	"errors"
	"reflect"
	"testing"
)

var entries = []Entry{
	{Name: "T", Sort: Type, First: 1, Line: 3, Last: 9, Title: "type T struct", Summary: "T is one.", Parent: -1},
	{Name: "T.M#2", Sort: Method, First: 4, Line: 4, Last: 4, Parent: 0},
}

func TestBlobsRoundTrip(t *testing.T) {
	es, err := decodeEntries(encodeEntries(entries))
	if err != nil || !reflect.DeepEqual(es, entries) {
		t.Errorf("%+v, %v", es, err)
	}
	cs, err := decodeChunks(encodeChunks([]Chunk{{Entry: -1, First: 1, Last: 60}, {Entry: 1, First: 61, Last: 61}}))
	if err != nil || !reflect.DeepEqual(cs, []span{{-1, 1, 60}, {1, 61, 61}}) {
		t.Errorf("%+v, %v", cs, err)
	}
	said := fileFacts{
		[]string{"fmt", "m"},
		[]Binding{{"f", "fmt", ""}, {"a", "m", "b"}, {"c", "m", "c"}, {AllNames, "m", AllNames}, {"fs", "", "std::filesystem"}},
		[]Call{{-1, "f", 3}, {0, "x.F", 9}, {1, "f", 4}},
	}
	if got, err := decodeFacts(encodeFacts(said)); err != nil || !reflect.DeepEqual(got, said) {
		t.Errorf("%+v, %v", got, err)
	}
	ids, err := decodeIDs(encodeIDs([]int64{5, 1, 1 << 40}))
	if err != nil || !reflect.DeepEqual(ids, []int64{5, 1, 1 << 40}) {
		t.Errorf("%v, %v", ids, err)
	}
	gs, err := decodeGroups(encodeGroups([]group{{7, 3}, {2, 1}}))
	if err != nil || !reflect.DeepEqual(gs, []group{{7, 3}, {2, 1}}) {
		t.Errorf("%v, %v", gs, err)
	}
}

func TestBitmap(t *testing.T) {
	var m bitmap
	for _, k := range []int64{0, 7, 8, 5000} {
		m.set(k)
	}
	m.clear(7)
	m.clear(1 << 30)
	for k, want := range map[int64]bool{0: true, 7: false, 8: true, 9: false, 5000: true, 1 << 30: false} {
		if m.has(k) != want {
			t.Errorf("has(%d) = %v", k, !want)
		}
	}
	m.clear(5000)
	if got := m.trim(); len(got) != 2 {
		t.Errorf("trimmed to %d bytes", len(got))
	}
	if got := bitmap(nil).trim(); got == nil {
		t.Error("an empty set is NULL in the database")
	}
}

// Any bytes are decoded to something or to ErrDamaged: never a panic, never an allocation out of proportion.
func FuzzDecode(f *testing.F) {
	f.Add(encodeEntries(entries))
	f.Add(encodeChunks([]Chunk{{Entry: -1, First: 1, Last: 60}}))
	f.Add(encodeFacts(fileFacts{[]string{"fmt"}, []Binding{{"f", "fmt", ""}}, []Call{{-1, "f", 3}}}))
	f.Add(encodeGroups([]group{{7, 3}}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err1 := decodeEntries(b)
		_, err2 := decodeChunks(b)
		_, err3 := decodeFacts(b)
		_, err4 := decodeIDs(b)
		_, err5 := decodeGroups(b)
		for _, err := range []error{err1, err2, err3, err4, err5} {
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("%v", err)
			}
		}
	})
}
