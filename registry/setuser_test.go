package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A setting gets another value, and what else the user wrote stays.
func TestSetUser(t *testing.T) {
	for name, test := range map[string]struct{ before, want string }{
		"no file":      {"", "share = \"docs\"\n"},
		"a value":      {"# mine\nshare = 'code' # all\nlimit = 5\n", "# mine\nshare = \"docs\" # all\nlimit = 5\n"},
		"other values": {"# mine\nlimit = 5\n[log]\nqueries = false\n", "share = \"docs\"\n# mine\nlimit = 5\n[log]\nqueries = false\n"},
	} {
		home := t.TempDir()
		file := filepath.Join(home, "config.toml")
		if test.before != "" {
			if err := os.WriteFile(file, []byte(test.before), 0o640); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // the second time nothing changes
			if err := SetUser(home, "share", "docs"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v:\n%s\nwant:\n%s", name, err, got, test.want)
		}
		settings, _, err := SettingSources{Home: home}.Read()
		if err != nil || settings.Share != "docs" {
			t.Errorf("%s: %q, %v", name, settings.Share, err)
		}
		if entries, err := os.ReadDir(home); err != nil || len(entries) != 1 {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
	}
	kept := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(kept, []byte("limit = 5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if err := os.Symlink(kept, filepath.Join(home, "config.toml")); err != nil {
		t.Fatal(err)
	}
	if err := SetUser(home, "share", "docs"); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(kept); err != nil || !strings.HasPrefix(string(got), "share") {
		t.Errorf("the target of a link: %s, %v", got, err)
	}
}

// What cannot be changed, or would be refused by every command afterwards, stays as it is.
func TestSetUserRefuses(t *testing.T) {
	for name, test := range map[string]struct{ before, key, want string }{
		"another form": {"share = [\"code\"]\n", "share", "share = \"docs\" there yourself"},
		"a bad file":   {"limit =\n", "share", "write share"},
		"no setting":   {"limit = 5\n", "shared", `unknown key "shared"`},
	} {
		home := t.TempDir()
		file := filepath.Join(home, "config.toml")
		if err := os.WriteFile(file, []byte(test.before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := SetUser(home, test.key, "docs"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		got, err := os.ReadFile(file)
		entries, _ := os.ReadDir(home)
		if err != nil || string(got) != test.before || len(entries) != 1 {
			t.Errorf("%s: %v, %v:\n%s", name, err, entries, got)
		}
	}
}
