//go:build !linux

package store

// trimHeaps does nothing: only glibc needs it.
func trimHeaps() {}
