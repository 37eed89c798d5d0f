package project

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"patina/store/doc"

	"golang.org/x/text/unicode/norm"
)

// An OutsideError is about a path that leads out of a project.
type OutsideError struct{ Path, Root string }

// Error implements error.
func (e *OutsideError) Error() string { return fmt.Sprintf("%q lies outside of %q", e.Path, e.Root) }

// Names reads a typed document (a path, a doc_id, a symbol) as names in the index, the likeliest
// first. A name without "./" or "../" in front is read from the root, because answers print it so,
// and then from the working folder. A path that leads out of the project is an *OutsideError.
func (p Place) Names(typed string) ([]string, error) {
	if p.Far != "" {
		return p.farNames(typed)
	}
	if shape := doc.KindOf(typed).Traits().Shape; shape == doc.OfRows || shape == doc.Outside {
		return []string{typed}, nil
	}
	prefix, name, suffix := p.cutName(typed)
	var names []string
	add := func(s string) {
		if s = prefix + s + suffix; !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	if !explicit(name) {
		if clean := path.Clean(name); name != "" && clean != ".." && !strings.HasPrefix(clean, "../") {
			add(name)
			add(clean)
		}
	}
	full, err := p.physical(name)
	if err != nil {
		return names, fmt.Errorf("find %q: %w", typed, err)
	}
	rel, ok := relativePath(p.Root, full)
	if ok {
		add(rel)
	}
	if len(names) == 0 || explicit(name) && !ok {
		return nil, &OutsideError{typed, p.Root}
	}
	return names, nil
}

// farNames is Names for a far repository. All names in it are read from its root, because no folder
// here is inside it.
func (p Place) farNames(typed string) ([]string, error) {
	kind := doc.KindOf(typed).Traits()
	if kind.Shape == doc.OfRows || kind.Shape == doc.Outside {
		return []string{typed}, nil
	}
	name, part, parted := strings.TrimPrefix(typed, kind.Prefix), "", false
	if kind.Separator != "" {
		name, part, parted = strings.Cut(name, kind.Separator)
	}
	clean := path.Clean(name)
	if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return nil, &OutsideError{typed, p.Far}
	}
	if clean = kind.Prefix + clean; parted {
		clean += kind.Separator + part
	}
	return slices.Compact([]string{typed, clean}), nil
}

// Path reads a typed file or folder as a path from the root, whether the index holds it or not. It
// is read from the working folder, as other programs do. A symbolic link as the last part is not
// followed.
func (p Place) Path(typed string) (string, error) {
	full := typed
	if dir, base := filepath.Split(typed); base != "" && base != "." && base != ".." {
		above, err := p.physical(dir)
		if err != nil {
			return "", fmt.Errorf("find %q: %w", typed, err)
		}
		full = filepath.Join(above, asOnDisk(above, base))
	} else {
		var err error
		if full, err = p.physical(typed); err != nil {
			return "", fmt.Errorf("find %q: %w", typed, err)
		}
	}
	rel, ok := relativePath(p.Root, full)
	if !ok {
		return "", &OutsideError{typed, p.Root}
	}
	return rel, nil
}

// Folder reads a word as a folder in the working tree: from the root and then from the working
// folder, like Names. The root is "". It reports false if there is no such folder. It always
// reports true in a far repository, because the answer says what is there.
func (p Place) Folder(typed string) (folder string, ok bool, err error) {
	names, err := p.Names(typed)
	if err != nil {
		return "", false, err
	}
	if p.Far != "" {
		return strings.TrimPrefix(names[len(names)-1], "."), true, nil
	}
	for _, name := range names {
		full, err := filepath.EvalSymlinks(filepath.Join(p.Root, filepath.FromSlash(name)))
		if err != nil || !isFolder(full) {
			continue
		}
		switch rel, ok := relativePath(p.Root, full); {
		case ok && rel == ".":
			return "", true, nil
		case ok:
			return rel, true, nil
		}
	}
	return "", false, nil
}

// Pattern reads a typed glob as one from the root. A folder means all files below it. A glob that
// begins with "./", "../" or "/" is read from the working folder, any other from the root and then
// from the working folder. "!" in front stays there.
func (p Place) Pattern(glob string) (string, error) {
	rest := strings.TrimPrefix(glob, "!")
	not := glob[:len(glob)-len(rest)]
	fixed, marks := cutGlob(rest)
	if fixed == "" {
		return glob, nil
	}
	if p.Far != "" {
		return p.farPattern(not, rest, fixed, marks)
	}
	if !explicit(fixed) && p.isThere(fixed) {
		rel := path.Clean(fixed)
		return not + p.below(rel, marks, strings.HasSuffix(fixed, "/")), nil
	}
	full, err := p.physical(fixed)
	if err != nil {
		return "", fmt.Errorf("find %q: %w", glob, err)
	}
	rel, ok := relativePath(p.Root, full)
	switch {
	case explicit(fixed) && !ok:
		return "", &OutsideError{rest, p.Root}
	case explicit(fixed), ok && p.isThere(rel):
		return not + p.below(rel, marks, strings.HasSuffix(fixed, "/")), nil
	}
	return not + p.below(path.Clean(fixed), marks, strings.HasSuffix(fixed, "/")), nil
}

// farPattern is Pattern for a far repository, in which a name may be a file or a folder.
func (p Place) farPattern(not, glob, fixed, marks string) (string, error) {
	clean := path.Clean(fixed)
	if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", &OutsideError{glob, p.Far}
	}
	if marks == "" && clean != "." && !strings.HasSuffix(fixed, "/") {
		return not + "{" + clean + "," + clean + "/**}", nil
	}
	return not + path.Join(clean, cmp.Or(marks, "**")), nil
}

// isThere reports whether a file or folder has this path from the root. It returns false for the
// root.
func (p Place) isThere(rel string) bool {
	return rel != "" && p.Exists(rel)
}

// cutGlob splits a glob into the folders before its first special character, and the rest.
func cutGlob(glob string) (fixed, marks string) {
	at := strings.IndexAny(glob, `*?[{\`)
	if at < 0 {
		return glob, ""
	}
	at = strings.LastIndexByte(glob[:at], '/') + 1
	return glob[:at], glob[at:]
}

// below joins a path from the root and the rest of a glob. Without a rest, a folder means all files
// below it.
func (p Place) below(rel, marks string, isFolder bool) string {
	if rel == "." {
		rel = ""
	}
	if marks == "" {
		info, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(rel)))
		if rel != "" && !isFolder && (err != nil || !info.IsDir()) {
			return rel
		}
		marks = "**"
	}
	return path.Join(rel, marks)
}

// Exists reports whether a name in the index is a file or folder in the working tree. It returns
// false for a far repository, which has no tree here.
func (p Place) Exists(name string) bool {
	if p.Far != "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(name)))
	return err == nil
}

// cutName splits a typed name into the prefix of its kind, a path, and a symbol or section after
// it. A path may hold the separators itself, so the longest existing one counts.
func (p Place) cutName(typed string) (_, name, suffix string) {
	kind := doc.KindOf(typed).Traits()
	prefix, sep := kind.Prefix, kind.Separator
	rest := strings.TrimPrefix(typed, prefix)
	for at := len(rest); at >= 0; at = strings.LastIndex(rest[:at], sep) {
		full, err := p.physical(rest[:at])
		if err != nil {
			break
		}
		if _, err := os.Lstat(full); err == nil && at > 0 {
			return prefix, rest[:at], rest[at:]
		}
	}
	name, _, _ = strings.Cut(rest, sep)
	return prefix, name, rest[len(name):]
}

// explicit reports whether a path itself says where it begins.
func explicit(name string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	return filepath.IsAbs(name) || first == "." || first == ".."
}

// physical returns the file or folder at a path from the working folder, without symbolic links.
// The file need not exist. If the working folder is outside the project, the path begins at the
// root.
func (p Place) physical(name string) (string, error) {
	if filepath.IsAbs(name) {
		return realPath(name), nil
	}
	dir := p.From
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return "", err
		}
	}
	if dir = realPath(dir); !isInside(p.Root, dir) {
		dir = p.Root
	}
	return realPath(dir + string(filepath.Separator) + name), nil
}

// realPath resolves symbolic links as far as a path exists, folder by folder: "link/.." is the
// folder around the link's target.
func realPath(full string) string {
	full = strings.TrimRight(full, string(filepath.Separator))
	if full == "" {
		return string(filepath.Separator)
	}
	if found, err := filepath.EvalSymlinks(full); err == nil {
		return found
	}
	dir, base := filepath.Split(full)
	above := realPath(dir)
	switch base {
	case ".", "":
		return above
	case "..":
		return filepath.Dir(above)
	}
	found := filepath.Join(above, asOnDisk(above, base))
	if evaluated, err := filepath.EvalSymlinks(found); err == nil {
		return evaluated
	}
	return found
}

// asOnDisk returns a name as its folder spells it, because accented letters may have another
// Unicode form there.
func asOnDisk(dir, name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r > 0x7f }) {
		return name
	}
	entries, _ := os.ReadDir(dir)
	same := name
	for _, e := range entries {
		if e.Name() == name {
			return name
		}
		if norm.NFC.String(e.Name()) == norm.NFC.String(name) {
			same = e.Name()
		}
	}
	return same
}

// relativePath returns a full path relative to the root, with slashes; the root is ".". It reports
// false if the path is outside the root.
func relativePath(root, full string) (string, bool) {
	rel, err := filepath.Rel(root, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func isInside(root, full string) bool {
	_, ok := relativePath(root, full)
	return ok
}
