//go:build !linux

package store

// trimHeaps is needed with glibc alone.
func trimHeaps() {}
