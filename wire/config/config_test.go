package config

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const goodNodes = `hint_secret = "s"

[[node]]
name = "node-0"
address = "node-0.example:7420"
[[node]]
name = "node-1"
address = "node-1.example:7420"
[[front]]
name = "front-0"
address = "front-0.example:7420"

[groups.backend]
users = ["anna", "ben"]
[groups.all]
users = ["*"]

[revoked]
names = ["carl"]
serials = ["00ab12"]
`

const goodRepositories = `[[repo]]
url = "https://git.example.com/team/Api.git"
replicas = 2
groups = ["backend"]
[[repo]]
url = "/srv/git/tools"
name = "tools"
[[repo]]
url = "git@git.example.com:team/site.git"
groups = ["all"]
`

func write(t *testing.T, dir, nodes, repositories string) {
	t.Helper()
	for name, content := range map[string]string{NodesFile: nodes, RepositoriesFile: repositories} {
		if content == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRights(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, goodNodes, goodRepositories)
	c, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		user, repository string
		want             bool
	}{
		{"anna", "git.example.com/team/Api", true},
		{"dora", "git.example.com/team/Api", false},
		{"dora", "tools", true}, // without groups
		{"dora", "git.example.com/team/site", true},
		{"anna", "git.example.com/team/other", false}, // unknown is as hidden
		{"", "tools", false},
	} {
		if got := c.May(test.user, test.repository); got != test.want {
			t.Errorf("%q may ask %q: %v", test.user, test.repository, got)
		}
		if got := c.MayRights(c.RightsOf(test.user), test.repository); test.user != "" && got != test.want {
			t.Errorf("those with the rights of %q may ask %q: %v", test.user, test.repository, got)
		}
	}
	if a, b, d := c.RightsOf("anna"), c.RightsOf("ben"), c.RightsOf("dora"); a != b || a == d {
		t.Errorf("rights %q %q %q", a, b, d)
	}
	for _, test := range []struct {
		name, serial string
		want         bool
	}{{"carl", "1", true}, {"anna", "AB12", true}, {"anna", "ab13", false}} {
		if got := c.IsRevoked(test.name, test.serial); got != test.want {
			t.Errorf("%v: %v", test, got)
		}
	}
	plan, err := c.Plan()
	if err != nil || len(plan["git.example.com/team/Api"]) != 2 || len(plan["tools"]) != 1 {
		t.Errorf("%v, %v", plan, err)
	}
}

// What is wrong is named with its file and its way out, and nothing is half read.
func TestReadRefuses(t *testing.T) {
	for want, files := range map[string][2]string{
		"no such file":                      {"", goodRepositories},
		`line 2: unknown key "node.adress"`: {"[[node]]\nadress = \"a:1\"\n", ""},
		"line 1":                            {"[[node\n", ""},
		"must be host:port":                 {"[[node]]\nname = \"a\"\naddress = \"a\"\n", ""},
		`"a" is declared twice`:             {"[[node]]\nname = \"a\"\naddress = \"a:1\"\n[[front]]\nname = \"a\"\naddress = \"a:2\"\n", ""},
		`name "a b"`:                        {"[[node]]\nname = \"a b\"\naddress = \"a:1\"\n", ""},
		"it has no name":                    {goodNodes, "[[repo]]\nurl = \"/srv/x\"\n"},
		"is listed twice":                   {goodNodes, "[[repo]]\nurl = \"https://h/a/b\"\n[[repo]]\nurl = \"ssh://git@H:22/a/b.git\"\n"},
		`group "gone"`:                      {goodNodes, "[[repo]]\nurl = \"https://h/a/b\"\ngroups = [\"gone\"]\n"},
		`node "node-9" is not declared`:     {goodNodes, "[[repo]]\nurl = \"https://h/a/b\"\nnodes = [\"node-9\"]\n"},
		"may not be negative":               {goodNodes, "[[repo]]\nurl = \"https://h/a/b\"\nreplicas = -1\n"},
		`kind "wishes"`:                     {goodNodes, "[[repo]]\nurl = \"https://h/a/b\"\nkinds = [\"code\", \"wishes\"]\n"},
		"no node is declared":               {"[[front]]\nname = \"f\"\naddress = \"f:1\"\n", "[[repo]]\nurl = \"https://h/a/b\"\n"},
	} {
		dir := t.TempDir()
		write(t, dir, files[0], files[1])
		if c, err := Read(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v, want %q", c, err, want)
		}
	}
}

func TestNameOfURL(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/org/Name.git":          "github.com/org/Name",
		"https://user:secret@GitHub.com/org/name/": "github.com/org/name",
		"ssh://git@github.com:2222/org/name.git":   "github.com/org/name",
		"git@github.com:org/name.git":              "github.com/org/name",
		"github.com:org/name":                      "github.com/org/name",
		"https://git.example.com/a/b/c":            "git.example.com/a/b/c",
		"https://h/../../a/./b":                    "h/a/b",
		"/srv/git/name.git":                        "",
		"../name":                                  "",
		`C:\src\name`:                              "",
		"file:///srv/name":                         "",
		"https://h/":                               "",
		"https://h/a b":                            "",
		"":                                         "",
	} {
		if got := NameOfURL(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

func FuzzNameOfURL(f *testing.F) {
	for _, s := range []string{"https://h/a/b.git", "git@h:a/b", "C:\\x", "::::", "ssh://[::1]:22/a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n := NameOfURL(s); n != "" && (strings.HasPrefix(n, "/") || strings.Contains(n, "/../") || strings.ContainsAny(n, "\n\x00")) {
			t.Errorf("%q: %q", s, n)
		}
	})
}

func TestCheckListen(t *testing.T) {
	for _, test := range []struct {
		address      string
		certificates bool
		ok           bool
	}{
		{"127.0.0.1:7420", false, true},
		{"[::1]:7420", false, true},
		{"localhost:0", false, true},
		{"0.0.0.0:7420", false, false},
		{":7420", false, false},
		{"node-0.example:7420", false, false},
		{"0.0.0.0:7420", true, true},
		{"7420", true, false},
	} {
		if err := CheckListen(test.address, test.certificates); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// A changed file is read again; a broken one leaves the last good configuration in force.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, goodNodes, goodRepositories)
	news := make(chan *Config, 1)
	l, err := NewLive(dir, slog.New(slog.DiscardHandler), func(c *Config) { news <- c })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	followed := make(chan struct{})
	go func() {
		l.Follow(ctx)
		close(followed)
	}()
	write(t, dir, "", strings.Replace(goodRepositories, `groups = ["backend"]`, `groups = ["all"] # open`, 1))
	select {
	case <-news:
	case <-time.After(30 * time.Second):
		t.Fatal("a change was not seen")
	}
	if !l.Config().May("dora", "git.example.com/team/Api") {
		t.Error("the change is not in force")
	}
	cancel()
	<-followed
	write(t, dir, "[[node", "")
	l.reload()
	if !l.Config().May("dora", "git.example.com/team/Api") {
		t.Error("a broken file took the last good one away")
	}
}

// Kubernetes mounts files as links into a folder, which it swaps.
func TestReadFollowsLinks(t *testing.T) {
	dir, mounted := t.TempDir(), t.TempDir()
	write(t, mounted, goodNodes, goodRepositories)
	if err := os.Symlink(mounted, filepath.Join(dir, "..data")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{NodesFile, RepositoriesFile} {
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Read(dir)
	if err != nil || len(c.Nodes) != 2 || len(c.Repositories) != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A node whose name is revoked stays declared, so that nothing moves, and is not asked.
func TestTrusted(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, strings.Replace(goodNodes, `"carl"`, `"carl", "node-1"`, 1), goodRepositories)
	c, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if all := c.Trusted(); len(all) != 1 || all[0].Name != "node-0" || len(c.Nodes) != 2 {
		t.Errorf("%v of %v", all, c.Nodes)
	}
}
