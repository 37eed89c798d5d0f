package store

import sys "golang.org/x/sys/unix"

// unwritable tells whether this process may not write a file or folder that exists.
func unwritable(path string) bool { return sys.Access(path, sys.W_OK) != nil }
