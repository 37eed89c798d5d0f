package scrape

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// statWorkers hide the latency of lstat, each with statRun names at a time; more gained nothing on two cores.
const (
	statWorkers = 8
	statRun     = 64
)

// each calls f for 0 to n-1, from several goroutines.
func each(n int, f func(i int)) {
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

// stats keeps the regular files that exist, in order. Deleted files are left out in silence, the others are counted.
func stats(at *folder, names []string) listing {
	real := realFolders(at, names)
	files := make([]found, len(names))
	reasons, folders := make([]string, len(names)), make([]bool, len(names))
	each(len(names), func(i int) {
		if !real[folderOf(names[i])] {
			return
		}
		info, err := at.lstat(names[i])
		kind := info.Mode & unix.S_IFMT
		switch {
		case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		case err != nil:
			reasons[i] = unreadable
		case kind == unix.S_IFREG:
			files[i] = found{path: names[i], stat: statOf(&info)}
		case kind == unix.S_IFDIR:
			folders[i] = true
		case kind == unix.S_IFLNK:
			reasons[i] = symbolicLink
		default:
			reasons[i] = unreadable
		}
	})
	l := listing{skipped: map[string]int{}, files: files[:0]}
	for i, f := range files {
		switch {
		case f.path != "":
			l.files = append(l.files, f)
		case folders[i]:
			l.folders = append(l.folders, names[i])
		case reasons[i] != "":
			l.skipped[reasons[i]]++
		}
	}
	return l
}

// realFolders says of each folder of names whether it is one, all the way up: a tracked folder may have been replaced by
// a symbolic link that leads out of the tree.
func realFolders(at *folder, names []string) map[string]bool {
	real := map[string]bool{".": true}
	var folders []string // each behind those above it
	var add func(dir string)
	add = func(dir string) {
		if _, known := real[dir]; !known {
			add(folderOf(dir))
			real[dir] = false
			folders = append(folders, dir)
		}
	}
	last := "."
	for _, n := range names {
		if dir := folderOf(n); dir != last {
			add(dir)
			last = dir
		}
	}
	is := make([]bool, len(folders))
	each(len(folders), func(i int) {
		info, err := at.lstat(folders[i])
		// A folder that may not be looked into is judged by its files, which are counted as unreadable.
		is[i] = err != nil && errors.Is(err, os.ErrPermission) || err == nil && info.Mode&unix.S_IFMT == unix.S_IFDIR
	})
	for i, dir := range folders {
		real[dir] = is[i] && real[folderOf(dir)]
	}
	return real
}
