package embed

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"
	"testing"
)

func TestTableRoundTrip(t *testing.T) {
	table := standIn()
	read, err := ReadTable(bytes.Clone(table.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if read.Model() != table.Model() || read.Dimension() != 256 {
		t.Errorf("read back %s, written %s", read.Model(), table.Model())
	}
	a, b := make([]float32, 256), make([]float32, 256)
	for id := range uint16(table.words.Len()) {
		table.Row(a, id)
		read.Row(b, id)
		if read.words.Piece(id) != table.words.Piece(id) || innerProduct(a, a) != innerProduct(b, b) {
			t.Fatalf("piece %d was %q, is %q", id, table.words.Piece(id), read.words.Piece(id))
		}
	}
}

// seal corrects the checksum.
func seal(data []byte) []byte {
	end := len(data) - 4
	binary.LittleEndian.PutUint32(data[end:], crc32.Checksum(data[:end], castagnoli))
	return data
}

func TestBadTables(t *testing.T) {
	words, err := NewVocabulary([]string{Unknown, "a", "##b"})
	if err != nil {
		t.Fatal(err)
	}
	good := NewTrainer(3, 64, 1).Quantise(words).Bytes()
	change := func(at int, b ...byte) []byte {
		data := bytes.Clone(good)
		copy(data[at:], b)
		return data
	}
	scales := headerSize + 3*64
	nan := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a table"},
		{"foreign", []byte(strings.Repeat("SQLite format 3\x00", 20)), "not a table"},
		{"other version", change(8, 2), "format version 2, want 1"},
		{"no dimension", change(12, 0), "dimension 0"},
		{"odd dimension", change(12, 65), "dimension 65"},
		{"huge dimension", change(12, 0, 0, 0, 0x80), "impossible size"},
		{"no pieces", change(16, 0), "impossible size"},
		{"huge texts", change(20, 0xff, 0xff, 0xff, 0xff), "impossible size"},
		{"longer texts", change(20, 10), "bytes, want"},
		{"truncated header", good[:40], "not a table"},
		{"truncated", good[:len(good)-1], "bytes, want"},
		{"grown", append(bytes.Clone(good), 0), "bytes, want"},
		{"flipped bit", change(100, good[100]^1), "checksum"},
		{"scale not a number", seal(change(scales, nan...)), "scale NaN of piece 0"},
		{"negative scale", seal(change(scales+4, 0, 0, 0x80, 0xbf)), "scale -1 of piece 1"},
		{"texts too long", seal(change(scales+12, 200)), "cut off"},
		{"texts too short", seal(change(scales+12, 4)), "behind the texts"},
		{"unknown not first", seal(change(scales+15, 'x')), "first piece"},
	} {
		_, err := ReadTable(test.data)
		if err == nil || !strings.HasPrefix(err.Error(), "read table of vectors: ") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// A table that is read without an error must be usable without a panic.
func FuzzReadTable(f *testing.F) {
	words, err := NewVocabulary([]string{Unknown, "a", "##b"})
	if err != nil {
		f.Fatal(err)
	}
	good := NewTrainer(3, 64, 1).Quantise(words).Bytes()
	f.Add(good)
	f.Add(good[:70])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= headerSize {
			data = seal(bytes.Clone(data))
		}
		table, err := ReadTable(data)
		if err != nil {
			return
		}
		m := New(table)
		for _, text := range []string{"ab", "a b", ""} {
			checkVector(t, m, text)
		}
	})
}
