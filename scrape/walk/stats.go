package walk

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"patina/scrape/content"
	"patina/scrape/openat"
)

// statWorkers goroutines hide the latency of lstat, with statRun names at a time each. More gained
// nothing on two cores.
const (
	statWorkers = 8
	statRun     = 64
)

// eachParallel calls f for 0 to n-1, from several goroutines. f must be safe for concurrent use.
func eachParallel(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(statWorkers, (n+statRun-1)/statRun) {
		wg.Go(func() {
			for {
				to := int(next.Add(statRun))
				for i := to - statRun; i < min(to, n); i++ {
					f(i)
				}
				if to >= n {
					return
				}
			}
		})
	}
	wg.Wait()
}

// statFiles returns the names that are regular files, in the same order. Deleted files are dropped
// silently, and all others are counted in Listing.Skipped.
func statFiles(at *openat.Folder, names []string) Listing {
	real := realFolders(at, names)
	files := make([]File, len(names))
	reasons, folders := make([]string, len(names)), make([]bool, len(names))
	eachParallel(len(names), func(i int) {
		if !real[openat.Parent(names[i])] {
			return
		}
		info, err := at.Lstat(names[i])
		kind := info.Mode & unix.S_IFMT
		switch {
		case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		case err != nil:
			reasons[i] = content.Unreadable
		case kind == unix.S_IFREG:
			files[i] = File{Path: names[i], Stat: openat.StatOf(&info)}
		case kind == unix.S_IFDIR:
			folders[i] = true
		case kind == unix.S_IFLNK:
			reasons[i] = content.SymbolicLink
		default:
			reasons[i] = content.Unreadable
		}
	})
	l := Listing{Skipped: map[string]int{}, Files: files[:0]}
	for i, f := range files {
		switch {
		case f.Path != "":
			l.Files = append(l.Files, f)
		case folders[i]:
			l.folders = append(l.folders, names[i])
		case reasons[i] != "":
			l.Skipped[reasons[i]]++
		}
	}
	return l
}

// realFolders reports for each folder of names whether it and all its parents are folders and no
// links. A tracked folder may have been replaced by a symbolic link that leads out of the tree.
func realFolders(at *openat.Folder, names []string) map[string]bool {
	real := map[string]bool{".": true}
	var folders []string // each after those above it
	var add func(dir string)
	add = func(dir string) {
		if _, known := real[dir]; !known {
			add(openat.Parent(dir))
			real[dir] = false
			folders = append(folders, dir)
		}
	}
	last := "."
	for _, n := range names {
		if dir := openat.Parent(n); dir != last {
			add(dir)
			last = dir
		}
	}
	is := make([]bool, len(folders))
	eachParallel(len(folders), func(i int) {
		info, err := at.Lstat(folders[i])
		// A folder without permission is judged by its files, which are counted as unreadable.
		is[i] = err != nil && errors.Is(err, os.ErrPermission) || err == nil && info.Mode&unix.S_IFMT == unix.S_IFDIR
	})
	for i, dir := range folders {
		real[dir] = is[i] && real[openat.Parent(dir)]
	}
	return real
}
