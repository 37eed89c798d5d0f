// Package openat opens files in a folder, and no file outside it.
//
// A name is resolved from the open folder alone. A name that leads out of the folder or through a
// symbolic link is an error, even if the tree changes while it is read. Package safeio does the
// same for single files; this package is for thousands.
//
// A Folder and its methods may be used concurrently. A File must be used by one caller at a time.
package openat

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"patina/store/doc"

	"golang.org/x/sys/unix"
)

// A Folder is an open folder, from which its files are opened. No name leads out of it or through a
// symbolic link, even if a link replaces a folder meanwhile. The caller must close it.
type Folder struct{ fd int }

// Open opens a folder, which must exist. The name itself may lead through links.
func Open(name string) (*Folder, error) {
	fd, err := retryInterrupted(func() (int, error) {
		return unix.Open(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", name, err)
	}
	return &Folder{fd}, nil
}

// Close closes the folder. Files opened in it stay open.
func (f *Folder) Close() { _ = unix.Close(f.fd) }

// Open opens a regular file for reading. name must be relative, with slashes and without "." and
// "..". It returns EINVAL in an *os.PathError for anything that is no regular file, and does not
// wait for the other end of a pipe. The caller must close the file.
func (f *Folder) Open(name string) (*File, error) {
	fd, err := openBelow(f.fd, name)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	r := &File{fd: fd}
	_, err = retryInterrupted(func() (int, error) { return 0, unix.Fstat(fd, &r.info) })
	if err == nil && r.info.Mode&unix.S_IFMT != unix.S_IFREG {
		err = unix.EINVAL
	}
	if err != nil {
		r.Close()
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return r, nil
}

// A File is an open regular file. It is not an os.File, because that would make three more system
// calls for each.
type File struct {
	fd   int
	info unix.Stat_t
}

// Read implements io.Reader.
func (r *File) Read(p []byte) (int, error) {
	n, err := retryInterrupted(func() (int, error) { return unix.Read(r.fd, p) })
	switch {
	case err != nil:
		return 0, os.NewSyscallError("read", err)
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// Close closes the file.
func (r *File) Close() { _ = unix.Close(r.fd) }

// Fd returns the file descriptor, which is valid until Close.
func (r *File) Fd() int { return r.fd }

// Stat returns the state of the file when it was opened.
func (r *File) Stat() doc.Stat { return StatOf(&r.info) }

// reading are the flags for opening a file. They make a link in its place an error, and a pipe or a
// terminal harmless.
const reading = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC

// openSteps opens a name below an open folder, one folder after the other. It returns EXDEV if a
// part of the name is empty, "." or "..".
func openSteps(dir int, name string) (int, error) {
	opened := -1
	defer func() {
		if opened >= 0 {
			_ = unix.Close(opened)
		}
	}()
	for {
		part, rest, more := strings.Cut(name, "/")
		if part == "" || part == "." || part == ".." {
			return -1, unix.EXDEV // as openat2 does for ".."
		}
		flags := reading
		if more {
			flags = passing
		}
		fd, err := retryInterrupted(func() (int, error) { return unix.Openat(dir, part, flags, 0) })
		if err != nil || !more {
			return fd, err
		}
		if opened >= 0 {
			_ = unix.Close(opened)
		}
		dir, opened, name = fd, fd, rest
	}
}

// Names returns the names in a folder below f, or in f itself for ".". limit must be positive.
// whole is false if the list has limit names, because there may be more.
func (f *Folder) Names(name string, limit int) (names []string, whole bool, err error) {
	fd, err := f.folder(name)
	if err != nil {
		return nil, false, &os.PathError{Op: "open", Path: name, Err: err}
	}
	dir := os.NewFile(uintptr(fd), name)
	defer func() { _ = dir.Close() }()
	names, err = dir.Readdirnames(limit)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, len(names) < limit, err
}

// folder opens a folder below f, or f itself for ".".
func (f *Folder) folder(name string) (int, error) {
	if name == "." {
		return retryInterrupted(func() (int, error) {
			return unix.Openat(f.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		})
	}
	return openBelow(f.fd, name)
}

// retryInterrupted repeats a system call while signals interrupt it.
func retryInterrupted(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != unix.EINTR {
			return n, err
		}
	}
}

// Lstat returns the stat of a name, without following a link. name must be relative to f. This is
// faster than a path from the root, because the kernel starts at the folder.
func (f *Folder) Lstat(name string) (info unix.Stat_t, err error) {
	for {
		if err = unix.Fstatat(f.fd, name, &info, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			return info, err
		}
	}
}

// StatOf returns the fields of a stat by which changes are noticed.
func StatOf(info *unix.Stat_t) doc.Stat {
	return doc.Stat{Size: info.Size, ModTime: info.Mtim.Nano(), ChangeTime: info.Ctim.Nano(), Inode: info.Ino}
}

// Parent returns path.Dir(name). name must need no cleaning.
func Parent(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return "."
}
