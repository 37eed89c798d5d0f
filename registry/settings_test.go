package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	src := Sources{Home: home, Root: root}
	check := func(want int, origin string) {
		t.Helper()
		s, list, err := src.Settings()
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
	write(t, filepath.Join(root, ".patina.toml"), "limit = 12\n")
	check(12, filepath.Join(root, ".patina.toml"))
	t.Setenv("PATINA_LIMIT", "13")
	check(13, "PATINA_LIMIT")
	src.Flags = map[string]string{"limit": "14"}
	check(14, "--limit")
}

func TestValuesHaveTheirTypes(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, "config.toml"), "timeout = \"2s\"\nbudget = 300\nlog.queries = false\n[fusion]\ncode = \"rrf\"\n")
	s, _, err := Sources{Home: home}.Settings()
	want := Settings{Timeout: 2 * time.Second, Limit: 10, Budget: 300, CodeRule: "rrf"}
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
		_, _, err := Sources{Home: home}.Settings()
		if want := strings.ReplaceAll(c.want, "FILE", file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", c.content, err, want)
		}
	}
}

func FuzzConfigFile(f *testing.F) {
	f.Add("limit = 3\nlog.queries = true")
	f.Add("[log]\nqueries = 1\n[[x]]")
	f.Fuzz(func(t *testing.T, content string) {
		home := t.TempDir()
		write(t, filepath.Join(home, "config.toml"), content)
		if s, _, err := (Sources{Home: home}).Settings(); err == nil && (s.Limit < 1 || s.Limit > 100 || s.Timeout <= 0) {
			t.Errorf("%q gave %+v", content, s)
		}
	})
}
