package tokenize

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// sampleFiles are one tokenizer.json of each kind, without public files.
func sampleFiles(t testing.TB) map[string]map[string]string {
	bpe := `{"added_tokens": [{"id": 0, "content": "<s>"}, {"id": 2, "content": "</s>"}, {"id": 9, "content": "<mask>", "lstrip": true}],
		"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
		"post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": true, "add_prefix_space": false},
		"model": {"type": "BPE", "unk_token": "<unk>", "vocab": {"<s>": 0, "<unk>": 1, "</s>": 2, "a": 3, "b": 4, "Ġ": 5, "aa": 6, "aaaa": 7, "Ġa": 8},
			"merges": ["a a", "aa aa", "Ġ a"]}}`
	return map[string]map[string]string{
		"WordPiece": {"vocab.txt": tiny},
		"BPE":       {"tokenizer.json": bpe},
		"Unigram":   {"tokenizer.json": xlmFile(t)},
	}
}

// hostileTexts are texts that have made tokenizers slow, or have ended them.
var hostileTexts = []string{
	strings.Repeat("a", mostText),
	strings.Repeat("ab", 1<<15),
	strings.Repeat(" ", 1<<16),
	strings.Repeat("\n ", 1<<15),
	strings.Repeat("é", 1<<16),
	strings.Repeat("e\u0301", 1<<15),
	"e" + strings.Repeat("\u0301", 1<<15),
	strings.Repeat("\u200d", 1<<15),
	strings.Repeat("ﷺ", 1<<15),
	strings.Repeat("\xff", 1<<16),
	strings.Repeat("\xe2\x80", 1<<15),
	strings.Repeat("\x00", 1<<16),
	strings.Repeat("[MASK]", 1<<15),
	strings.Repeat("<mask> ", 1<<15),
	strings.Repeat("'ll", 1<<15),
	strings.Repeat("<", 1<<16),
	strings.Repeat("[", 1<<16) + "MASK]",
	"\xed\xa0\x80 \xf4\x90\x80\x80 \xc0\x80 \ufffe \U0010ffff",
}

// Each text ends, in time proportional to its length, with ids between the special tokens.
func TestHostileTexts(t *testing.T) {
	for kind, files := range sampleFiles(t) {
		tok := loadFrom(t, files)
		for i, text := range hostileTexts {
			all := tok.Encode(text, 1<<30)
			checkIDs(t, tok, all, 1<<30)
			for _, most := range []int{0, 1, 2, 3, 512} {
				ids := tok.Encode(text, most)
				checkIDs(t, tok, ids, most)
				if n := len(ids); most > 2 && (n != min(most, len(all)) || !slices.Equal(ids[:n-1], all[:n-1])) {
					t.Errorf("%s: text %d with %d tokens is not the beginning of the whole", kind, i, most)
				}
			}
		}
	}
}

// checkIDs fails unless ids lie between the special tokens and are not more than most.
func checkIDs(t testing.TB, tok *Tokenizer, ids []int64, most int) {
	t.Helper()
	around := len(tok.before) + len(tok.after)
	if most > 0 && len(ids) > max(most, around) || len(ids) < around {
		t.Fatalf("%d ids of %d", len(ids), most)
	}
	if !slices.Equal(ids[:len(tok.before)], tok.before) || !slices.Equal(ids[len(ids)-len(tok.after):], tok.after) {
		t.Fatalf("the special tokens are missing in %v", ids[:min(len(ids), 9)])
	}
	if slices.Min(append(ids, 0)) < 0 {
		t.Fatal("a negative id")
	}
}

// Bytes that are no UTF-8 count as U+FFFD, and no text is read past the first MiB.
func TestBytes(t *testing.T) {
	tok := loadFrom(t, sampleFiles(t)["Unigram"])
	if got, want := tok.Encode("a\xff b\xe2\x82", 0), tok.Encode("a\ufffd b\ufffd", 0); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	long := strings.Repeat("a ", mostText/2)
	if got, want := tok.Encode(long+"b b b", 1<<30), tok.Encode(long, 1<<30); !slices.Equal(got, want) {
		t.Errorf("%d and %d ids", len(got), len(want))
	}
	for n := range 9 {
		if got := cutText("aé日\U0001F4A9", n); !utf8.ValidString(got) || len(got) > n || !strings.HasPrefix("aé日\U0001F4A9", got) {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}

// A step that lets texts grow cannot let them grow without bound.
func TestGrowth(t *testing.T) {
	step := `{"type": "Replace", "pattern": {"String": "a"}, "content": "` + strings.Repeat("a", 64) + `"}`
	raw := `{"type": "Sequence", "normalizers": [` + strings.Repeat(step+",", 3) + step + "]}"
	if got := normalizerOf(t, raw)("a"); len(got) != mostText {
		t.Errorf("%d bytes", len(got))
	}
	if _, err := parseNormalizer([]byte(`{"type": "Sequence", "normalizers": [`+strings.Repeat(step+",", mostSteps)+step+"]}"), 0); err == nil {
		t.Error("no bound of steps")
	}
	step = `{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": false}`
	split, err := parsePreTokenizer([]byte(`{"type": "Sequence", "pretokenizers": [`+strings.Repeat(step+",", mostSteps-1)+step+"]}"), 0)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, w := range split([]word{{"é", true}, {"é", false}}) {
		sum += len(w.text)
	}
	if sum < mostSpelled-4 || sum > mostSpelled {
		t.Errorf("%d bytes", sum)
	}
}

func TestGoroutines(t *testing.T) {
	for kind, files := range sampleFiles(t) {
		tok := loadFrom(t, files)
		texts := []string{"hello aaaa ab", "aaaaaaaaaa b", "b\na", "", "<mask>a"}
		var all sync.WaitGroup
		for _, text := range texts {
			want := tok.Encode(text, 0)
			for range 4 {
				all.Go(func() {
					for range 100 {
						if got := tok.Encode(text, 0); !slices.Equal(got, want) {
							t.Errorf("%s: %q is %v, and was %v", kind, text, got, want)
						}
					}
				})
			}
		}
		all.Wait()
	}
}
