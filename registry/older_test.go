package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"patina/internal/safeio"
	"patina/store/folder"
)

// The registry before mother.db, as an older patina uses it on the home of a newer one.

type olderRecord struct {
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Root   string      `json:"root"`
	Older  string      `json:"store,omitempty"`
	Stores []olderKept `json:"stores"`
}

type olderKept struct {
	Path   string `json:"path"`
	Inode  uint64 `json:"inode"`
	Secret string `json:"secret"`
	Anyone bool   `json:"anyone,omitempty"`
}

func (r *olderRecord) at(storeDir string) *olderKept {
	for i := range r.Stores {
		if r.Stores[i].Path == storeDir {
			return &r.Stores[i]
		}
	}
	return nil
}

func olderRead(home, id string) (r olderRecord, ok bool) {
	b, err := safeio.ReadFile(recordFile(home, id), maxRecord)
	return r, err == nil && json.Unmarshal(b, &r) == nil && r.ID == id
}

func olderRecords(home string) (all []olderRecord) {
	entries, _ := os.ReadDir(filepath.Join(home, "projects"))
	for _, e := range entries {
		if folder.IsProjectID(e.Name()) {
			if r, ok := olderRead(home, e.Name()); ok {
				all = append(all, r)
			}
		}
	}
	return all
}

// olderLookup is Lookup without the search for moved folders.
func olderLookup(home, root, storeDir string) Project {
	p := Project{Name: filepath.Base(root), Root: root, Store: storeDir}
	inode, indexed := lookAtStore(storeDir)
	p.Doubt = doubtUnknown
	for _, r := range olderRecords(home) {
		k := r.at(storeDir)
		switch {
		case k != nil && (k.Inode == inode || !indexed):
			p.ID, p.Secret, p.Anyone, p.Doubt = r.ID, k.Secret, k.Anyone, ""
		case k != nil || r.Older == storeDir:
			p.ID, p.Doubt = r.ID, doubtMoved
		case p.ID == "" && r.Root == root:
			p.ID = r.ID
		}
	}
	if !indexed {
		p.Doubt = ""
	}
	return p
}

func olderRegister(home, root, storeDir string) (Project, error) {
	unlock := olderLock(home)
	defer unlock()
	p := olderLookup(home, root, storeDir)
	f, err := folder.Make(storeDir, p.Anyone)
	if err != nil {
		return p, err
	}
	defer func() { _ = f.Close() }()
	if p.ID == "" {
		p.ID = randomHex(8)
	}
	if p.Secret == "" || p.Doubt != "" {
		p.Secret = randomHex(16)
	}
	if old, _ := f.Read(folder.ProjectFile); strings.TrimSpace(string(old)) != p.ID {
		if err := f.Replace(folder.ProjectFile, []byte(p.ID+"\n")); err != nil {
			return p, err
		}
	}
	return p, olderNote(home, p, f.Inode())
}

func olderNote(home string, p Project, inode uint64) error {
	r, _ := olderRead(home, p.ID)
	r.ID, r.Name, r.Root, r.Older = p.ID, p.Name, p.Root, ""
	r.Stores = slices.DeleteFunc(r.Stores, func(k olderKept) bool {
		_, err := os.Lstat(k.Path)
		return k.Path == p.Store || errors.Is(err, fs.ErrNotExist)
	})
	r.Stores = append(r.Stores, olderKept{p.Store, inode, p.Secret, p.Anyone})
	content, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	content = append(content, '\n')
	file := recordFile(home, p.ID)
	if old, err := safeio.ReadFile(file, maxRecord); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return err
	}
	return ReplaceFile(file, content)
}

func olderLock(home string) (unlock func()) {
	dir := filepath.Join(home, "projects")
	if os.MkdirAll(dir, folderMode) != nil {
		return func() {}
	}
	const flags = os.O_CREATE | os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	f, err := os.OpenFile(filepath.Join(dir, "lock"), flags, fileMode)
	if err != nil {
		return func() {}
	}
	for range 40 {
		if !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return func() { _ = f.Close() }
}
