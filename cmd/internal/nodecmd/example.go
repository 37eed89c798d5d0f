package nodecmd

import (
	"context"
	"embed"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"patina/scrape/git"
)

// The example is a shop: two programs in Go, one library in Python, and the program of a till that
// uses one of them. Each archive of a repository is one commit, with its message before its files.
//
//go:embed example/*/*.txtar
var exampleFiles embed.FS

// exampleHosted are the repositories that nodes host. exampleHome is the one of somebody who asks.
var exampleHosted = []string{"courier", "orders", "labels"}

// exampleQuestion is a question there about exampleUsed.
const (
	exampleHome     = "till"
	exampleUsed     = "courier"
	exampleQuestion = "how long is the pause between two attempts"
)

// exampleName returns the name on the wire of a repository of the example. It is also the path of
// its module.
func exampleName(repository string) string { return "example.org/shop/" + repository }

// writeExample makes the repositories of the example in a folder.
func writeExample(ctx context.Context, dir string) error {
	for _, name := range append([]string{exampleHome}, exampleHosted...) {
		commits, err := exampleCommits(name)
		if err != nil {
			return err
		}
		if err := git.Create(ctx, filepath.Join(dir, name), commits); err != nil {
			return err
		}
	}
	return nil
}

func exampleCommits(repository string) (commits []git.NewCommit, err error) {
	folder := path.Join("example", repository)
	entries, err := exampleFiles.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for n, e := range entries {
		text, err := exampleFiles.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		a := txtar.Parse(text)
		c := git.NewCommit{
			Author:  "Ada <ada@example.org>",
			Time:    time.Date(2026, time.January, 5+7*n, 9, 0, 0, 0, time.UTC),
			Message: strings.TrimSpace(string(a.Comment)) + "\n",
			Files:   map[string][]byte{},
		}
		if len(a.Files) == 0 {
			return nil, fmt.Errorf("%s has no files", e.Name())
		}
		for _, f := range a.Files {
			c.Files[f.Name] = f.Data
		}
		commits = append(commits, c)
	}
	return commits, nil
}
