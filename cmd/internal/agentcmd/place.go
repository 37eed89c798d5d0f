package agentcmd

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// An Env is the machine as clients see it. Getenv must not be nil.
type Env struct {
	Home   string // the user's home folder
	Root   string // the project's folder; empty without a project
	OS     string // as in runtime.GOOS
	Record string // the file that records installations; empty: no record
	Getenv func(string) string
}

// path expands a template. "~/…" is in the user's home and "./…" in the project. A variable is a
// folder that differs between systems, or that the environment moves.
func (e Env) path(template string) string {
	head, rest, _ := strings.Cut(template, "/")
	return filepath.Join(e.folder(head), filepath.FromSlash(rest))
}

func (e Env) folder(head string) string {
	in := func(parts ...string) string { return filepath.Join(append([]string{e.Home}, parts...)...) }
	config := cmp.Or(e.Getenv("XDG_CONFIG_HOME"), in(".config"))
	roaming := cmp.Or(e.Getenv("APPDATA"), in("AppData", "Roaming"))
	switch head {
	case ".":
		return e.Root
	case "$CLAUDE":
		return cmp.Or(e.Getenv("CLAUDE_CONFIG_DIR"), in(".claude"))
	case "$CLAUDEJSON":
		return cmp.Or(e.Getenv("CLAUDE_CONFIG_DIR"), e.Home)
	case "$CODEX":
		return cmp.Or(e.Getenv("CODEX_HOME"), in(".codex"))
	case "$COPILOT":
		return cmp.Or(e.Getenv("COPILOT_HOME"), in(".copilot"))
	case "$CONFIG":
		return config
	case "$CODE":
		switch e.OS {
		case "darwin":
			return in("Library", "Application Support", "Code", "User")
		case "windows":
			return filepath.Join(roaming, "Code", "User")
		}
		return filepath.Join(config, "Code", "User")
	case "$ZED":
		switch e.OS {
		case "darwin":
			return in(".config", "zed")
		case "windows":
			return filepath.Join(roaming, "Zed")
		}
		return filepath.Join(config, "zed")
	case "$GOOSE":
		if e.OS == "windows" {
			return filepath.Join(roaming, "Block", "goose", "config")
		}
		return in(".config", "goose")
	}
	return e.Home
}

// choose returns the first template that exists, else the first. It is empty without templates.
func (e Env) choose(templates []string) string {
	for _, t := range templates {
		if _, err := os.Lstat(e.path(t)); err == nil {
			return e.path(t)
		}
	}
	if len(templates) == 0 {
		return ""
	}
	return e.path(templates[0])
}

// Show shortens a path for people.
func (e Env) Show(path string) string {
	for _, base := range []struct{ dir, sign string }{{e.Root, ""}, {e.Home, "~" + string(filepath.Separator)}} {
		if rest, ok := strings.CutPrefix(path, base.dir+string(filepath.Separator)); ok && base.dir != "" {
			return base.sign + rest
		}
	}
	return path
}

// OnPath returns the path of a program found by PATH, or "".
func (e Env) OnPath(program string) string {
	names := []string{program}
	if e.OS == "windows" {
		names = []string{program + ".exe", program + ".cmd"}
	}
	for _, dir := range filepath.SplitList(e.Getenv("PATH")) {
		for _, name := range names {
			full := filepath.Join(dir, name)
			info, err := os.Stat(full)
			if dir != "" && err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || e.OS == "windows") {
				return full
			}
		}
	}
	return ""
}

// Detected reports whether a client seems to be installed for this user.
func (e Env) Detected(c Client) bool {
	for _, trace := range c.traces {
		if _, err := os.Stat(e.path(trace)); err == nil {
			return true
		}
	}
	for _, program := range c.programs {
		if e.OnPath(program) != "" {
			return true
		}
	}
	return false
}
