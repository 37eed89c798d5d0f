package sqlite

import sys "golang.org/x/sys/unix"

// Unwritable reports whether this process may not write a file or folder. It is true for a path
// that does not exist, too.
func Unwritable(path string) bool { return sys.Access(path, sys.W_OK) != nil }
