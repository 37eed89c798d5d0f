package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"patina/internal/safeio"
)

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEachSourceYieldsToTheOneBeforeIt(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	src := SettingSources{Home: home, Root: root}
	check := func(want int, origin string) {
		t.Helper()
		s, list, err := src.Read()
		if err != nil {
			t.Fatal(err)
		}
		if s.Limit != want || list[1].Key != "limit" || list[1].Origin != origin {
			t.Errorf("limit %d from %q, want %d from %q", s.Limit, list[1].Origin, want, origin)
		}
	}
	check(10, "default")
	write(t, filepath.Join(home, "config.toml"), "limit = 11\n")
	check(11, filepath.Join(home, "config.toml"))
	write(t, filepath.Join(root, ".patina.toml"), "limit = 8\n")
	check(8, filepath.Join(root, ".patina.toml"))
	t.Setenv("PATINA_LIMIT", "13")
	check(13, "PATINA_LIMIT")
	src.Flags = map[string]string{"limit": "14"}
	check(14, "--limit")
}

func TestValuesHaveTheirTypes(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, "config.toml"),
		"timeout = \"2s\"\nbudget = 300\nlog.queries = false\n[fusion]\ncode = \"rrf\"\n")
	s, _, err := SettingSources{Home: home}.Read()
	want := Settings{
		Timeout: 2 * time.Second, Limit: 10, Budget: 300, Learn: true, Share: "code,docs,commits,beliefs",
		Refresh: 250 * time.Millisecond, CodeRule: "rrf", Open: 12, Idle: 15 * time.Minute, Scoring: "measured", Dedup: "sequence", Turns: 256 << 20,
	}
	if err != nil || s != want {
		t.Errorf("got %+v, %v; want %+v", s, err, want)
	}
}

func TestWrongSettingsNameFileAndKey(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{"limit = 0", `limit from FILE: "0": want 1 to 100`},
		{"limit = 1e9", `key "limit" holds neither`},
		{"timeout = 1500", `timeout from FILE: "1500": want a duration`},
		{"timeout = \"1h\"", "want 10ms to 10m"},
		{"budget = 7", "want 100 to 100000"},
		{"log.queries = \"perhaps\"", "want true or false"},
		{"log.answers = true", `read FILE: unknown key "log.answers"`},
		{"hybrid = true", `read FILE: unknown key "hybrid"`},
		{"fusion.code = \"sum\"", `want "blend" or "rrf"`},
		{"limit = [1]", "neither text nor number"},
		{"limit = ", "read FILE: "},
	} {
		home := t.TempDir()
		file := filepath.Join(home, "config.toml")
		write(t, file, c.content)
		_, _, err := SettingSources{Home: home}.Read()
		if want := strings.ReplaceAll(c.want, "FILE", file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", c.content, err, want)
		}
	}
}

// A repository may be a stranger's. It may lower limits but must not raise any, whether or not the
// user has set them.
func TestRepositoryOnlyLowers(t *testing.T) {
	for _, c := range []struct {
		user, team, key, want string
		took                  bool
	}{
		{"", `timeout = "10m"`, "timeout", "10s", false},
		{"", `timeout = "1s"`, "timeout", "1s", true},
		{`timeout = "1m"`, `timeout = "20s"`, "timeout", "20s", true},
		{`timeout = "1s"`, `timeout = "1500ms"`, "timeout", "1s", false},
		{"", "limit = 100", "limit", "10", false},
		{"limit = 5", "limit = 6", "limit", "5", false},
		{"limit = 50", "limit = 6", "limit", "6", true},
		{"", "budget = 100000", "budget", "0", false},
		{"", "budget = 901", "budget", "0", false},
		{"", "budget = 400", "budget", "400", true},
		{"budget = 300", "budget = 0", "budget", "300", false},
		{"budget = 3000", "budget = 0", "budget", "0", true},
		{"log.queries = false", "log.queries = true", "log.queries", "false", false},
		{"", "log.queries = false", "log.queries", "false", true},
		{`mcp.repos = ["lib"]`, `mcp.repos = ["lib", "/"]`, "mcp.repos", "lib", false}, // no say
		{`mother = "a:1"`, `mother = "front.test:1"`, "mother", "a:1", false},          // no say
		{`mother = ["a:1", "unix:/run/b"]`, `mother = "c:1"`, "mother", "a:1,unix:/run/b", false},
		{`fusion.code = "rrf"`, `fusion.code = "blend"`, "fusion.code", "blend", true}, // no limit
	} {
		src := SettingSources{Home: t.TempDir(), Root: t.TempDir()}
		write(t, filepath.Join(src.Home, "config.toml"), c.user)
		file := filepath.Join(src.Root, ".patina.toml")
		write(t, file, c.team)
		merged, list, err := src.Read()
		if err != nil {
			t.Fatalf("%q over %q: %v", c.team, c.user, err)
		}
		s := list[slices.IndexFunc(list, func(s Setting) bool { return s.Key == c.key })]
		asks := strings.HasPrefix(s.Note, file+" asks for ")
		if took := s.Origin == file; s.Value != c.want || took != c.took || asks == took {
			t.Errorf("%q over %q: %+v", c.team, c.user, s)
		}
		var want Settings
		for i, k := range keys { // the listed value must be the one that counts
			if err := k.set(&want, list[i].Value); err != nil {
				t.Fatal(err)
			}
		}
		if merged != want {
			t.Errorf("%q over %q: %+v, listed is %+v", c.team, c.user, merged, want)
		}
		t.Setenv(variableOf(c.key), s.Value)
		_, list, err = src.Read()
		if err != nil || slices.ContainsFunc(list, func(s Setting) bool { return s.Note != "" }) {
			t.Errorf("the environment decides, and yet: %+v, %v", list, err)
		}
		if err := os.Unsetenv(variableOf(c.key)); err != nil {
			t.Fatal(err)
		}
	}
}

// Hostile or irregular files in the place of a repository's settings must be refused at once,
// without parsing them or waiting for them.
func TestHostileSettings(t *testing.T) {
	many := func(form string) string {
		var b strings.Builder
		for i := 0; b.Len() < maxConfig-100; i++ {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for name, content := range map[string]string{
		"keys": many("k%d=1\n"), "tables": many("[k%d]\n"), "inline": "a={" + many("k%d=1,") + "z=1}",
		"dotted": strings.Repeat("a.", 30_000) + "a=1",
		"nested": "a=" + strings.Repeat("[", 60_000), "tables nested": "a=" + strings.Repeat("{a=", 20_000),
		"large": strings.Repeat("#\n", maxConfig),
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, ".patina.toml"), content)
		_, _, err := SettingSources{Home: t.TempDir(), Root: root}.Read()
		if err == nil || !strings.Contains(err.Error(), "too many keys") && !errors.Is(err, safeio.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, put := range map[string]func(file string) error{
		"link":   func(file string) error { return os.Symlink("/etc/hostname", file) },
		"zero":   func(file string) error { return os.Symlink("/dev/zero", file) },
		"pipe":   func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"folder": func(file string) error { return os.Mkdir(file, 0o700) },
	} {
		root := t.TempDir()
		if err := put(filepath.Join(root, ".patina.toml")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := (SettingSources{Home: t.TempDir(), Root: root}).Read(); !errors.Is(err, safeio.ErrIrregular) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The user's own settings may be a link.
func TestUserMayLinkSettings(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	write(t, filepath.Join(elsewhere, "patina.toml"), "limit = 3\n")
	if err := os.Symlink(filepath.Join(elsewhere, "patina.toml"), filepath.Join(home, "config.toml")); err != nil {
		t.Fatal(err)
	}
	if s, _, err := (SettingSources{Home: home}).Read(); err != nil || s.Limit != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

func FuzzConfigFile(f *testing.F) {
	f.Add("limit = 3\nlog.queries = true")
	f.Add("[log]\nqueries = 1\n[[x]]")
	f.Fuzz(func(t *testing.T, content string) {
		home := t.TempDir()
		write(t, filepath.Join(home, "config.toml"), content)
		s, _, err := (SettingSources{Home: home}).Read()
		if err == nil && (s.Limit < 1 || s.Limit > 100 || s.Timeout <= 0) {
			t.Errorf("%q gave %+v", content, s)
		}
	})
}

// A repository may forbid the refresh but must not lengthen it.
func TestRefreshIsALimit(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	for _, test := range []struct {
		user, team string
		want       time.Duration
	}{
		{"", "", 250 * time.Millisecond},
		{"refresh = false\n", "", 0},
		{"refresh = \"1s\"\n", "", time.Second},
		{"refresh = \"1s\"\n", "refresh = true\n", 250 * time.Millisecond},
		{"", "refresh = \"1s\"\n", 250 * time.Millisecond},
		{"refresh = false\n", "refresh = true\n", 0},
		{"", "refresh = false\n", 0},
	} {
		write(t, filepath.Join(home, "config.toml"), test.user)
		write(t, filepath.Join(root, ".patina.toml"), test.team)
		if s, _, err := (SettingSources{Home: home, Root: root}).Read(); err != nil || s.Refresh != test.want {
			t.Errorf("%q, %q: %s, %v", test.user, test.team, s.Refresh, err)
		}
	}
	for _, wrong := range []string{"-1s", "11m", "soon"} {
		write(t, filepath.Join(home, "config.toml"), "refresh = \""+wrong+"\"\n")
		if _, _, err := (SettingSources{Home: home}).Read(); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

func TestAddressesOfFronts(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             nil,
		" , ":                          nil,
		"front.example.com:7470":       {"front.example.com:7470"},
		"a:1, [::1]:2 ,unix:/run/x.so": {"a:1", "[::1]:2", "unix:/run/x.so"},
	} {
		if got := (Settings{Mother: text}).Fronts(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"front", ":7470", "front:", "front:0", "front:70000", "front:http", "https://front:7470", "a b:1", "a@b:1",
		"unix:", "unix:run", strings.Repeat("a:1,", mostFronts+1),
	} {
		t.Setenv("PATINA_MOTHER", text)
		if _, _, err := (SettingSources{Home: t.TempDir()}).Read(); err == nil || !strings.Contains(err.Error(), "PATINA_MOTHER") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
