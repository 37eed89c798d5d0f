package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/scrape/scrapetest"
)

// The plugin for Neovim answers in the editor itself, by its own test in a repository that has an
// index.
func TestNeovimPlugin(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("nvim is not installed (apt-get install neovim)")
	}
	script, err := filepath.Abs("../../deploy/editors/nvim/test.lua")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "app")
	scrapetest.Tree(t, dir, map[string]string{
		"tea.go":      "package app\n\n// PourTea pours tea into a cup.\nfunc PourTea() { AddMilk() }\n\n// AddMilk adds milk.\nfunc AddMilk() {}\n",
		"zanzibar.md": "# Zanzibar `touch ran` $(touch ran) | let g:ran = 1\n\n\"zanzibar\" <CR>:let g:ran = 1<CR>\n",
		"patina":      "#!/bin/sh\ntouch ran\n",
	})
	if err := os.Chmod(filepath.Join(dir, "patina"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PATINA_HOME="+t.TempDir(), "HOME="+t.TempDir(), "PATINA_TIMEOUT=5m", "PATINA_REFRESH=5m",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME="+t.TempDir())
	for _, args := range [][]string{
		{"git", "init", "-q", "-b", "main"},
		{"git", "add", "-A"},
		{"git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "feat: tea"},
		{"patina", "scrape"},
		{nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", script},
	} {
		c := exec.CommandContext(t.Context(), args[0], args[1:]...)
		c.Dir, c.Env = dir, env
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", filepath.Base(args[0]), err, out)
		}
		if args[0] == nvim && !strings.Contains(string(out), "ok\n") {
			t.Errorf("nvim has not come to its end:\n%s", out)
		}
	}
}
