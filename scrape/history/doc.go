// Package history reads git: a working tree's place, its current commit, and the commits before.
//
// Questions asked for every answer (Find, Head, Shallow, Sparse, Partial) read files, without git.
// The others start git's plumbing, never its porcelain, and read NUL-separated output. So neither
// user settings nor text in messages and file names can change the result.
//
// It promises that nothing is written to a repository and nothing is fetched. In a partial clone
// missing objects stay away. There, a file renamed and edited in one commit is not known as
// renamed.
//
// The meaning and the storage of commits are left to package store.
package history

import "errors"

// ErrNoGit is the cause when a folder lies in no git repository.
var ErrNoGit = errors.New("no git repository")

// ErrIncomplete is the cause when git could not read some commits or trees. The delivered part is
// right.
var ErrIncomplete = errors.New("history incomplete")
