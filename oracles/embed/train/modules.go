package train

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// moduleFolder returns a module's folder in the go command's cache, and downloads the module if
// needed. For the standard library it returns the root of the installed Go, which must have the
// listed version.
func moduleFolder(ctx context.Context, s Source) (string, error) {
	if s.Name == standard {
		out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOROOT").Output()
		if err != nil {
			return "", fmt.Errorf("find Go's standard library: %w", err)
		}
		version, root, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		if version != s.Version {
			return "", fmt.Errorf("find Go's standard library: this is %s, the list has %s (hint: set GOTOOLCHAIN=%s)",
				version, s.Version, s.Version)
		}
		return root, nil
	}
	out, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", s.Name+"@"+s.Version).Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &module); jsonErr != nil || module.Dir == "" {
		return "", fmt.Errorf("download %s@%s: %s %w", s.Name, s.Version, module.Error, err)
	}
	return module.Dir, nil
}

// below returns the files below a folder for which keep returns true, sorted by path.
func below(root string, keep func(path string, size int64) bool) ([]file, error) {
	var files []file
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil || !keep(filepath.ToSlash(rel), info.Size()) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files = append(files, file{filepath.ToSlash(rel), text})
		return nil
	})
	return files, err
}

// isText reports whether a text has no NUL at its beginning, which is git's test.
func isText(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 8<<10)], 0) < 0 }
