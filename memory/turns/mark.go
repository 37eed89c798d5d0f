package turns

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A mark is that of a source whose files have not changed as long as it is the same.
type mark struct {
	text string
	size int64
	time int64 // of the last change, in nanoseconds
}

// markOf returns the mark of a source's files. It follows no link.
func markOf(s Source) (m mark, err error) {
	info, err := os.Lstat(s.Path)
	if err != nil {
		return m, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	if !info.IsDir() {
		m.size, m.time = info.Size(), info.ModTime().UnixNano()
		m.text = fmt.Sprintf("%d %d", m.size, m.time)
		return m, nil
	}
	names, err := messageFiles(s.Path)
	if err != nil {
		return m, err
	}
	sum := sha256.New()
	for _, name := range names {
		info, err := os.Lstat(name)
		if err != nil {
			continue // it has just been removed
		}
		fmt.Fprintf(sum, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		m.size += info.Size()
		m.time = max(m.time, info.ModTime().UnixNano())
	}
	m.text = hex.EncodeToString(sum.Sum(nil))
	return m, nil
}

// messageFiles returns the files of a session's messages by OpenCode, each followed by the files of
// its parts: message/SESSION/*.json, and part/MESSAGE/*.json beside them.
func messageFiles(folder string) (out []string, err error) {
	storage := filepath.Dir(filepath.Dir(folder))
	names, _ := filepath.Glob(filepath.Join(globEscaped(folder), "msg_*.json"))
	for _, name := range names {
		out = append(out, name)
		parts, _ := filepath.Glob(filepath.Join(globEscaped(filepath.Join(storage, "part",
			strings.TrimSuffix(filepath.Base(name), ".json"))), "*.json"))
		if out = append(out, parts...); len(out) > mostFiles {
			return nil, fmt.Errorf("%w: %q has more than %d files", errUnreadable, folder, mostFiles)
		}
	}
	return out, nil
}

// globEscaped returns a pattern that matches only path.
func globEscaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
