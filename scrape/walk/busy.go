package walk

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"patina/scrape/openat"
)

// busyFor is the time limit of the search for a costly pattern.
const busyFor = 2 * time.Second

// busyPattern names the pattern that probably kept git busy in a folder, which is the one with the
// most wildcards. If there is no such pattern, it returns a hint.
func busyPattern(root string) string {
	const hint = " (hint: see what git status does there)"
	at, err := openat.Open(root)
	if err != nil {
		return hint
	}
	defer at.Close()
	until := time.Now().Add(busyFor)
	s := suspect{wildcards: 2}
	s.lookAt(at, ".git/info/exclude")
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case time.Now().After(until):
			return fs.SkipAll
		case err == nil && d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case err == nil && (d.Name() == ".gitignore" || d.Name() == ".gitattributes"):
			if name, err := filepath.Rel(root, p); err == nil {
				s.lookAt(at, filepath.ToSlash(name))
			}
		}
		return nil
	})
	if s.file == "" {
		return hint
	}
	return fmt.Sprintf(": the pattern %.80q in line %d of %q may keep it busy (hint: write it with fewer *)",
		s.pattern, s.line, s.file)
}

// A suspect is the pattern with the most wildcards seen so far.
type suspect struct {
	wildcards, line int
	file, pattern   string
}

func (s *suspect) lookAt(at *openat.Folder, name string) {
	text, _ := readPatterns(at, name)
	n := 0
	for line := range bytes.Lines(text) {
		n++
		// In .gitattributes the settings follow the pattern.
		pattern, _, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if stars, deep := countWildcards(pattern); stars+deep > s.wildcards {
			*s = suspect{stars + deep, n, name, pattern}
		}
	}
}
