package git

import (
	"strings"
	"testing"
)

func TestNameOfURL(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/org/Name.git":          "github.com/org/Name",
		"https://user:secret@GitHub.com/org/name/": "github.com/org/name",
		"https://token@github.com/org/name":        "github.com/org/name",
		"https://github.com:8443/org/name.git/":    "github.com/org/name",
		"https://github.com//org//name":            "github.com/org/name",
		"https://github.com/org/name.git?x=1#y":    "github.com/org/name",
		"http://github.com/org/my%20name":          "",
		"git://github.com/org/name.git":            "github.com/org/name",
		"ssh://git@github.com:2222/org/name.git":   "github.com/org/name",
		"git+ssh://git@github.com/org/name.git":    "github.com/org/name",
		"ssh://git@[::1]:22/org/name.git":          "::1/org/name",
		"git@github.com:org/name.git":              "github.com/org/name",
		"GIT@GITHUB.COM:org/name.git":              "github.com/org/name",
		"github.com:org/name":                      "github.com/org/name",
		"git@github.com:/org/name":                 "github.com/org/name",
		"git@github.com:~ann/name":                 "github.com/~ann/name",
		"git@[github.com:22]:org/name.git":         "github.com/org/name",
		"[::1]:org/name":                           "::1/org/name",
		"git@h:org/name":                           "h/org/name",
		"git@h:org/na@me":                          "h/org/na@me",
		"u@corp@host:org/name":                     "host/org/name",
		"https://git.example.com/a/b/c":            "git.example.com/a/b/c",
		"https://h/../../a/./b":                    "h/a/b",
		" https://github.com/org/name\n":           "github.com/org/name",
		"https://h/a/.git":                         "h/a",
		"/srv/git/name.git":                        "",
		"../name":                                  "",
		"./a:b":                                    "",
		`C:\src\name`:                              "",
		"file:///srv/name":                         "",
		"file://host/srv/name":                     "",
		"https://h/":                               "",
		"https:///org/name":                        "",
		"https://h/a b":                            "",
		"ssh://git@host:port/a":                    "",
		"":                                         "",
	} {
		if got := NameOfURL(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

func FuzzNameOfURL(f *testing.F) {
	for _, s := range []string{"https://h/a/b.git", "git@h:a/b", "C:\\x", "::::", "ssh://[::1]:22/a", "u:secret@h:a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := NameOfURL(s)
		if n != "" && (strings.HasPrefix(n, "/") || strings.HasSuffix(n, "/") || strings.Contains(n, "/../") || strings.ContainsAny(n, "\n\x00 ")) {
			t.Errorf("%q: %q", s, n)
		}
	})
}

// The origin is what git says.
func TestOrigin(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	tree, err := Find(root)
	if err != nil || tree.Origin() != "" {
		t.Fatalf("%q, %v", tree.Origin(), err)
	}
	git(t, root, "remote", "add", "upstream", "https://h/other/name")
	git(t, root, "remote", "add", "origin", "git@h:org/name.git")
	if got := tree.Origin(); got != strings.TrimSpace(git(t, root, "remote", "get-url", "origin")) || NameOfURL(got) != "h/org/name" {
		t.Errorf("%q", got)
	}
}
