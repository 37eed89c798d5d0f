package text

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomPostings returns postings with ascending chunks, all below the returned number.
func randomPostings(r *rand.Rand) (ps []Posting, chunks uint32) {
	gap := 1 + r.Uint32N(1<<r.UintN(20))
	for range r.IntN(200) {
		chunks += r.Uint32N(gap)
		ps = append(ps, Posting{chunks, uint8(1 + r.UintN(255))})
		chunks++
	}
	return ps, chunks
}

func TestListRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		ps, chunks := randomPostings(r)
		prefix := []byte("kept")
		list, ok := bytes.CutPrefix(EncodeList(ps, prefix), prefix)
		if !ok {
			t.Fatal("EncodeList does not append")
		}
		before := []Posting{{7, 7}}
		got, err := DecodeList(list, len(ps), chunks, before)
		if err != nil || !slices.Equal(got[1:], ps) || got[0] != before[0] {
			t.Fatalf("decoded %v, %v; want %v", got, err, ps)
		}
		some := []uint32{}
		var want []uint32
		for c := range min(chunks, 1000) {
			if r.IntN(2) == 0 {
				some = append(some, c)
				if slices.ContainsFunc(ps, func(p Posting) bool { return p.Chunk == c }) {
					want = append(want, c)
				}
			}
		}
		if kept, err := Keep(list, len(ps), some); err != nil || !slices.Equal(kept, want) {
			t.Fatalf("kept %v, %v; want %v", kept, err, want)
		}
		acc, dirty := make([]float32, chunks+1), make([]uint8, chunks/64+1)
		if err := Accumulate(list, len(ps), chunks, 2, acc, dirty); err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			if want := 2 * float64(p.Impact) / 255; math.Abs(float64(acc[p.Chunk])-want) > 1e-6 ||
				dirty[p.Chunk/64] != 1 {
				t.Fatalf("accumulated %v at %v, want %v", acc[p.Chunk], p, want)
			}
		}
	}
}

func TestListEnds(t *testing.T) {
	ps := []Posting{{0, 1}, {math.MaxUint32 - 1, 255}}
	list := EncodeList(ps, nil)
	got, err := DecodeList(list, 2, math.MaxUint32, nil)
	if err != nil || !slices.Equal(got, ps) {
		t.Fatalf("decoded %v, %v", got, err)
	}
	if _, err := DecodeList(list, 2, math.MaxUint32-1, nil); !errors.Is(err, ErrDamaged) {
		t.Fatalf("chunk beyond the last one: %v", err)
	}
}

// damaged fails the test unless both readers refuse a list and Accumulate adds nothing.
func damaged(t *testing.T, what string, list []byte, n int, chunks uint32) {
	t.Helper()
	before := []Posting{{1, 1}}
	if got, err := DecodeList(list, n, chunks, before); !errors.Is(err, ErrDamaged) || len(got) != 1 {
		t.Fatalf("%s: decoded %v, %v", what, got, err)
	}
	acc, dirty := make([]float32, chunks), make([]uint8, chunks/64+1)
	if err := Accumulate(list, n, chunks, 1, acc, dirty); !errors.Is(err, ErrDamaged) {
		t.Fatalf("%s: accumulated: %v", what, err)
	}
}

func TestEveryFlippedBitIsNoticed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		ps, chunks := randomPostings(r)
		list := EncodeList(ps, nil)
		for i := range 8 * len(list) {
			list[i/8] ^= 1 << (i % 8)
			damaged(t, "flipped bit", list, len(ps), min(chunks, 1<<16))
			list[i/8] ^= 1 << (i % 8)
		}
		for cut := range list {
			damaged(t, "cut", list[:cut], len(ps), min(chunks, 1<<16))
		}
	}
}

func TestWrongListsWithRightChecksum(t *testing.T) {
	for what, pairs := range map[string][]byte{
		"no impact":      {1, 9, 1},
		"impact 0":       {1, 9, 1, 0},
		"chunk twice":    {1, 9, 0, 9},
		"too many":       {1, 9, 1, 9, 1, 9},
		"too few":        {1, 9},
		"chunk too high": {1, 9, 99, 9},
		"cut varint":     {1, 9, 0x80, 0x80},
		"long varint":    {1, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"wraps":          {5, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 9},
	} {
		list := binary.LittleEndian.AppendUint32(pairs, crc32.Checksum(pairs, castagnoli))
		damaged(t, what, list, 2, 100)
	}
	list := EncodeList([]Posting{{1, 1}}, nil)
	for _, n := range []int{-1, 0, 2, math.MaxInt} {
		damaged(t, "wrong n", list, n, 100)
	}
	damaged(t, "nothing", nil, 0, 100)
}

func FuzzList(f *testing.F) {
	f.Add(EncodeList([]Posting{{0, 1}, {300, 255}}, nil), 2, uint16(301), false)
	f.Add([]byte{1, 9, 0x80, 0x80}, 2, uint16(5), true)
	f.Fuzz(func(t *testing.T, list []byte, n int, chunks uint16, sum bool) {
		if sum { // past the checksum, to the bounds
			list = binary.LittleEndian.AppendUint32(slices.Clone(list), crc32.Checksum(list, castagnoli))
		}
		ps, err := DecodeList(list, n, uint32(chunks), nil)
		acc, dirty := make([]float32, chunks), make([]uint8, (int(chunks)+63)/64)
		if err2 := Accumulate(list, n, uint32(chunks), 1, acc, dirty); (err == nil) != (err2 == nil) {
			t.Fatalf("DecodeList: %v, Accumulate: %v", err, err2)
		}
		if err != nil {
			return
		}
		for _, p := range ps {
			if acc[p.Chunk] != float32(p.Impact)*(float32(1)/255) || dirty[p.Chunk/64] != 1 {
				t.Fatalf("%v accumulated as %v", p, acc[p.Chunk])
			}
			acc[p.Chunk] = 0
		}
		for c, v := range acc {
			if v != 0 {
				t.Fatalf("chunk %d accumulated and not decoded", c)
			}
		}
	})
}
