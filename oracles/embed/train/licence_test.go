package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func licenceText(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestDetect(t *testing.T) {
	mit, gpl := licenceText(t, "mit"), licenceText(t, "gpl-notice")
	for _, test := range []struct {
		name  string
		files map[string][]byte
		want  string // the licence, or a part of the error
		ok    bool
	}{
		{"MIT", map[string][]byte{"LICENSE": mit}, "MIT", true},
		{"two files", map[string][]byte{"LICENSE-MIT": mit, "LICENSE.txt": mit}, "MIT", true},
		{"none", nil, "no licence file", false},
		{"nothing known", map[string][]byte{
			"LICENSE": []byte("All rights are mine, all mine, for ever."),
		}, "no licence recognised", false},
		{"copyleft", map[string][]byte{"COPYING": gpl}, "GPL", false},
		{"one of two is copyleft", map[string][]byte{"COPYING": gpl, "LICENSE": mit}, "GPL", false},
	} {
		got, err := detect(test.files)
		if (err == nil) != test.ok {
			t.Errorf("%s: %q, error %v", test.name, got, err)
		} else if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestLicenceFiles(t *testing.T) {
	for name, want := range map[string]bool{
		"LICENSE": true, "LICENCE.md": true, "license.txt": true, "COPYING": true, "LICENSE-APACHE": true,
		"UNLICENSE": true, "MIT-LICENSE.txt": true,
		"sub/LICENSE": false, "license.go": false, "COPYRIGHT": false, "licenses.go": false,
	} {
		if isLicence(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
