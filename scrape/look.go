package scrape

import (
	"context"
	"path"

	"patina/scrape/git"
	"patina/scrape/prose"
	"patina/scrape/walk"
)

// A Look compares a tree with its index by the times of files and folders alone.
type Look = walk.Look

// A Glance is the result of a Look.
type Glance = walk.Glance

// decisive are the files that decide on others, apart from manifests.
var decisive = map[string]bool{
	".gitignore": true, ".gitattributes": true, ".gitmodules": true, ".patinaignore": true, prose.HeadName: true,
}

// Alone reports whether these files can be read by name. They must not decide on other files, and
// must not be in a submodule.
func Alone(root string, names []string) bool {
	for _, n := range names {
		if base := path.Base(n); decisive[base] || rankManifest(base) >= 0 {
			return false
		}
	}
	return !walk.Nested(root, names)
}

// Folders lists the folders of a tree in which a file may count: see walk.Folders.
func Folders(
	ctx context.Context, root, storeDir string, below []string, most int,
) (folders []string, whole bool, err error) {
	return walk.Folders(ctx, root, storeDir, below, most)
}

// IsURL reports whether a text is the address of a repository, and not a path: see git.IsURL.
func IsURL(s string) bool { return git.IsURL(s) }

// Clone fetches a repository into a folder that must not exist: see git.Clone.
func Clone(ctx context.Context, url, dir string) error { return git.Clone(ctx, url, dir) }

// Fetch updates a clone from its origin: see git.Update.
func Fetch(ctx context.Context, dir string) error { return git.Update(ctx, dir) }
