// Package git starts git, and reads a repository's place, its current commit and its history. No
// other package in the product starts git.
//
// A repository may come from a stranger, and git was made to run programs named by settings. Here
// it promises to run none. Every transport is closed, so a missing object stays away. Hooks,
// monitors, pagers, filters, text converters and signature programs are switched off. No variable
// set by a caller points git at another repository. When its context ends or its time is up, git is
// killed with all its children. On Linux the same happens when patina dies.
//
// Questions asked for every answer (Find, Head, Shallow, Sparse, Partial) read files, without git.
// The others start git's plumbing, never its porcelain, and read NUL-separated output. So neither
// user settings nor text in messages and file names can change the result. Nothing is written to a
// repository, and nothing is fetched. In a partial clone missing objects stay away. There, a file
// renamed and edited in one commit is not known as renamed.
//
// The meaning and the storage of commits are left to package store.
package git

import "errors"

// ErrNoGit is the cause when a folder lies in no git repository.
var ErrNoGit = errors.New("no git repository")

// ErrIncomplete is the cause when git could not read some commits or trees. The delivered part is
// right.
var ErrIncomplete = errors.New("history incomplete")
