package content

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/scrape/scrapetest"
)

func TestRead(t *testing.T) {
	long := strings.Repeat("a;", 3000)
	for _, c := range []struct{ name, raw, text, reason string }{
		{"a.txt", "", "", ""},
		{"a.txt", "plain\n", "plain\n", ""},
		{"a.txt", "\xEF\xBB\xBFmark", "mark", ""},
		{"a.txt", "\xFF\xFEh\x00i\x00", "hi", ""},
		{"a.txt", "\xFE\xFF\x00h\x00i", "hi", ""},
		{"a.txt", "caf\xE9", "café", ""},
		{"a.txt", strings.Repeat("x", sniffed) + "\x00y", strings.Repeat("x", sniffed) + " y", ""},
		{"a.txt", "a\x00b", "", Binary},
		{"a.txt", "\xFF\xFE\x00\x00", "", Binary},
		{"a.PNG", "text", "", Binary},
		{"a.min.js", "x", "", minified},
		{"a.js", long, "", minified},
		{"a.js", long + strings.Repeat("\n", 100), long + strings.Repeat("\n", 100), ""},
		{"a.json", long, long, ""},
		{"a.txt", strings.Repeat("x", 20001), "", TooLarge},
		{"a.bin.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "", lfsPointer},
	} {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, c.name), []byte(c.raw), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := readFile(scrapetest.Open(t, root), c.name, 0, 20000)
		var s Skip
		errors.As(err, &s)
		if string(got.Text) != c.text || s.Reason != c.reason || (err != nil) != (c.reason != "") {
			t.Errorf("%s %.20q: got %.20q, %v; want %.20q, %q", c.name, c.raw, got.Text, err, c.text, c.reason)
		}
	}
}

func TestReadNoLink(t *testing.T) {
	root := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "a")); err != nil {
		t.Skip(err)
	}
	if _, err := readFile(scrapetest.Open(t, root), "a", 0, 1<<20); !errors.Is(err, Skip{Unreadable}) {
		t.Errorf("read of a symbolic link: %v", err)
	}
}
