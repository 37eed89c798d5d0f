package embed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func wordsOf(text string) (out []string) {
	for word := range Words(text) {
		out = append(out, string(word))
	}
	return out
}

func TestWords(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"The quick brown-fox", "the quick brown fox"},
		{"HTTPServer", "http server"},
		{"parseURL", "parse url"},
		{"getHTTPResponseCode", "get http response code"},
		{"snake_case_name", "snake case name"},
		{"sha256 utf8 SHA256Sum", "sha256 utf8 sha256 sum"},
		{"Int8Table x86_64", "int8 table x86 64"},
		{"IDs A Ab ABc aB", "i ds a ab a bc a b"},
		{"utf8string 4x4", "utf8string 4x4"},
		{"port 12345 and 123456", "port 12345 and"},
		{"commit 2fecd92 of deadbeef12 decade", "commit 2fecd92 of decade"},
		{"a1b2c3d4", ""},
		{"abcdefghijklmnopqrstuvwx abcdefghijklmnopqrstuvwxy", "abcdefghijklmnopqrstuvwx"},
		{"abcdefghijklmnopqrstuvwxYZ", "abcdefghijklmnopqrstuvwx yz"},
		{"QWxhZGRpbjpvcGVuIHNlc2FtZTEyMzQ1Njc4OTA", ""},
		{"TestHTTPServerReadsUTF8AndSHA256Properly", "test http server reads utf8 and sha256 properly"},
		{"Größe ÄnderungsDatum", "größe änderungs datum"},
		{"ЧтениеФайла XMLФайл", "чтение файла xml файл"},
		{"読み込み file読む", "読 み 込 み file 読 む"},
		{"한국어 문서", "한국어 문서"},
		{"שלום עולם", "שלום עולם"},
		{"مرحبا", "مرحبا"},
		{"cafe\u0301 na\u00efve", "cafe\u0301 naïve"},
		{"a😀b €5 … “quoted”", "a b 5 quoted"},
		{"a\x00b\xff\xfec é\xffé", "a b c é é"},
		{"İstanbul", "istanbul"},
	} {
		if got := strings.Join(wordsOf(test.text), " "); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// slowWords is Words on runes, one rule after the other, without the rules for data.
func slowWords(text string) (out []string) {
	runes := []rune(text)
	class := func(i int) byte { return classOf(runes[i], utf8.RuneLen(runes[i])) }
	for i := 0; i < len(runes); {
		if class(i) == other {
			i++
			continue
		}
		j := i + 1
		for j < len(runes) && class(i) != wide {
			c, before := class(j), class(j-1)
			if c == other || c == wide || c == upper && before != upper {
				break
			}
			if c == lower && before == upper && j-2 >= i && class(j-2) == upper {
				j--
				break
			}
			j++
		}
		var word strings.Builder
		for _, r := range runes[i:j] {
			word.WriteRune(unicode.ToLower(r))
		}
		if word.Len() <= maxWord {
			out = append(out, word.String())
		}
		i = j
	}
	return out
}

func TestWordsAsOnRunes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, alphabet := range []string{"abXYz_ ", "abCD12 .", "éÀßжЖaB読1 ", "aABあ\u0301é"} {
		letters := []rune(alphabet)
		for range 5000 {
			var text strings.Builder
			for range random.IntN(40) {
				text.WriteRune(letters[random.IntN(len(letters))])
			}
			want := slices.DeleteFunc(slowWords(text.String()), func(w string) bool { return isData([]byte(w)) })
			got := wordsOf(text.String())
			if !slices.Equal(got, want) && !hasScrambledRun(text.String()) {
				t.Fatalf("%q: %q, want %q", text.String(), got, want)
			}
		}
	}
}

func hasScrambledRun(text string) bool {
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return classOf(r, utf8.RuneLen(r)) == other }) {
		if len(run) >= hashRun && isScrambled(run) {
			return true
		}
	}
	return false
}

func FuzzWords(f *testing.F) {
	f.Add("HTTPServer\x00読み é")
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range wordsOf(text) {
			if w == "" || len(w) > maxWord || !utf8.ValidString(w) || strings.ContainsAny(w, " _./ABCXYZ") {
				t.Fatalf("%q gives %q", text, w)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	const line = "func (s *splitter) HTTPServer(at int) { return s.word[:n] } // the sha256 of what is left\n"
	text := strings.Repeat(line, 100)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for range Words(text) {
		}
	}
}
