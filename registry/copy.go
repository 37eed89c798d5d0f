package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"patina/safeio"
	"patina/store"
)

// Beside mother.db each project has a record of its own, projects/<id>/project.json. Before there
// was mother.db it was all that was known, and two versions of patina may work on one home. So each
// change is written to both. An older patina finds what a newer one has registered; what it changes
// itself is noticed by the state of the file, counts from then on, and is taken over by the next
// change. The records are also read where mother.db cannot be.

// maxRecord bounds what is read of a record.
const maxRecord = 64 << 10

func recordFile(home, id string) string { return filepath.Join(home, "projects", id, "project.json") }

// stamp is the state of a project's record: each write makes another file. Empty: there is none.
func stamp(home, id string) string {
	info, err := os.Lstat(recordFile(home, id))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d", inodeOf(info), info.Size(), info.ModTime().UnixNano())
}

// changedCopy reads the record of a project unless it is in a known state.
func changedCopy(home, id, known string) (r record, ok bool) {
	if now := stamp(home, id); now == "" || now == known {
		return r, false
	}
	b, err := safeio.ReadFile(recordFile(home, id), maxRecord)
	if err != nil || json.Unmarshal(b, &r) != nil || r.ID != id {
		return record{}, false
	}
	if r.Older != "" && r.at(r.Older) == nil {
		r.Stores = append(r.Stores, kept{Path: r.Older})
	}
	r.Older = ""
	return r, true
}

// copies lists the projects that have a record.
func copies(home string) (ids []string) {
	entries, _ := os.ReadDir(filepath.Join(home, "projects"))
	for _, e := range entries {
		if store.IsProjectID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids
}

// writeCopy writes the record of a project, if it says something else.
func writeCopy(home string, r record) error {
	content, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	content = append(content, '\n')
	file := recordFile(home, r.ID)
	if old, err := safeio.ReadFile(file, maxRecord); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), folderMode); err != nil {
		return err
	}
	return replace(file, content)
}
