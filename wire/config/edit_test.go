package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// edited returns what nodes.toml says after an edit.
func edited(t *testing.T, nodes string, change func(dir string) (bool, error)) (string, bool, error) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, nodes, "")
	changed, err := change(dir)
	content, readErr := os.ReadFile(filepath.Join(dir, NodesFile))
	if readErr != nil {
		t.Fatal(readErr)
	}
	return string(content), changed, err
}

// What people wrote stays: their order, their comments and how they set their lists.
func TestEdit(t *testing.T) {
	addDora := func(dir string) (bool, error) { return AddUser(dir, "dora", []string{"backend"}) }
	revokeDora := func(dir string) (bool, error) { return Revoke(dir, "dora", "") }
	for name, test := range map[string]struct {
		change      func(string) (bool, error)
		nodes, want string
	}{
		"a list": {addDora, "[groups.backend] # of Ben\nusers = [\"anna\"] # first\n", "[groups.backend] # of Ben\nusers = [\"anna\", \"dora\"] # first\n"},
		"a list of lines": {
			addDora,
			"[groups.backend]\nusers = [\n  \"anna\", # first\n  'ben', # last\n]\n",
			"[groups.backend]\nusers = [\n  \"anna\", # first\n  'ben', \"dora\", # last\n]\n",
		},
		"an empty list":       {addDora, "[groups.backend]\nusers = []\n", "[groups.backend]\nusers = [\"dora\"]\n"},
		"a table without one": {addDora, "[groups.backend]\n", "[groups.backend]\nusers = [\"dora\"]\n"},
		"a quoted key":        {addDora, "[ groups . \"backend\" ]\n\"users\" = [\"*\"]", "[ groups . \"backend\" ]\n\"users\" = [\"*\", \"dora\"]"},
		"a dotted key":        {addDora, "groups.backend.users = [\"anna\"]\n", "groups.backend.users = [\"anna\", \"dora\"]\n"},
		"no table":            {revokeDora, "# nodes", "# nodes\n\n[revoked]\nnames = [\"dora\"]\n"},
		"another list": {
			revokeDora, "[revoked]\nserials = [\"ab\"]\n[groups.a]\n",
			"[revoked]\nnames = [\"dora\"]\nserials = [\"ab\"]\n[groups.a]\n",
		},
		"a serial number": {
			func(dir string) (bool, error) { return Revoke(dir, "", "00ab") },
			"[revoked]\nserials = [\"cd\"]", "[revoked]\nserials = [\"cd\", \"00ab\"]",
		},
	} {
		got, changed, err := edited(t, test.nodes, test.change)
		if err != nil || !changed || got != test.want {
			t.Errorf("%s: %v, %v:\n%s\nwant:\n%s", name, changed, err, got, test.want)
		}
	}
}

func TestEditChangesNothing(t *testing.T) {
	addDora := func(dir string) (bool, error) { return AddUser(dir, "dora", []string{"backend"}) }
	for name, test := range map[string]struct {
		change func(string) (bool, error)
		nodes  string
		want   string // of the error; "" means none
	}{
		"is in":           {addDora, "[groups.backend]\nusers = [\"dora\"]\n", ""},
		"is revoked":      {func(dir string) (bool, error) { return Revoke(dir, "", "AB") }, "[revoked]\nserials = [\"00ab\"]", ""},
		"no group":        {addDora, "[groups.front]\n[groups.web]\n", `no group "backend" in nodes.toml: there are front, web`},
		"a bad file":      {addDora, "[groups.backend]\nuser = 1\n", "unknown key"},
		"a bad name":      {func(dir string) (bool, error) { return AddUser(dir, "a\nb", []string{"backend"}) }, "[groups.backend]\n", "name"},
		"a bad revoked":   {func(dir string) (bool, error) { return Revoke(dir, "a\"b", "") }, "# none", "name"},
		"an inline table": {addDora, "groups = {backend = {users = [\"anna\"]}}\n", "[groups.backend]\nusers = [\"dora\"]"},
	} {
		got, changed, err := edited(t, test.nodes, test.change)
		if changed || got != test.nodes || (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v, want %q:\n%s", name, changed, err, test.want, got)
		}
	}
	if _, err := AddUser(t.TempDir(), "dora", nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A link and a mode stay. A folder that cannot be written is said, with what to write.
func TestEditOfALink(t *testing.T) {
	kept, dir := t.TempDir(), t.TempDir()
	write(t, kept, goodNodes, "")
	target := filepath.Join(kept, NodesFile)
	if err := os.Chmod(target, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, NodesFile)); err != nil {
		t.Fatal(err)
	}
	if changed, err := AddUser(dir, "dora", []string{"backend", "all"}); err != nil || !changed {
		t.Fatal(err)
	}
	c, err := Read(kept)
	if err != nil || !c.isMember("dora", "backend") || len(c.Groups["all"].Users) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	info, err := os.Lstat(target)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if os.Geteuid() == 0 {
		return // root writes everywhere
	}
	if err := os.Chmod(kept, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err = Revoke(dir, "dora", "")
	if !errors.Is(err, ErrByHand) || !strings.Contains(err.Error(), "names = [\"dora\"]") {
		t.Error(err)
	}
}

// Whatever the file says, an edit adds what it must and changes nothing else, or it is refused.
func FuzzEdit(f *testing.F) {
	f.Add(goodNodes)
	f.Add("[groups.backend]\nusers = [\n  \"anna\", # first\n]\n[revoked]\n")
	f.Add("groups = {backend = {users = [\"anna\"]}}\nrevoked = {}\n")
	f.Add("[groups]\nbackend.users = ['']\n[revoked]\nnames=[\"\"\"a\"\"\"]\r\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, nodes string) {
		if nodes == "" {
			return
		}
		write(t, dir, nodes, "")
		before, err := Read(dir)
		if err != nil {
			return
		}
		_, ok := before.Groups["backend"]
		if changed, err := AddUser(dir, "dora", []string{"backend"}); err == nil && !changed && !before.isMember("dora", "backend") {
			t.Errorf("%q: nothing was changed", nodes)
		} else if err != nil && ok && !errors.Is(err, ErrByHand) {
			t.Errorf("%q: %v", nodes, err)
		}
		if _, err := Revoke(dir, "dora", ""); err != nil && !errors.Is(err, ErrByHand) {
			t.Errorf("%q: %v", nodes, err)
		} else if err == nil {
			c, err := Read(dir)
			if err != nil || !c.IsRevoked("dora", "") {
				t.Errorf("%q: %v", nodes, err)
			}
		}
	})
}
