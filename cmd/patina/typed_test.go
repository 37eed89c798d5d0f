package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
)

// The names of a folder in two Unicode forms, for a project with lib/deep/open.go.
const (
	composed   = "caf\u00e9"
	decomposed = "cafe\u0301"
)

// places holds the folders for one test, by their names in the table.
type places struct{ root, link, deepLink string }

func layTyped(t *testing.T) places {
	t.Helper()
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	p := places{filepath.Join(tmp, "app"), filepath.Join(tmp, "link"), filepath.Join(tmp, "deep-link")}
	for name, body := range map[string]string{
		"go.mod":                        "module example.org/app\n",
		"main.go":                       "package main\n\n// Unlatch is at the top.\nfunc Unlatch() {}\n",
		"lib/deep/open.go":              "package deep\n\n// Unlock opens the door.\nfunc Unlock() {}\n",
		"lib/deep/same.go":              "package deep\n\n// Twin is in both.\nfunc Twin() {}\n",
		"same.go":                       "package main\n\n// Twin is in both.\nfunc Twin() {}\n",
		"lib/" + decomposed + "/tea.go": "package tea\n\n// Pour pours tea.\nfunc Pour() {}\n",
		"lib/other/README.md":           "# Other\n\nThe other one.\n",
	} {
		full := filepath.Join(p.root, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(full), 0o755))
		check(t, os.WriteFile(full, []byte(body), 0o644))
	}
	check(t, os.Symlink(p.root, p.link))
	check(t, os.Symlink(filepath.Join(p.root, "lib", "deep"), p.deepLink))
	check(t, os.Symlink("deep", filepath.Join(p.root, "lib", "alias")))
	for name, value := range map[string]string{
		"HOME": tmp, "PATINA_HOME": filepath.Join(tmp, "home"), "PATINA_TIMEOUT": "5m", "PATINA_REFRESH": "5m",
		"NO_COLOR": "1", "GIT_CEILING_DIRECTORIES": tmp,
	} {
		t.Setenv(name, value)
	}
	return p
}

// in runs the command in a folder, as after a shell's cd.
func in(t *testing.T, dir string, args ...string) (out, errs string, code int) {
	t.Helper()
	t.Chdir(dir)
	var o, e strings.Builder
	code = run(args, strings.NewReader(""), &o, &e)
	return o.String(), e.String(), code
}

// forms are the commands that take a file's name. Each prints want if it has found
// lib/deep/open.go.
var forms = []struct {
	args []string // %s is the name
	want string
}{
	{[]string{"scry", "--json", "--file", "%s"}, `"path": "lib/deep/open.go"`},
	{[]string{"scry", "--json", "--detail", "%s"}, `"path": "lib/deep/open.go"`},
	{[]string{"scry", "--json", "--detail", "%s::Unlock"}, `"symbol": "Unlock"`},
	{[]string{"scry", "--json", "why", "%s"}, `"path": "lib/deep/open.go"`},
	{[]string{"scry", "--json", "why", "%s", "unlock the door"}, `"path": "lib/deep/open.go"`},
	{[]string{"scry", "--json", "why", "%s::Unlock", "unlock the door"}, `"path": "lib/deep/open.go"`},
	{[]string{"assay", "--json", "functions", "%s"}, `"doc_id": "lib/deep/open.go::Unlock"`},
	{[]string{"assay", "--json", "inventory", "%s"}, `"path": "lib/deep/open.go"`},
}

func spell(args []string, name string) []string {
	var out []string
	for _, a := range args {
		if strings.Contains(a, "%s") {
			a = fmt.Sprintf(a, name)
		}
		out = append(out, a)
	}
	return out
}

// Every command must understand every way to write a path, and answer with paths from the root.
func TestTypedPaths(t *testing.T) {
	p := layTyped(t)
	if _, errs, code := in(t, p.root, "scrape", "--no-adapt"); code != 0 {
		t.Fatal(errs)
	}
	deep := filepath.Join(p.root, "lib", "deep")
	file := filepath.Join(deep, "open.go")
	for _, c := range []struct {
		dir, name string
		disk      bool // the operating system reads it the same way
	}{
		{p.root, "lib/deep/open.go", true},
		{p.root, "./lib/deep/open.go", true},
		{p.root, "lib//other/../deep/./open.go", true},
		{p.root, "lib/alias/open.go", true},
		{p.root, file, true},
		{p.root, filepath.Join(p.link, "lib/deep/open.go"), true},
		{p.root, filepath.Join(p.deepLink, "open.go"), true},
		{deep, "open.go", true},
		{deep, "./open.go", true},
		{deep, "../deep/open.go", true},
		{deep, "lib/deep/open.go", false},
		{deep, file, true},
		{filepath.Join(p.root, "lib"), "deep/open.go", true},
		{filepath.Join(p.root, "lib", "other"), "../deep/open.go", true},
		{p.link, "lib/deep/open.go", true},
		{p.link, filepath.Join(p.link, "lib/deep/open.go"), true},
		{p.deepLink, "open.go", true},
		{p.deepLink, "../deep/open.go", true}, // relative to the target, lib/deep, as for cat
		{p.deepLink, "lib/deep/open.go", false},
		{filepath.Join(p.link, "lib"), "deep/open.go", true},
	} {
		for _, f := range forms {
			args := spell(f.args, c.name)
			if out, errs, _ := in(t, c.dir, args...); !strings.Contains(out, f.want) || errs != "" {
				t.Errorf("in %s: patina %q has no %s: %s%s", c.dir, args, f.want, out, errs)
			}
		}
		if !c.disk {
			continue
		}
		if out, errs, code := in(t, c.dir, "scrape", "--no-adapt", "--file", c.name); code != 0 ||
			!strings.Contains(out, "0 added, 0 changed, 0 removed, 1 unchanged") {
			t.Errorf("in %s: scrape --file %s: %s%s", c.dir, c.name, out, errs)
		}
	}
}

func TestTypedFolders(t *testing.T) {
	p := layTyped(t)
	if _, errs, code := in(t, p.root, "scrape", "--no-adapt"); code != 0 {
		t.Fatal(errs)
	}
	deep := filepath.Join(p.root, "lib", "deep")
	for _, c := range []struct{ dir, name, folder string }{
		{p.root, "lib/deep/", "lib/deep"},
		{p.root, "lib/alias", "lib/deep"},
		{p.root, deep + "/", "lib/deep"},
		{p.root, p.deepLink, "lib/deep"},
		{deep, ".", "lib/deep"},
		{deep, "./", "lib/deep"},
		{deep, "..", "lib"},
		{deep, "lib/deep", "lib/deep"},
		{deep, "lib", "lib"},
		{filepath.Join(p.root, "lib"), "deep", "lib/deep"},
		{p.deepLink, ".", "lib/deep"},
		{p.deepLink, "..", "lib"},
		{p.link, "lib/deep", "lib/deep"},
		{p.link, ".", ""},
		{p.root, p.link, ""},
		{p.root, "lib/" + composed, "lib/" + decomposed},
	} {
		if out, errs, _ := in(t, c.dir, "scry", "--json", "orient", c.name); !strings.Contains(out,
			fmt.Sprintf(`"folder": %q`, c.folder)) {
			t.Errorf("in %s: orient %s: %s%s", c.dir, c.name, out, errs)
		}
		if c.name == "." {
			continue // for assay that is everything
		}
		out, errs, _ := in(t, c.dir, "assay", "--json", "functions", c.name)
		for _, path := range []string{"main.go", "lib/deep/open.go", "lib/" + decomposed + "/tea.go"} {
			want := c.folder == "" || strings.HasPrefix(path, c.folder+"/")
			if got := strings.Contains(out, fmt.Sprintf(`"path": %q`, path)); got != want {
				t.Errorf("in %s: assay functions %s: %s there: %v%s", c.dir, c.name, path, got, errs)
			}
		}
		if !strings.HasPrefix(c.name, ".") && !filepath.IsAbs(c.name) {
			continue // --path is a glob from the root
		}
		out, errs, _ = in(t, c.dir, "scry", "-l", "--path", strings.TrimSuffix(c.name, "/")+"/**", "unlock the door")
		if !strings.Contains(out, "lib/deep/open.go\n") {
			t.Errorf("in %s: --path %s: %s%s", c.dir, c.name, out, errs)
		}
	}
}

// A bare name is first read from the root, as in answers. "./" starts in the working folder.
func TestTypedNamesThatAreTwo(t *testing.T) {
	p := layTyped(t)
	if _, errs, code := in(t, p.root, "scrape", "--no-adapt"); code != 0 {
		t.Fatal(errs)
	}
	deep := filepath.Join(p.root, "lib", "deep")
	for name, want := range map[string]string{
		"same.go": "same.go", "./same.go": "lib/deep/same.go",
		"../../same.go": "same.go", "same.go::Twin": "same.go", "./same.go::Twin": "lib/deep/same.go",
	} {
		if out, errs, _ := in(t, deep, "scry", "--json", "--detail", name); !strings.Contains(out,
			fmt.Sprintf(`"path": %q`, want)) {
			t.Errorf("--detail %s: %s%s, want %s", name, out, errs, want)
		}
	}
	// A scrape reads the file that the operating system means.
	check(t, os.WriteFile(filepath.Join(deep, "same.go"),
		[]byte("package deep\n\n// Twin has changed.\nfunc Twin() {}\n"), 0o644))
	check(t, os.WriteFile(filepath.Join(p.root, "same.go"),
		[]byte("package main\n\n// Twin has changed.\nfunc Twin() {}\n"), 0o644))
	if out, errs, _ := in(t, deep, "scrape", "--no-adapt", "--file", "same.go"); !strings.Contains(out, "1 changed") {
		t.Errorf("scrape --file: %s%s", out, errs)
	}
	for name, changed := range map[string]bool{"./same.go": true, "same.go": false} {
		if out, _, _ := in(t, deep, "scry", "--no-refresh", "--detail", name); strings.Contains(out,
			"has changed") != changed {
			t.Errorf("%s was read: %v", name, !changed)
		}
	}
}

// A name in another Unicode form finds the same file.
func TestTypedUnicode(t *testing.T) {
	p := layTyped(t)
	if _, errs, code := in(t, p.root, "scrape", "--no-adapt"); code != 0 {
		t.Fatal(errs)
	}
	gone := filepath.Join(p.root, "lib", decomposed)
	for _, there := range []bool{true, false} {
		if !there { // the index still knows it
			check(t, os.RemoveAll(gone))
		}
		for _, form := range []string{composed, decomposed} {
			for _, args := range [][]string{
				{"scry", "--json", "--no-refresh", "--detail", "lib/" + form + "/tea.go"},
				{"scry", "--json", "--no-refresh", "--detail", "lib/" + form + "/tea.go::Pour"},
				{"scry", "--json", "--no-refresh", "--file", filepath.Join(p.root, "lib", form, "tea.go")},
				{"scry", "--json", "--no-refresh", "why", "./lib/" + form + "/tea.go"},
			} {
				if out, errs, _ := in(t, p.root, args...); !strings.Contains(out,
					`"path": "lib/`+decomposed+`/tea.go"`) {
					t.Errorf("patina %q: %s%s", args, out, errs)
				}
			}
		}
	}
}

// For every command, a path outside the project is an error that names both.
func TestTypedPathsOutside(t *testing.T) {
	p := layTyped(t)
	if _, errs, code := in(t, p.root, "scrape", "--no-adapt"); code != 0 {
		t.Fatal(errs)
	}
	check(t, os.Symlink("/etc", filepath.Join(p.root, "etc")))
	all := [][]string{
		{"scry", "orient", "%s"},
		{"scry", "recent", "--path", "%s/**"},
		{"scry", "--path", "%s/**", "unlock"},
		{"scrape", "--file", "%s"},
	}
	for _, f := range forms {
		all = append(all, f.args)
	}
	for _, name := range []string{"../../..", "/etc", p.root + "-other", "./etc/passwd"} {
		for _, args := range all {
			args = spell(args, name)
			_, errs, code := in(t, p.root, args...)
			if want := fmt.Sprintf("lies outside of %q\n", p.root); code != cli.ExitError ||
				!strings.Contains(errs, `"`+name) || !strings.Contains(errs, want) {
				t.Errorf("patina %q: exit %d: %s, want %s", args, code, errs, want)
			}
		}
	}
}

// An unknown name gets suggestions. A symbol's name finds its only definition.
func TestTypedNamesThatFitNothing(t *testing.T) {
	p := layTyped(t)
	if _, errs, code := in(t, p.root, "scrape", "--no-adapt"); code != 0 {
		t.Fatal(errs)
	}
	deep := filepath.Join(p.root, "lib", "deep")
	for _, c := range []struct{ dir, args, want string }{
		{p.root, "scry --file lib/deep/opne.go", "lib/deep/open.go"},
		{p.root, "scry --file deep/open.go", "lib/deep/open.go"},
		{deep, "scry --file ./opne.go", "lib/deep/open.go"},
		{deep, "scry --detail opne.go", "lib/deep/open.go"},
		{p.root, "scry --detail lib/deep/opne.go::Unlock", "lib/deep/open.go"},
		{p.root, "scry --detail lib/deep/open.go::Unlokc", "lib/deep/open.go::Unlock"},
		{p.root, "scry --detail Unlokc", "Unlock"},
		{p.root, "scry why lib/deep/opne.go", "lib/deep/open.go"},
		{p.root, "scry orient lib/depe", "lib/deep/"},
		{p.root, "assay functions lib/depe", "lib/deep/"},
		{p.root, "assay callers Unlokc", "Unlock"},
	} {
		if out, errs, code := in(t, c.dir, strings.Fields(c.args)...); !strings.Contains(errs,
			"patina: hint: did you mean "+c.want+"\n") {
			t.Errorf("patina %s: exit %d: %s%s", c.args, code, out, errs)
		}
	}
	for _, dir := range []string{p.root, deep} {
		if out, errs, _ := in(t, dir, "scry", "--json", "--detail", "Unlock"); !strings.Contains(out,
			`"doc_id": "lib/deep/open.go::Unlock"`) {
			t.Errorf("--detail Unlock: %s%s", out, errs)
		}
	}
}
