package uninstallcmd

import (
	"io/fs"
	"os"
	"path/filepath"
)

// The kinds of items.
const (
	indexItem   = "index"
	agentItem   = "agent"
	cloneItem   = "clone"
	derivedItem = "derived"
	logItem     = "log"
	yoursItem   = "yours" // written by the user
	programItem = "program"
	unitItem    = "unit"
	otherItem   = "other"
)

// The actions.
const (
	remove = "remove"
	keep   = "keep"  // until it is asked for: Why says how
	leave  = "leave" // not patina's, or not certain: Why says it
)

// An Item is one thing that patina has written, or that lies where it writes.
type Item struct {
	What     string `json:"what"`
	Path     string `json:"path"`
	At       string `json:"at,omitempty"` // the place in a file of settings
	Bytes    int64  `json:"bytes,omitempty"`
	Action   string `json:"action"`
	Authored bool   `json:"authored"` // a user has written it, and nothing makes it again
	Why      string `json:"why,omitempty"`
	Error    string `json:"error,omitempty"` // why it could not be removed

	take func() error // removes it; nil for agents, which go by a plan for all
}

// sizeOf returns the bytes of the files in and below a path. Links count as nothing.
func sizeOf(path string) (n int64) {
	_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// removeFile returns a function that removes a file or a link, but no folder.
func removeFile(path string) func() error {
	return func() error {
		info, err := os.Lstat(path)
		if err == nil && info.IsDir() {
			return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrInvalid}
		}
		if err == nil {
			err = os.Remove(path)
		}
		return err
	}
}
