package train

import (
	"strings"
	"testing"
)

func TestMine(t *testing.T) {
	for _, test := range []struct{ path, text, want string }{
		{"lib/scan.go", `package lib

// Scan reads the next token.
// It returns false at the end.
func (s *Scanner) Scan() bool {
	if s.done {
		return false
	}
	// Shift what is left to the front.
	copy(s.buf, s.buf[s.start:])
	s.end -= s.start
	s.start = 0

	return s.split(s.buf)
}

func (s *Scanner) undocumented() string { return strings.ToUpper(s.name) }
`, `symbol Scan | Scan reads the next token. It returns false at the end. | func (s *Scanner) Scan() bool { if s.done {
remark | Shift what is left to the front. | copy(s.buf, s.buf[s.start:]) s.end -= s.start s.start = 0
symbol undocumented | | func (s *Scanner) undocumented() string { return`},
		{"lib/geometry.py", `def area(shape, unit=None):
    """Compute the area of a shape.

    In square metres.
    """
    total = 0
    # sum over all the triangles
    for t in shape.triangles:
        total += t.area
    return total
`, `symbol area | Compute the area of a shape. In square metres. | def area(shape, unit=None): total = 0 # sum over
remark | sum over all the triangles | for t in shape.triangles: total += t.area return total`},
		{"README.md", `# Wheels

## Mounting a tyre

Lift one side over the rim, put the tube in, and then lift the other side over the rim by hand.

## Short

No.
`, `section | Wheels > Mounting a tyre | Lift one side over the rim, put the tube in,`},
		{
			"lib/scan_test.go",
			"package lib\n\n// TestScan is a test of the scanner.\n" +
				"func TestScan(t *testing.T) { t.Fatal(scanner, scanner) }\n", "",
		},
		{
			"lib/old.go", "package lib\n\n// Copyright 2020 of somebody or other.\n" +
				"func Long(a, b, c, d int) int { return a + b + c + d }\n",
			"symbol Long | | func Long(a, b, c, d int) int",
		},
		{"data.json", "{\"a\": \"b\"}", ""},
		{"lib/binary.go", "package lib\x00\n\nfunc A() {}", ""},
	} {
		found, dropped := mine(test.path, []byte(test.text), nil)
		want := strings.Split(test.want, "\n")
		if test.want == "" {
			want = nil
		}
		if len(found) != len(want) || dropped != 0 {
			t.Errorf("%s: %d examples, want %d: %+v", test.path, len(found), len(want), found)
			continue
		}
		for i, e := range found {
			kind := [...]string{"symbol", "remark", "section"}[e.kind]
			got := strings.Join(strings.Fields(kind+" "+e.name+" | "+e.about+" | "+e.body), " ")
			if !strings.HasPrefix(got, want[i]) || e.path != test.path {
				t.Errorf("%s: got %q, want %q", test.path, got, want[i])
			}
		}
	}
}

func TestWithout(t *testing.T) {
	for _, test := range [][3]string{
		{"func Scan() { s.Scan(Scanner) }", "Scan", "func  () { s. (Scanner) }"},
		{"a", "", "a"},
		{"x += y", "+=", "x += y"},
	} {
		if got := without(test[0], test[1]); got != test[2] {
			t.Errorf("%q without %q: %q", test[0], test[1], got)
		}
	}
}

// Foreign text of any kind must not cause a panic, and examples must keep to their limits.
func FuzzMine(f *testing.F) {
	f.Add("a.go", "package a\n// A is one of them all.\nfunc A() {\n// b c d e\nx()\ny()\n}\n")
	f.Add("a.py", "def a():\n  '''It is a b c d e.'''\n  return 1\n")
	f.Add("a.md", "# A\n\ntext\n## B\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		found, _ := mine(name, []byte(text), nil)
		for _, e := range found {
			if len(e.body) > bodyBytes*2 || len(e.about) > aboutBytes {
				t.Errorf("%d and %d bytes", len(e.about), len(e.body))
			}
		}
	})
}
