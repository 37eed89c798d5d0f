package agentcmd

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens anew")

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// machine returns an empty home and an empty project.
func machine(t *testing.T) Env {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	e := Env{
		Home: filepath.Join(dir, "home"), Root: filepath.Join(dir, "home", "app"), OS: "linux",
		Record: filepath.Join(dir, "patina", "agents.json"), Getenv: func(string) string { return "" },
	}
	check(t, os.MkdirAll(e.Root, 0o755))
	return e
}

// tree lists the files and folders below a folder, with modes and contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	check(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		text := fmt.Sprint(info.Mode())
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += "\n" + string(b)
		}
		out[path] = text
		return nil
	}))
	return out
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %s is %q, want %q", what, path, got[path], text)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %s is new", what, path)
		}
	}
}

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	check(t, os.WriteFile(path, []byte(text), mode))
}

// samples are files of a client, by kind, as users have them.
func samples(e edit) map[string]string {
	switch e := e.(type) {
	case eitherEdit:
		out := samples(e.old)
		out["version 2"] = "{\n  \"mcp\": {\n    \"servers\": {\n      \"a\": {\"type\": \"local\", \"command\": [\"a\"]},\n    },\n  },\n}\n"
		return out
	case tomlEdit:
		return map[string]string{
			"empty":     "",
			"filled":    "model = \"o5\"\n\n[mcp_servers.a]\ncommand = \"a\"\n\n[tui]\ntheme = \"dark\"\n",
			"commented": "# my settings\r\nmodel = \"o5\" # the newest\r\n\r\n# [mcp_servers.old]\r\n# command = \"old\"",
			"broken":    "model = \"o5\n[mcp_servers\n",
		}
	case yamlEdit:
		return map[string]string{
			"empty":     "",
			"filled":    "GOOSE_PROVIDER: x\nextensions:\n    developer:\n        bundled: true\n        enabled: true\n        type: builtin\nGOOSE_MODE: auto\n",
			"commented": "# mine\nextensions: # all of them\n  # the first\n  developer:\n    enabled: true # yes\n\n# the end",
			"broken":    "extensions:\n  a: [\n",
		}
	}
	top := e.(jsonEdit).path[0]
	return map[string]string{
		"empty":     "",
		"filled":    fmt.Sprintf("{\n    \"a\": [1, 2],\n    %q: {\n        \"other\": {\n            \"command\": \"x\"\n        }\n    },\n    \"z\": {}\n}\n", top),
		"commented": fmt.Sprintf("// my settings\n{\n\t\"a\": 1, // one\n\t/* all of them */\n\t%q: {\n\t\t// \"old\": {},\n\t},\n}\n", top),
		"broken":    "{\n  \"a\": 1,\n  \"" + top + "\": {\n",
	}
}

// Each client has an empty, a filled, a commented and a broken file. The results are in testdata. A
// second call must change nothing, and uninstall must restore the same bytes.
func TestEveryClient(t *testing.T) {
	for _, c := range Clients() {
		t.Run(c.Name, func(t *testing.T) {
			var golden bytes.Buffer
			for _, scope := range []Scope{User, Project} {
				spot := c.entry[scope.index()]
				if len(spot.paths) == 0 {
					fmt.Fprintf(&golden, "== %s: no file is known\n", scope)
					continue
				}
				all := samples(spot.edit)
				for _, kind := range []string{"empty", "filled", "commented", "broken", "version 2"} {
					if before, ok := all[kind]; ok {
						e := machine(t)
						path := e.path(spot.paths[0])
						put(t, path, before, 0o640)
						fmt.Fprintf(&golden, "== %s, %s: %s\n", scope, kind, e.Show(path))
						installed(t, e, c, scope, path, kind == "broken", &golden)
					}
				}
			}
			name := filepath.Join("testdata", c.Name+".golden")
			if *update {
				check(t, os.WriteFile(name, golden.Bytes(), 0o644))
			}
			want, err := os.ReadFile(name)
			check(t, err)
			if !bytes.Equal(golden.Bytes(), want) {
				t.Errorf("%s differs:\n%s", name, golden.Bytes())
			}
		})
	}
}

func installed(t *testing.T, e Env, c Client, scope Scope, path string, broken bool, golden *bytes.Buffer) {
	t.Helper()
	before := tree(t, e.Home)
	request := requestAll([]Client{c}, scope)
	plan := e.Install(request)
	same(t, "planned", tree(t, e.Home), before)
	if broken {
		s := plan.Steps[0]
		if s.Action != Refuse || s.Text == "" {
			t.Errorf("a broken file: %+v", s)
		}
		fmt.Fprintf(golden, "refused: %s\n", s.Why)
		return
	}
	check(t, plan.Apply())
	after := tree(t, e.Home)
	golden.WriteString(strings.SplitN(after[path], "\n", 2)[1])
	if !strings.HasSuffix(after[path], "\n") {
		golden.WriteString("<no line break>\n")
	}
	again := e.Install(request)
	if again.Changes() || again.Refused() || again.Left() {
		t.Errorf("a second time: %+v", again.Steps)
	}
	check(t, again.Apply())
	same(t, "twice", tree(t, e.Home), after)
	gone := e.Uninstall([]Client{c}, scope, false)
	if gone.Refused() || gone.Left() {
		t.Errorf("uninstall: %+v", gone.Steps)
	}
	check(t, gone.Apply())
	same(t, "undone", tree(t, e.Home), before)
}

// If nothing was there before, neither files nor folders may remain.
func TestNothingRemains(t *testing.T) {
	for _, scope := range []Scope{User, Project} {
		e := machine(t)
		before := tree(t, e.Home)
		plan := e.Install(requestAll(Clients(), scope))
		check(t, plan.Apply())
		if !plan.Changes() || plan.Refused() {
			t.Fatalf("%s: %+v", scope, plan.Steps)
		}
		for _, s := range e.Status() {
			if s.Scope == scope && s.State != Intact {
				t.Errorf("%s: %+v", scope, s)
			}
		}
		for path, text := range tree(t, e.Home) {
			if strings.Contains(text, e.Home) {
				t.Errorf("%s holds a path of this machine", path)
			}
		}
		check(t, e.Uninstall(Clients(), scope, false).Apply())
		same(t, string(scope), tree(t, e.Home), before)
	}
}

// Text that a user adds after the installation must stay when ours is removed.
func TestLaterChangesStay(t *testing.T) {
	e := machine(t)
	c, _ := Named("gemini")
	path := filepath.Join(e.Home, ".gemini", "settings.json")
	put(t, path, "{\n  \"a\": 1\n}\n", 0o600)
	check(t, e.Install(requestAll([]Client{c}, User)).Apply())
	file, err := os.ReadFile(path)
	check(t, err)
	put(t, path, strings.Replace(string(file), "\"a\": 1", "\"a\": 2, \"b\": []", 1), 0o600)
	check(t, e.Uninstall([]Client{c}, User, false).Apply())
	got, err := os.ReadFile(path)
	check(t, err)
	if string(got) != "{\n  \"a\": 2, \"b\": []\n}\n" {
		t.Errorf("it is now %q", got)
	}
	if _, err := os.Stat(path + backupSuffix); err == nil {
		t.Error("the backup remains")
	}
}

// Files that several clients read must keep ours until the last of them is uninstalled.
func TestSharedFiles(t *testing.T) {
	e := machine(t)
	codex, _ := Named("codex")
	zed, _ := Named("zed")
	check(t, e.Install(requestAll([]Client{codex, zed}, Project)).Apply())
	check(t, e.Uninstall([]Client{codex}, Project, false).Apply())
	for _, name := range []string{"AGENTS.md", ".agents/skills/patina/SKILL.md", ".zed/settings.json"} {
		if _, err := os.Stat(filepath.Join(e.Root, name)); err != nil {
			t.Error(err)
		}
	}
	check(t, e.Uninstall([]Client{zed}, Project, false).Apply())
	if left := tree(t, e.Root); len(left) != 1 {
		t.Errorf("there remain %v", left)
	}
}

// A file that one client reads through a link is shared too.
func TestLinkedInstructions(t *testing.T) {
	e := machine(t)
	codex, _ := Named("codex")
	claude, _ := Named("claude")
	put(t, filepath.Join(e.Root, "AGENTS.md"), "# Rules\n", 0o644)
	check(t, os.Symlink("AGENTS.md", filepath.Join(e.Root, "CLAUDE.md")))
	before := tree(t, e.Root)
	check(t, e.Install(requestAll([]Client{claude, codex}, Project)).Apply())
	check(t, e.Uninstall([]Client{claude}, Project, false).Apply())
	if got, _ := os.ReadFile(filepath.Join(e.Root, "AGENTS.md")); strings.Count(string(got), blockHead) != 1 {
		t.Errorf("codex needs the lines: %q", got)
	}
	check(t, e.Uninstall([]Client{codex}, Project, false).Apply())
	same(t, "linked", tree(t, e.Root), before)
}

// Lines and skills of another version are renewed, unless somebody has changed them.
func TestRenewed(t *testing.T) {
	e := machine(t)
	c, _ := Named("claude")
	lines, skill := filepath.Join(e.Root, "CLAUDE.md"), filepath.Join(e.Root, ".claude", "skills", "patina", "SKILL.md")
	request := Request{Clients: []Client{c}, Scope: Project, Instructions: true}
	check(t, e.Install(request).Apply())
	want := tree(t, e.Root)
	put(t, lines, "# Rules\n\n"+blockEdit{"old"}.entryText()+"more\n", 0o644)
	put(t, skill, wholeEdit{"old"}.entryText(), 0o644)
	check(t, e.Install(request).Apply())
	if got, _ := os.ReadFile(lines); string(got) != "# Rules\n\n"+(blockEdit{instructionLines}).entryText()+"more\n" {
		t.Errorf("lines: %q", got)
	}
	if got := tree(t, e.Root); got[skill] != want[skill] {
		t.Errorf("skill: %q", got[skill])
	}
	put(t, skill, strings.Replace(wholeEdit{"old"}.entryText(), "old", "mine", 1), 0o644)
	if plan := e.Install(request); !plan.Left() || plan.Changes() {
		t.Errorf("a changed skill: %+v", plan.Steps)
	}
}

// A file keeps its owner, because root may run patina in another user's home.
func TestOwnerStays(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	e := machine(t)
	c, _ := Named("cursor")
	path := filepath.Join(e.Home, ".cursor", "mcp.json")
	put(t, path, "{}", 0o640)
	check(t, os.Chown(path, 4242, 4243))
	check(t, os.Chown(e.Root, 4242, 4243))
	check(t, e.Install(Request{Clients: []Client{c}, Scope: User}).Apply())
	check(t, e.Install(Request{Clients: []Client{c}, Scope: Project}).Apply())
	theirs := filepath.Join(e.Root, ".cursor")
	for _, name := range []string{path, path + backupSuffix, theirs, filepath.Join(theirs, "mcp.json")} {
		info, err := os.Stat(name)
		check(t, err)
		modes := map[string]fs.FileMode{theirs: 0o755, filepath.Join(theirs, "mcp.json"): 0o644}
		if s := info.Sys().(*syscall.Stat_t); s.Uid != 4242 || s.Gid != 4243 ||
			info.Mode().Perm() != cmp.Or(modes[name], 0o640) {
			t.Errorf("%s belongs to %d:%d, %v", name, s.Uid, s.Gid, info.Mode())
		}
	}
}

// A backup goes even if somebody has removed ours by hand.
func TestStaleBackup(t *testing.T) {
	e := machine(t)
	c, _ := Named("cursor")
	path := filepath.Join(e.Home, ".cursor", "mcp.json")
	put(t, path, "{}", 0o644)
	before := tree(t, e.Home)
	check(t, e.Install(Request{Clients: []Client{c}, Scope: User}).Apply())
	put(t, path, "{}", 0o644)
	check(t, e.Uninstall(Clients(), User, false).Apply())
	same(t, "stale", tree(t, e.Home), before)
}

func TestEditedEntriesStay(t *testing.T) {
	e := machine(t)
	c, _ := Named("cursor")
	path := filepath.Join(e.Home, ".cursor", "mcp.json")
	put(t, path, `{"mcpServers": {"patina": {"command": "/opt/patina", "args": ["mcp"]}}}`, 0o644)
	before := tree(t, e.Home)
	plan := e.Install(Request{Clients: []Client{c}, Scope: User})
	if !plan.Left() || plan.Changes() {
		t.Errorf("install: %+v", plan.Steps)
	}
	check(t, plan.Apply())
	plan = e.Uninstall([]Client{c}, User, false)
	if !plan.Left() || plan.Changes() {
		t.Errorf("uninstall: %+v", plan.Steps)
	}
	check(t, plan.Apply())
	same(t, "edited", tree(t, e.Home), before)
}

func TestReadOnlyFiles(t *testing.T) {
	e := machine(t)
	c, _ := Named("cursor")
	put(t, filepath.Join(e.Home, ".cursor", "mcp.json"), "{}", 0o444)
	before := tree(t, e.Home)
	plan := e.Install(Request{Clients: []Client{c}, Scope: User})
	if !plan.Refused() || !strings.Contains(plan.Steps[0].Why, "read-only") {
		t.Errorf("%+v", plan.Steps)
	}
	check(t, plan.Apply())
	same(t, "read-only", tree(t, e.Home), before)
}

// A link in the user's files is followed. A link in a project must not lead out of it.
func TestLinks(t *testing.T) {
	e := machine(t)
	c, _ := Named("cursor")
	real := filepath.Join(e.Home, "dotfiles", "mcp.json")
	put(t, real, "{}\n", 0o644)
	check(t, os.MkdirAll(filepath.Join(e.Home, ".cursor"), 0o755))
	check(t, os.Symlink(real, filepath.Join(e.Home, ".cursor", "mcp.json")))
	check(t, os.MkdirAll(filepath.Join(e.Root, ".cursor"), 0o755))
	check(t, os.Symlink(real, filepath.Join(e.Root, ".cursor", "mcp.json")))
	before := tree(t, e.Home)
	if plan := e.Install(Request{Clients: []Client{c}, Scope: Project}); !plan.Refused() {
		t.Errorf("a link out of the project: %+v", plan.Steps)
	}
	check(t, e.Install(Request{Clients: []Client{c}, Scope: User}).Apply())
	if file, _ := os.ReadFile(real); !bytes.Contains(file, []byte("patina")) {
		t.Errorf("the file behind the link is %q", file)
	}
	if info, err := os.Lstat(filepath.Join(e.Home, ".cursor", "mcp.json")); err != nil ||
		info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	check(t, e.Uninstall([]Client{c}, User, false).Apply())
	same(t, "links", tree(t, e.Home), before)

	outside := filepath.Join(filepath.Dir(e.Home), "outside")
	check(t, os.MkdirAll(outside, 0o755))
	check(t, os.Symlink(outside, filepath.Join(e.Root, ".vscode")))
	code, _ := Named("vscode")
	if plan := e.Install(Request{Clients: []Client{code}, Scope: Project}); !plan.Refused() {
		t.Errorf("a folder that leads out of the project: %+v", plan.Steps)
	}
}

// A pipe, a folder or an endless file in place of settings is refused at once.
func TestOddSettings(t *testing.T) {
	c, _ := Named("cursor")
	for name, place := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"zeros":  func(path string) error { return os.Symlink("/dev/zero", path) },
		"long":   func(path string) error { return os.WriteFile(path, make([]byte, maxProjectFile+1), 0o644) },
		"cycle":  func(path string) error { return os.Symlink("mcp.json", path) },
	} {
		for _, scope := range []Scope{User, Project} {
			if name == "long" && scope == User {
				continue
			}
			e := machine(t)
			path := e.path(c.entry[scope.index()].paths[0])
			check(t, os.MkdirAll(filepath.Dir(path), 0o755))
			check(t, place(path))
			plan := e.Install(Request{Clients: []Client{c}, Scope: scope})
			if !plan.Refused() || plan.Changes() {
				t.Errorf("%s, %s: %+v", scope, name, plan.Steps)
			}
			check(t, plan.Apply())
		}
	}
}

// A file that changes between plan and Apply must be left alone.
func TestChangedMeanwhile(t *testing.T) {
	e := machine(t)
	c, _ := Named("cursor")
	path := filepath.Join(e.Home, ".cursor", "mcp.json")
	for _, first := range []string{"", "{}"} {
		if first != "" {
			put(t, path, first, 0o644)
		}
		plan := e.Install(Request{Clients: []Client{c}, Scope: User})
		put(t, path, `{"new": 1}`, 0o644)
		if err := plan.Apply(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
			t.Errorf("%q: %v", first, err)
		}
		if got, _ := os.ReadFile(path); string(got) != `{"new": 1}` {
			t.Errorf("it is now %q", got)
		}
		check(t, os.Remove(path))
	}
}

func TestPlaces(t *testing.T) {
	env := map[string]string{}
	e := Env{Home: "/h", Root: "/r", OS: "linux", Getenv: func(k string) string { return env[k] }}
	for _, c := range []struct{ os, set, template, want string }{
		{"linux", "", "$CODE/mcp.json", "/h/.config/Code/User/mcp.json"},
		{"darwin", "", "$CODE/mcp.json", "/h/Library/Application Support/Code/User/mcp.json"},
		{"windows", "APPDATA=/a", "$CODE/mcp.json", "/a/Code/User/mcp.json"},
		{"linux", "XDG_CONFIG_HOME=/x", "$ZED/settings.json", "/x/zed/settings.json"},
		{"darwin", "XDG_CONFIG_HOME=/x", "$ZED/settings.json", "/h/.config/zed/settings.json"},
		{"linux", "CODEX_HOME=/c", "$CODEX/config.toml", "/c/config.toml"},
		{"linux", "CLAUDE_CONFIG_DIR=/c", "$CLAUDEJSON/.claude.json", "/c/.claude.json"},
		{"linux", "", "$CLAUDEJSON/.claude.json", "/h/.claude.json"},
		{"windows", "APPDATA=/a", "$GOOSE/config.yaml", "/a/Block/goose/config/config.yaml"},
		{"linux", "", "./.mcp.json", "/r/.mcp.json"},
	} {
		clear(env)
		key, value, _ := strings.Cut(c.set, "=")
		env[key], e.OS = value, c.os
		if got := e.path(c.template); got != c.want {
			t.Errorf("%s, %s: %s is %s, want %s", c.os, c.set, c.template, got, c.want)
		}
	}
	if got := e.Show("/h/.mcp.json"); got != "~/.mcp.json" {
		t.Error(got)
	}
}

func TestDetected(t *testing.T) {
	e := machine(t)
	c, _ := Named("goose")
	if e.Detected(c) {
		t.Error("goose is found in an empty home")
	}
	bin := filepath.Join(e.Home, "bin")
	e.Getenv = func(k string) string {
		if k == "PATH" {
			return bin
		}
		return ""
	}
	put(t, filepath.Join(bin, "goose"), "", 0o644)
	if e.Detected(c) {
		t.Error("a file that cannot be run is no program")
	}
	check(t, os.Chmod(filepath.Join(bin, "goose"), 0o755))
	if !e.Detected(c) {
		t.Error("goose is on PATH")
	}
}

// The texts keep their bounds.
func TestTexts(t *testing.T) {
	if n := strings.Count(instructionLines, "\n") + 1; n > 5 {
		t.Errorf("%d lines of instructions", n)
	}
	if n := strings.Count((wholeEdit{skillText}).entryText(), "\n"); n >= 60 ||
		!strings.HasPrefix(skillText, "---\nname: patina\ndescription: ") {
		t.Errorf("the skill has %d lines", n)
	}
	for _, c := range Clients() {
		if c.Source == "" || c.Read == "" || c.Title == "" || len(c.programs) == 0 || len(c.entry[0].paths) == 0 {
			t.Errorf("%s: the descriptor lacks something", c.Name)
		}
	}
}

// A backup must go if only hooks were written, and an entry that the user spells differently must
// stay.
func TestHooksAlone(t *testing.T) {
	e := machine(t)
	c, _ := Named("claude")
	server, hooks := filepath.Join(e.Home, ".claude.json"), filepath.Join(e.Home, ".claude", "settings.json")
	put(t, hooks, "{\n  \"model\": \"x\"\n}\n", 0o600)
	put(t, server, "{\n  \"mcpServers\": {\"patina\": {\"command\": \"patina\", \"args\": [\"mcp\"]}}\n}\n", 0o600)
	before := tree(t, e.Home)
	for _, h := range []Hooks{SafeHooks, ActHooks} {
		check(t, e.Install(Request{Clients: []Client{c}, Scope: User, Hooks: h}).Apply())
		if _, err := os.Stat(hooks + backupSuffix); err != nil {
			t.Fatal(err)
		}
		check(t, e.Uninstall(Clients(), User, false).Apply())
		same(t, "hooks alone", tree(t, e.Home), before)
	}
}
