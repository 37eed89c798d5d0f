package git

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A NewCommit is one commit of a repository that Create makes.
type NewCommit struct {
	Author  string // name <address>
	Time    time.Time
	Message string
	Files   map[string][]byte // by path with slashes; other files stay as they are
}

// Create makes a repository with the branch main in a folder, with commits from oldest to newest,
// and checks the last one out. Equal commits give equal ids on every machine. No setting of the
// user counts. dir must not exist.
func Create(ctx context.Context, dir string, commits []NewCommit) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := runGit(ctx, Call{Folder: dir, Args: []string{"init", "--quiet", "--template=", "--initial-branch=main"}}); err != nil {
		return err
	}
	var stream bytes.Buffer
	for _, c := range commits {
		c.write(&stream)
	}
	stream.WriteString("done\n")
	if err := runGit(ctx, Call{Folder: dir, Input: &stream, Args: []string{"fast-import", "--quiet", "--done"}}); err != nil {
		return err
	}
	return runGit(ctx, Call{Folder: dir, Args: []string{"reset", "--quiet", "--hard"}})
}

// write appends a commit in the form that git fast-import reads.
func (c NewCommit) write(stream *bytes.Buffer) {
	who := fmt.Sprintf("%s %d +0000", c.Author, c.Time.Unix())
	fmt.Fprintf(stream, "commit refs/heads/main\nauthor %s\ncommitter %s\ndata %d\n%s\n", who, who, len(c.Message), c.Message)
	for _, path := range slices.Sorted(maps.Keys(c.Files)) {
		fmt.Fprintf(stream, "M 100644 inline %q\ndata %d\n%s\n", path, len(c.Files[path]), c.Files[path])
	}
}
