package scrape

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ignoreFile holds patterns in the syntax of .gitignore, for the folder it lies in.
const ignoreFile = ".patinaignore"

// emptyBlob is git's name for an empty file: the files of the throw-away index need none of their own.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// dropIgnored takes out what .patinaignore files name. All names go into a throw-away index and git is asked which of them
// match, so that one rule holds for tracked and untracked files, and a "!" in .gitignore cannot undo a .patinaignore.
func dropIgnored(ctx context.Context, root string, files []found) ([]found, error) {
	if !hasIgnoreFile(root, files) {
		return files, nil
	}
	g, done, err := emptyRepository(root)
	if err != nil {
		return nil, err
	}
	defer done()
	var index bytes.Buffer
	for _, f := range files {
		index.WriteString("100644 " + emptyBlob + " 0\t" + f.path + "\x00")
	}
	if _, err := g.run(ctx, &index, "update-index", "-z", "--index-info"); err != nil {
		return nil, err
	}
	out, err := g.run(ctx, nil, "ls-files", "-z", "--cached", "--ignored", "--exclude-per-directory="+ignoreFile)
	if err != nil {
		return nil, err
	}
	ignored := map[string]bool{}
	for _, name := range splitZero(out) {
		ignored[name] = true
	}
	return slices.DeleteFunc(files, func(f found) bool { return ignored[f.path] }), nil
}

// hasIgnoreFile also looks at the root itself, where a .gitignore may hide the .patinaignore from the listing.
func hasIgnoreFile(root string, files []found) bool {
	if _, err := os.Lstat(filepath.Join(root, ignoreFile)); err == nil {
		return true
	}
	return slices.ContainsFunc(files, func(f found) bool { return path.Base(f.path) == ignoreFile })
}

// marks are the two attributes that a repository may set on its files.
type marks struct{ generated, vendored mark }

// A mark is an attribute's state; an explicit no overrides our own guess.
type mark int8

const (
	unsaid mark = iota
	yes
	no
)

// readMarks asks git for linguist-generated and linguist-vendored, where some .gitattributes exists.
func readMarks(ctx context.Context, g git, files []found) error {
	folders := make(map[string]bool) // those that have attributes
	for _, f := range files {
		if path.Base(f.path) == ".gitattributes" {
			folders[folderOf(f.path)] = true
		}
	}
	var names bytes.Buffer
	at := make(map[string]int)
	for i, f := range files {
		if below(f.path, folders) {
			names.WriteString(f.path + "\x00")
			at[f.path] = i
		}
	}
	if len(at) == 0 {
		return nil
	}
	out, err := g.run(ctx, &names, "check-attr", "-z", "--stdin", "linguist-generated", "linguist-vendored")
	if err != nil {
		return err
	}
	fields := splitZero(out) // path, attribute, value
	for ; len(fields) >= 3; fields = fields[3:] {
		i, ok := at[fields[0]]
		if !ok {
			continue
		}
		switch fields[1] {
		case "linguist-generated":
			files[i].marks.generated = markOf(fields[2])
		case "linguist-vendored":
			files[i].marks.vendored = markOf(fields[2])
		}
	}
	return nil
}

// below tells whether a path lies in one of the folders, however deep.
func below(p string, folders map[string]bool) bool {
	for len(folders) > 0 && p != "." {
		p = folderOf(p)
		if folders[p] {
			return true
		}
	}
	return false
}

func markOf(value string) mark {
	switch strings.ToLower(value) {
	case "set", "true", "1", "yes":
		return yes
	case "unset", "false", "0", "no":
		return no
	}
	return unsaid
}

// foreignIgnores names the ignore files that git cannot read: editors on Windows write UTF-16.
func foreignIgnores(root string, files []found) []string {
	var notes []string
	for _, f := range files {
		if base := path.Base(f.path); (base == ".gitignore" || base == ignoreFile) && startsUTF16(filepath.Join(root, f.path)) {
			notes = append(notes, fmt.Sprintf("%q is UTF-16, which git does not understand: nothing is ignored by it (save it as UTF-8)", f.path))
		}
	}
	return notes
}

func startsUTF16(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 4)
	n, _ := io.ReadFull(f, start)
	return utf16Order(start[:n]) != 0
}
