//go:build !linux

package sqlite

// TrimHeaps does nothing: only glibc needs it.
func TrimHeaps() {}
