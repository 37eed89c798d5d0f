package walk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"patina/scrape/class"
	"patina/scrape/content"
	"patina/scrape/openat"
)

// ignoreFile has patterns for its folder, in the syntax of .gitignore.
const ignoreFile = ".patinaignore"

// emptyBlob is git's id of an empty file. All files of the temporary index have it.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// dropIgnored removes the files that match a .patinaignore. The notes name the patterns that are
// left out.
//
// All names go into a temporary index, the .patinaignore files into a temporary tree, and git
// returns the names that match. So one rule applies to tracked and untracked files, and a "!" in
// .gitignore cannot undo a .patinaignore.
func dropIgnored(ctx context.Context, at *openat.Folder, files []File) (left []File, notes []string, err error) {
	if !hasIgnoreFile(at, files) {
		return files, nil, nil
	}
	t, err := newTempRepo()
	if err != nil {
		return nil, nil, err
	}
	defer t.remove()
	if notes, err = copyIgnoreFiles(at, files, t.tree()); err != nil {
		return nil, nil, err
	}
	g := repo{folder: t.tree(), dir: t.dir, tree: t.tree()}
	var index bytes.Buffer
	for _, f := range files {
		index.WriteString("100644 " + emptyBlob + " 0\t" + f.Path + "\x00")
	}
	if _, err := g.runGit(ctx, &index, "update-index", "-z", "--index-info"); err != nil {
		return nil, nil, err
	}
	out, err := g.runGit(ctx, nil, "ls-files", "-z", "--cached", "--ignored", "--exclude-per-directory="+ignoreFile)
	if err != nil {
		return nil, nil, err
	}
	ignored := map[string]bool{}
	for _, name := range splitZero(out) {
		ignored[name] = true
	}
	return slices.DeleteFunc(files, func(f File) bool { return ignored[f.Path] }), notes, nil
}

// hasIgnoreFile reports whether there is a .patinaignore. The one at the root is opened, because a
// .gitignore may hide it from the listing.
func hasIgnoreFile(at *openat.Folder, files []File) bool {
	if file, err := at.Open(ignoreFile); err == nil {
		file.Close()
		return true
	}
	return slices.ContainsFunc(files, func(f File) bool { return path.Base(f.Path) == ignoreFile })
}

// copyIgnoreFiles copies the .patinaignore files to another folder, without the patterns that cost
// too much. The notes name these.
func copyIgnoreFiles(at *openat.Folder, files []File, to string) (notes []string, err error) {
	s := sizesOf(files)
	for _, dir := range foldersOf(files) {
		name := path.Join(dir, ignoreFile)
		text, err := readPatterns(at, name)
		if errors.Is(err, errTooLarge) {
			notes = append(notes, fmt.Sprintf("%q is larger than %d bytes: nothing is ignored by it",
				name, maxPatterns))
		}
		if err != nil {
			continue
		}
		text, dear := s.affordable(name, text)
		notes = append(notes, dear...)
		full := filepath.Join(to, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(full), 0o700); err == nil {
			err = os.WriteFile(full, text, 0o600)
		}
		if err != nil {
			return nil, fmt.Errorf("copy %q: %w", name, err)
		}
	}
	return notes, nil
}

// foldersOf returns the folders of files and all folders above them.
func foldersOf(files []File) []string {
	all := []string{"."}
	seen := map[string]bool{".": true}
	for _, f := range files {
		for dir := openat.Parent(f.Path); !seen[dir]; dir = openat.Parent(dir) {
			seen[dir] = true
			all = append(all, dir)
		}
	}
	return all
}

// readAttributes asks git for linguist-generated and linguist-vendored where a .gitattributes
// exists. A .gitattributes with a pattern that costs too much is not used at all, and a note says
// so.
func readAttributes(ctx context.Context, g repo, at *openat.Folder, l *Listing) error {
	files := l.Files
	folders := make(map[string]bool) // folders with a .gitattributes
	s := sizesOf(files)
	dear := make(map[string]bool) // folders whose .gitattributes costs too much
	for _, f := range files {
		if path.Base(f.Path) != ".gitattributes" {
			continue
		}
		folders[openat.Parent(f.Path)] = true
		text, _ := readPatterns(at, f.Path) // git does not read a larger one either
		if _, notes := s.affordable(f.Path, firstWords(text)); len(notes) > 0 {
			dear[openat.Parent(f.Path)] = true
			l.Notes = append(l.Notes, notes...)
		}
	}
	var names bytes.Buffer
	number := make(map[string]int)
	for i, f := range files {
		if isBelow(f.Path, folders) && !isBelow(f.Path, dear) {
			names.WriteString(f.Path + "\x00")
			number[f.Path] = i
		}
	}
	if len(number) == 0 {
		return nil
	}
	out, err := g.runGit(ctx, &names, "check-attr", "-z", "--stdin", "linguist-generated", "linguist-vendored")
	if err != nil {
		return err
	}
	fields := splitZero(out) // path, attribute, value
	for ; len(fields) >= 3; fields = fields[3:] {
		i, ok := number[fields[0]]
		if !ok {
			continue
		}
		switch fields[1] {
		case "linguist-generated":
			files[i].Attributes.Generated = class.AttributeOf(fields[2])
		case "linguist-vendored":
			files[i].Attributes.Vendored = class.AttributeOf(fields[2])
		}
	}
	return nil
}

// firstWords returns the patterns of a .gitattributes, one a line.
func firstWords(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		pattern, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		out = append(append(out, pattern...), '\n')
	}
	return out
}

// isBelow reports whether a path is in one of the folders, however deep.
func isBelow(p string, folders map[string]bool) bool {
	for len(folders) > 0 && p != "." {
		p = openat.Parent(p)
		if folders[p] {
			return true
		}
	}
	return false
}

// foreignIgnores returns a note for each ignore file in UTF-16, because git cannot read it. Editors
// on Windows write such files.
func foreignIgnores(at *openat.Folder, files []File) []string {
	var notes []string
	for _, f := range files {
		if base := path.Base(f.Path); (base == ".gitignore" || base == ignoreFile) && startsUTF16(at, f.Path) {
			notes = append(notes, fmt.Sprintf("%q is UTF-16, which git does not understand: "+
				"nothing is ignored by it (save it as UTF-8)", f.Path))
		}
	}
	return notes
}

func startsUTF16(at *openat.Folder, name string) bool {
	file, err := at.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 4)
	n, _ := io.ReadFull(file, start)
	return content.UTF16Order(start[:n]) != 0
}
