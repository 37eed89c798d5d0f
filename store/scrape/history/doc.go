// Package history reads git: the place of a working tree, the commit that it shows, and the commits
// before.
//
// Questions that come with every answer (Find, Head, Shallow, Sparse, Partial) are answered from
// files, without git. The others start git's plumbing, never its porcelain, and read NUL-separated
// output. So neither settings of a user nor text in messages and file names can change how it is
// understood.
//
// Nothing is ever written to a repository and nothing is fetched. In a partial clone missing
// objects stay away. There, a file that was renamed and edited in one commit is not known as
// renamed.
//
// The meaning and the storage of commits are left to package store.
package history

import "errors"

// ErrNoGit says that a folder lies in no git repository.
var ErrNoGit = errors.New("no git repository")

// ErrIncomplete says that git could not read some commits or trees. The delivered part is right.
var ErrIncomplete = errors.New("history incomplete")
