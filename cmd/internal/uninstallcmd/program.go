package uninstallcmd

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"patina/internal/safeio"
)

// maxText bounds the size of a manual page or a script, in bytes.
const maxText = 4 << 20

// programItems lists the program, the files that an installation puts beside it, and the units that
// a user may have copied. Texts are recognised by a line that only patina writes. A program in a
// folder of sources, or one of the system's packages, is left.
func programItems(program, userHome string, all bool) (items []Item) {
	prefix := filepath.Dir(filepath.Dir(program))
	data := cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(userHome, ".local", "share"))
	config := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(userHome, ".config"))
	for _, text := range []struct{ path, mark string }{
		{filepath.Join(prefix, "share", "man", "man1", "patina.1"), `.TH PATINA 1`},
		{filepath.Join(prefix, "share", "bash-completion", "completions", "patina"), "# bash completion V2 for patina "},
		{filepath.Join(prefix, "share", "zsh", "site-functions", "_patina"), "#compdef patina"},
		{filepath.Join(prefix, "share", "fish", "vendor_completions.d", "patina.fish"), "# fish completion for patina "},
		{filepath.Join(data, "bash-completion", "completions", "patina"), "# bash completion V2 for patina "},
		{filepath.Join(config, "fish", "completions", "patina.fish"), "# fish completion for patina "},
	} {
		if _, err := os.Lstat(text.path); err != nil || isListed(items, text.path) {
			continue
		}
		x := Item{What: programItem, Path: text.path, Action: remove, take: removeFile(text.path)}
		b, err := safeio.ReadFile(text.path, maxText)
		switch {
		case err != nil || !bytes.Contains(b[:min(len(b), 4096)], []byte(text.mark)):
			x.Action, x.Why = leave, "it has no mark of patina"
		case isSystem(text.path):
			x.Action, x.Why = leave, "your package manager removes it"
		case !all:
			x.Action = keep
		}
		items = append(items, x)
	}
	items = append(items, recordedItems(prefix, items, all)...)
	x := Item{What: programItem, Path: program, Action: remove, take: removeFile(program)}
	info, err := os.Lstat(program)
	switch {
	case err != nil:
		return items
	case isSystem(program):
		x.Action, x.Why = leave, "your package manager removes it"
	case !info.Mode().IsRegular() || filepath.Base(program) != "patina" || filepath.Base(filepath.Dir(program)) != "bin" ||
		exists(filepath.Join(prefix, "go.mod")):
		x.Action, x.Why = leave, "it is not where an installation puts it"
	case !all:
		x.Action = keep
	}
	items = append(items, x)
	for _, name := range []string{"patina-serve.service", "patina-node.service"} {
		unit := filepath.Join(config, "systemd", "user", name)
		if exists(unit) {
			items = append(items, Item{
				What: unitItem, Path: unit, Action: leave, Why: "you have put it there: systemctl --user disable --now " + name,
			})
		}
	}
	return items
}

// recordedItems lists the texts that install.sh has written below prefix, by its record, and the
// record at the end. What listed has already, and the program, are left out.
func recordedItems(prefix string, listed []Item, all bool) (items []Item) {
	record := filepath.Join(prefix, "share", "patina", "installed")
	b, err := safeio.ReadFile(record, maxText)
	if err != nil {
		return nil
	}
	texts := filepath.Join(prefix, "share", "doc", "patina")
	for _, path := range append(strings.Fields(string(b)), filepath.Join("share", "patina", "installed")) {
		path = filepath.Join(prefix, filepath.FromSlash(path))
		if path != record && filepath.Dir(path) != texts || !exists(path) || isListed(listed, path) || isListed(items, path) {
			continue
		}
		x := Item{What: programItem, Path: path, Action: remove, take: removeLast(path)}
		if !all {
			x.Action = keep
		}
		items = append(items, x)
	}
	return items
}

// removeLast returns a function that removes a file, and its folder if it was the last one there.
func removeLast(path string) func() error {
	return func() error {
		err := removeFile(path)()
		_ = os.Remove(filepath.Dir(path)) // it fails if the folder has other files
		return err
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isListed(items []Item, path string) bool {
	for _, x := range items {
		if x.Path == path {
			return true
		}
	}
	return false
}

// isSystem reports whether a path is of the system's packages: below /usr, but not /usr/local.
func isSystem(path string) bool {
	rel, err := filepath.Rel("/usr", path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	local, err := filepath.Rel("/usr/local", path)
	return err != nil || !filepath.IsLocal(local)
}
