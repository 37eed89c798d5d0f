package embed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slowEncode tries every piece at every place.
func slowEncode(pieces []string, word string) []uint16 {
	var out []uint16
	for at := 0; at < len(word); {
		best, size := 0, 0
		for id, piece := range pieces[1:] {
			text, continued := strings.CutPrefix(piece, Continued)
			if continued == (at > 0) && strings.HasPrefix(word[at:], text) && len(text) > size {
				best, size = id+1, len(text)
			}
		}
		if size == 0 {
			return []uint16{0}
		}
		out = append(out, uint16(best))
		at += size
	}
	return out
}

func TestEncodeIsGreedy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	text := func(alphabet string, longest int) string {
		var b strings.Builder
		for range 1 + random.IntN(longest) {
			b.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	for range 200 {
		pieces := []string{Unknown}
		for range 1 + random.IntN(60) {
			piece := text("abc", 5)
			if random.IntN(2) == 0 {
				piece = Continued + piece
			}
			if !slices.Contains(pieces, piece) {
				pieces = append(pieces, piece)
			}
		}
		v, err := NewVocabulary(pieces)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			word := text("abcd", 12)
			if got, want := v.Encode(nil, []byte(word)), slowEncode(pieces, word); !slices.Equal(got, want) {
				t.Fatalf("%q with %q: %d, want %d", word, pieces, got, want)
			}
		}
	}
}

func TestEncodeAppends(t *testing.T) {
	v, err := NewVocabulary([]string{Unknown, "a", "##b", "##bc"})
	if err != nil {
		t.Fatal(err)
	}
	ids := v.Encode(nil, []byte("abbc"))
	ids = v.Encode(ids, []byte("abx"))
	ids = v.Encode(ids, []byte("a"))
	if want := []uint16{1, 2, 3, 0, 1}; !slices.Equal(ids, want) {
		t.Errorf("%d, want %d", ids, want)
	}
}

func TestVocabularyIsChecked(t *testing.T) {
	many := make([]string, MaxPieces+1)
	for _, test := range []struct {
		pieces []string
		want   string
	}{
		{nil, "0 pieces"},
		{many, "16385 pieces"},
		{[]string{"a"}, `first piece is "a"`},
		{[]string{Unknown, "a", "##a", "a"}, `"a" is there twice`},
		{[]string{Unknown, ""}, "empty piece"},
		{[]string{Unknown, "##"}, "empty piece"},
		{[]string{Unknown, strings.Repeat("x", 256)}, "256 bytes"},
	} {
		if _, err := NewVocabulary(test.pieces); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40q: %v, want %q", test.pieces, err, test.want)
		}
	}
}
