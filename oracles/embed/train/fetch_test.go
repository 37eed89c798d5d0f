package train

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
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

// Without a mirror a source comes from its public address, once. In this test git maps the address
// to a local folder.
func TestShallowCopy(t *testing.T) {
	public, cache := t.TempDir(), t.TempDir()
	s := Source{Name: "some/wheels", Version: mirror(t, public, "some/wheels", map[string]string{
		"a/b.go": "package b\n", "c.go": "package c\n",
	})}
	if err := os.Rename(filepath.Join(public, "some+wheels", "repo"), filepath.Join(public, "wheels.git")); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(public, "config")
	rewrite := "[url \"file://" + public + "/\"]\n\tinsteadOf = https://github.com/some/\n"
	if err := os.WriteFile(config, []byte(rewrite), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	for range 2 {
		dir, err := repository(context.Background(), s, cache, "")
		if err != nil {
			t.Fatal(err)
		}
		keep := func(path string, _ int64) bool { return path != "c.go" }
		files, err := committed(context.Background(), dir, s.Version, keep)
		if err != nil || len(files) != 1 || files[0].path != "a/b.go" || string(files[0].text) != "package b\n" {
			t.Errorf("got %+v, error %v", files, err)
		}
		if err := os.RemoveAll(filepath.Join(public, "wheels.git")); err != nil {
			t.Fatal(err)
		}
	}
	_, err := repository(context.Background(), s, t.TempDir(), "")
	if err == nil || !strings.Contains(err.Error(), `fetch "some/wheels" at `+s.Version) {
		t.Errorf("a source that is gone: error %v", err)
	}
}
