// Package history reads git: where a working tree is, which commit it shows, and the commits behind that one.
//
// Questions that are asked with every answer (Find, Head, Shallow, Sparse, Partial) are answered from files, without
// starting git. The rest starts git's plumbing, never its porcelain, and reads NUL-separated output, so that neither a
// user's settings nor what people write into messages and file names can change how it is understood. Nothing is ever
// written to a repository and nothing is fetched: in a partial clone, an object that is not there stays away, and a file that was
// renamed and edited in one commit is not known as renamed.
//
// What the commits mean, and where they are kept, is the business of package store.
package history

import "errors"

// ErrNoGit says that a folder lies in no git repository.
var ErrNoGit = errors.New("no git repository")

// ErrIncomplete says that git could not read some commits or trees. What was delivered is right, but it is not all.
var ErrIncomplete = errors.New("history incomplete")
