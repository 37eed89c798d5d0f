// Package git runs git, and reads a repository's location, current commit and history. No other
// package of the product starts git.
//
// A repository may come from a stranger, and git was made to run programs named by settings. This
// package runs no program that a repository names. Every transport is closed, so a missing object
// is not requested. Hooks, monitors, pagers, filters, text converters and signature programs are
// switched off. No variable set by a caller points git at another repository. When its context ends
// or its time is up, git is killed with all its children. On Linux the same happens when patina
// dies.
//
// Find, Shallow, Sparse and Partial read files and do not start git, because they are called before
// every answer. So do Head and Tracks, unless git's files are in a form that only git reads. The
// other functions start git's plumbing, with LineLog as the exception, and read NUL-separated
// output. So neither user settings nor text in messages and file names can change the result.
//
// Only Clone and Update fetch, with the transports and credential programs of the user. Only they
// and Create write. In a partial clone missing objects are not fetched. There, a file renamed and
// edited in one commit is not recognized as renamed.
//
// The meaning and the storage of commits are left to package store.
package git

import "errors"

// ErrNoGit is wrapped by errors about a folder that is not in a git repository.
var ErrNoGit = errors.New("no git repository")

// ErrIncomplete is wrapped by errors about commits or trees that git could not read. The commits
// delivered before the error are right.
var ErrIncomplete = errors.New("history incomplete")
