package format

import (
	"errors"
	"reflect"
	"testing"

	"patina/store/doc"
)

var entries = []doc.Entry{
	{Name: "T", Sort: doc.Type, First: 1, Line: 3, Last: 9, Title: "type T struct", Summary: "T is one.", Parent: -1},
	{Name: "T.M#2", Sort: doc.Method, First: 4, Line: 4, Last: 4, Parent: 0},
}

func TestBlobsRoundTrip(t *testing.T) {
	es, err := DecodeEntries(EncodeEntries(entries))
	if err != nil || !reflect.DeepEqual(es, entries) {
		t.Errorf("%+v, %v", es, err)
	}
	cs, err := DecodeChunks(EncodeChunks([]doc.Chunk{{Entry: -1, First: 1, Last: 60}, {Entry: 1, First: 61, Last: 61}}))
	if err != nil || !reflect.DeepEqual(cs, []doc.Span{{Entry: -1, First: 1, Last: 60}, {Entry: 1, First: 61, Last: 61}}) {
		t.Errorf("%+v, %v", cs, err)
	}
	said := FileFacts{
		[]string{"fmt", "m"},
		[]doc.Binding{{Name: "f", Import: "fmt", Of: ""}, {Name: "a", Import: "m", Of: "b"}, {Name: "c", Import: "m", Of: "c"}, {Name: doc.AllNames, Import: "m", Of: doc.AllNames}, {Name: "fs", Import: "", Of: "std::filesystem"}},
		[]doc.Call{{Caller: -1, Name: "f", Line: 3}, {Caller: 0, Name: "x.F", Line: 9}, {Caller: 1, Name: "f", Line: 4}},
		[]doc.Typed{{Entry: -1, Name: "r", Type: "io.Reader"}, {Entry: 2, Name: "w", Type: "io.Writer"}, {Entry: 2, Name: "r", Type: "io.Reader"}},
	}
	if got, err := DecodeFacts(EncodeFacts(said)); err != nil || !reflect.DeepEqual(got, said) {
		t.Errorf("%+v, %v", got, err)
	}
	ids, err := DecodeIDs(EncodeIDs([]int64{5, 1, 1 << 40}))
	if err != nil || !reflect.DeepEqual(ids, []int64{5, 1, 1 << 40}) {
		t.Errorf("%v, %v", ids, err)
	}
	gs, err := DecodeGroups(EncodeGroups([]Group{{7, 3}, {2, 1}}))
	if err != nil || !reflect.DeepEqual(gs, []Group{{7, 3}, {2, 1}}) {
		t.Errorf("%v, %v", gs, err)
	}
}

// A row is decoded alike in new memory and in another row's. Clones outlive the blob.
func TestEntryScratch(t *testing.T) {
	var scratch EntryScratch
	for _, want := range [][]doc.Entry{entries, {{Name: "x", First: 2, Line: 2, Last: 2}}, {}, entries[1:]} {
		blob := EncodeEntries(want)
		es, err := scratch.Decode(blob)
		if err != nil || len(es) != len(want) {
			t.Fatalf("%+v, %v", es, err)
		}
		for i := range es {
			es[i] = es[i].Clone()
		}
		clear(blob)
		for i := range es {
			if es[i] != want[i] {
				t.Errorf("%+v, want %+v", es[i], want[i])
			}
		}
	}
	if _, err := scratch.Decode([]byte("no entries")); !errors.Is(err, doc.ErrDamaged) {
		t.Errorf("no entries: %v", err)
	}
}

func TestBitmap(t *testing.T) {
	var m doc.Bitmap
	for _, k := range []int64{0, 7, 8, 5000} {
		m.Set(k)
	}
	m.Clear(7)
	m.Clear(1 << 30)
	for k, want := range map[int64]bool{0: true, 7: false, 8: true, 9: false, 5000: true, 1 << 30: false} {
		if m.Has(k) != want {
			t.Errorf("has(%d) = %v", k, !want)
		}
	}
	m.Clear(5000)
	if got := m.Trim(); len(got) != 2 {
		t.Errorf("trimmed to %d bytes", len(got))
	}
	if got := doc.Bitmap(nil).Trim(); got == nil {
		t.Error("an empty set is NULL in the database")
	}
}

// Any bytes decode to something or to ErrDamaged, never to a panic or an oversized allocation.
func FuzzDecode(f *testing.F) {
	f.Add(EncodeEntries(entries))
	f.Add(EncodeChunks([]doc.Chunk{{Entry: -1, First: 1, Last: 60}}))
	f.Add(EncodeFacts(FileFacts{[]string{"fmt"}, []doc.Binding{{Name: "f", Import: "fmt", Of: ""}}, []doc.Call{{Caller: -1, Name: "f", Line: 3}}, []doc.Typed{{Entry: -1, Name: "r", Type: "io.Reader"}}}))
	f.Add(EncodeGroups([]Group{{7, 3}}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err1 := DecodeEntries(b)
		_, err2 := DecodeChunks(b)
		_, err3 := DecodeFacts(b)
		_, err4 := DecodeIDs(b)
		_, err5 := DecodeGroups(b)
		for _, err := range []error{err1, err2, err3, err4, err5} {
			if err != nil && !errors.Is(err, doc.ErrDamaged) {
				t.Errorf("%v", err)
			}
		}
	})
}
