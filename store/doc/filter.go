package doc

import (
	"fmt"
	"slices"
	"strings"

	"patina/internal/glob"
)

// A ListedFile is a file with the properties that a Filter examines.
type ListedFile struct {
	Key            int64
	Entries        int64 // keys after the file's own: sections of a document
	Path, Language string
	Pkg            string // the file's package
}

// OneFile returns the path of the only file that can pass the filter. It returns false if the
// filter does not name a single file.
func (f Filter) OneFile() (path string, ok bool) {
	for _, g := range f.Paths {
		if strings.HasPrefix(g, "!") {
			continue
		}
		if path != "" || strings.ContainsAny(g, `*?[{\`) {
			return "", false
		}
		path = g
	}
	return path, path != ""
}

// Check returns an error if a glob is invalid or would take long to match.
func (f Filter) Check() error {
	for _, g := range f.Paths {
		g = strings.TrimPrefix(g, "!")
		if !glob.Bounded(g) {
			return fmt.Errorf("read path filter %.60q: over %d bytes or %d alternatives", g, glob.MaxLength,
				glob.MaxAlternatives)
		}
		if !glob.Valid(g) {
			return fmt.Errorf("read path filter %q: not a valid glob", g)
		}
	}
	return nil
}

// Matches reports whether a path passes the globs. It must match one without "!", if there are any,
// and must not match one with "!".
func (f Filter) Matches(path string) bool {
	some, hit := false, false
	for _, g := range f.Paths {
		if not, ok := strings.CutPrefix(g, "!"); ok {
			if glob.Match(not, path) {
				return false
			}
			continue
		}
		some = true
		hit = hit || glob.Match(g, path)
	}
	return hit || !some
}

func (f Filter) speaks(language string) bool {
	return len(f.Languages) == 0 || slices.ContainsFunc(f.Languages, func(l string) bool {
		return strings.EqualFold(l, language)
	})
}

// Belongs reports whether the filter lets a package pass, by its whole name or by the part after a
// "/".
func (f Filter) Belongs(pkg string) bool {
	return len(f.Packages) == 0 || slices.ContainsFunc(f.Packages, func(p string) bool {
		cut := len(pkg) - len(p)
		return cut >= 0 && strings.EqualFold(pkg[cut:], p) && (cut == 0 || pkg[cut-1] == '/')
	})
}

// Keeps reports whether a file passes the filter.
func (f Filter) Keeps(x ListedFile) bool {
	return f.Matches(x.Path) && f.speaks(x.Language) && f.Belongs(x.Pkg)
}

// Narrow reports whether the filter restricts files.
func (f Filter) Narrow() bool { return len(f.Paths)+len(f.Languages)+len(f.Packages) > 0 }

// Wants reports whether the filter lets a kind pass.
func Wants(f Filter, k Kind) bool { return len(f.Kinds) == 0 || slices.Contains(f.Kinds, k) }
