package printable

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// ignorable is Default_Ignorable_Code_Point from Unicode's DerivedCoreProperties.txt (15.0).
var ignorable = [][2]rune{
	{0xad, 0xad},
	{0x34f, 0x34f},
	{0x61c, 0x61c},
	{0x115f, 0x1160},
	{0x17b4, 0x17b5},
	{0x180b, 0x180f},
	{0x200b, 0x200f},
	{0x202a, 0x202e},
	{0x2060, 0x206f},
	{0x3164, 0x3164},
	{0xfe00, 0xfe0f},
	{0xfeff, 0xfeff},
	{0xffa0, 0xffa0},
	{0xfff0, 0xfff8},
	{0x1bca0, 0x1bca3},
	{0x1d173, 0x1d17a},
	{0xe0000, 0xe0fff},
}

// A character must be hidden if Unicode lets a program ignore it, if it changes the direction, or
// if it looks blank. Every other character that Go prints must not be hidden.
func TestHiddenIsWhatUnicodeSays(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := !unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r) ||
			strings.ContainsRune("\u2800\U00013441\U00013442\U0001D159", r)
		for _, span := range ignorable {
			want = want || r >= span[0] && r <= span[1]
		}
		if got := IsHidden(r); got != want {
			t.Errorf("IsHidden(%U) = %v", r, got)
		}
	}
}

// A kept sequence must be an emoji in Unicode, or writing that needs a joiner.
func TestLen(t *testing.T) {
	for _, c := range []struct {
		text string
		want int // bytes
	}{
		{"", 0},
		{"ab", 1},
		{"é", 2},
		{"\u200b", 0},
		{"\xff", 0},
		{"a\u200d", 1},       // a letter that does not join
		{"a\ufe0f", 1},       // not a picture
		{"葛\U000e0100", 3},   // a form of a letter, which may also be a hidden byte
		{"می\u200cخواهم", 2}, // the first letter
		{"ی\u200cخواهم", 5},
		{"ی\u200c\u200c", 5}, // one joiner
		{"क्\u200d", 3},
		{"्\u200dष", 6},
		{"👩", 4},
		{"👩\u200d💻!", 11},
		{"👩🏽\u200d🚀", 15},
		{"👨\u200d👩\u200d👧\u200d👦", 25},
		{"❤\ufe0f\u200d🔥", 13},
		{"🏳\ufe0f\u200d🌈", 14},
		{"1\ufe0f\u20e3", 7},
		{"1\ufe0f", 1},
		{"©\ufe0e", 5},
		{"❤\ufe0f\ufe0f", 6},
		{"👩\u200dx", 4},
		{"👩\u200d\u200d💻", 4},
		{"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", 28},
		{"🏴\U000E0067\U000E0062\U000E007F", 4}, // not a flag in use
		{"🇩🇪", 4},
		{strings.Repeat("👩\u200d", 20) + "👩", 8*4 + 7*3},
	} {
		if got := Len(c.text); got != c.want {
			t.Errorf("Len(%+q) = %d, want %d", c.text, got, c.want)
		}
	}
}

// Texts are written in runs of ASCII, which must give the same result as single characters.
func TestASCIIIsReadByItself(t *testing.T) {
	for _, s := range []string{
		"", "a", "a b", "1\ufe0f\u20e3", "ab1\ufe0f\u20e3 c", "a\x7fb", "a\tb", "é", "aé", "\xff", "a\xff", "x\u200b",
	} {
		n := ASCII(s)
		for i := range n {
			if got := Len(s[i:]); got != 1 {
				t.Errorf("%q: Len is %d at byte %d of %d of ASCII", s, got, i, n)
			}
		}
		if n == 0 && len(s) > 1 && s[0] >= ' ' && s[0] < 0x7f && s[1] < 0x80 {
			t.Errorf("%q begins with no ASCII", s)
		}
	}
}

func TestAll(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "plain": true, "👩\u200d💻 ok": true, "می\u200cخواهم": true, "क्\u200dष": true,
		"pass\u200dword": false, "a\ufe01": false, "x\u3164": false, "\u2800": false, "line\n": false,
		"a\U000e0041": false,
	} {
		if got := All(text); got != want {
			t.Errorf("All(%+q) = %v", text, got)
		}
	}
}

// JSON keeps every value, and its result is visible.
func FuzzJSON(f *testing.F) {
	f.Add("plain 👩\u200d💻")
	f.Add("\u200b\ufe0f\U000e0100\u115f\u2800\x00")
	f.Fuzz(func(t *testing.T, s string) {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		shown := JSON(string(text))
		if !All(shown) {
			t.Fatalf("%+q", shown)
		}
		var before, after string
		if json.Unmarshal(text, &before) != nil || json.Unmarshal([]byte(shown), &after) != nil || before != after {
			t.Fatalf("%+q became %+q", before, after)
		}
	})
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[": `\x1b`, "\xff": `\xff`, "\u200bx": `\u200b`, "\U000e0041": `\U000e0041`,
	} {
		var b strings.Builder
		if n := Escape(&b, text); b.String() != want || n < 1 || n > utf8.UTFMax {
			t.Errorf("%+q: %q, %d bytes", text, b.String(), n)
		}
	}
}

// The pictures must be those of perl, if there is a perl with this property.
func TestPicturesAreThoseOfPerl(t *testing.T) {
	const script = `for (0x80..0x1ffff) {
		print "$_\n" if ($_ < 0xd800 || $_ > 0xdfff) && chr($_) =~ /\p{Extended_Pictographic}/
	}`
	out, err := exec.Command("perl", "-e", script).Output()
	if err != nil {
		t.Skip("no perl that knows Extended_Pictographic")
	}
	var got strings.Builder
	for r := rune(0x80); r <= 0x1ffff; r++ {
		if unicode.Is(pictures, r) {
			fmt.Fprintln(&got, r)
		}
	}
	if got.String() != string(out) {
		t.Error("the table of pictures is not Unicode's")
	}
}
