package train

import (
	"bufio"
	"strings"
	"testing"
)

func TestReadBatch(t *testing.T) {
	for _, test := range []struct{ out, want, err string }{
		{"0a blob 3\nabc\n0b blob 0\n\n", "x=abc y=", ""},
		{"0a missing\n0b blob 2\n\n\n\n", "y=\n\n", ""},
		{"0a blob 3\nabc\n", "", `read "y": EOF`},
		{"0a blob 3\nab", "", `read "x": unexpected EOF`},
		{"0a blob many\n", "", `read "x": strconv`},
		{"fatal: no\n", "", `read "x": git says`},
		{"0a blob -1\nabc\n", "", `read "x"`},
		{"0a blob 99999999999\nabc\n", "", `read "x"`},
	} {
		files, err := readBatch(bufio.NewReader(strings.NewReader(test.out)), []string{"x", "y"})
		var got []string
		for _, f := range files {
			got = append(got, f.path+"="+string(f.text))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: got %q", test.out, got)
		}
		if (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: error %v, want %q", test.out, err, test.err)
		}
	}
}
