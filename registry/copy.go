package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"patina/internal/safeio"
	"patina/store"
)

// Beside mother.db each project has a record of its own, projects/<id>/project.json. Once there
// were only these records, and two versions of patina may work on one home. So each change is
// written to both, and an older patina finds the projects registered by a newer one. Its own
// changes are noticed by the file's state. They count from then on, and the next change takes them
// over. The records are also read where mother.db cannot be.

// maxRecord bounds how much of a record is read.
const maxRecord = 64 << 10

func recordFile(home, id string) string { return filepath.Join(home, "projects", id, "project.json") }

// recordStamp is the state of a project's record: each write makes another file. Empty: there is
// none.
func recordStamp(home, id string) string {
	info, err := os.Lstat(recordFile(home, id))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d", inodeOf(info), info.Size(), info.ModTime().UnixNano())
}

// changedCopy reads the record of a project unless it is in a known state.
func changedCopy(home, id, known string) (r record, ok bool) {
	if now := recordStamp(home, id); now == "" || now == known {
		return r, false
	}
	b, err := safeio.ReadFile(recordFile(home, id), maxRecord)
	if err != nil || json.Unmarshal(b, &r) != nil || r.ID != id {
		return record{}, false
	}
	if r.Older != "" && r.indexAt(r.Older) == nil {
		r.Stores = append(r.Stores, kept{Path: r.Older})
	}
	r.Older = ""
	return r, true
}

// listRecords lists the projects with a record.
func listRecords(home string) (ids []string) {
	entries, _ := os.ReadDir(filepath.Join(home, "projects"))
	for _, e := range entries {
		if store.IsProjectID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids
}

// writeCopy writes a project's record, unless it is unchanged.
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
	return replaceFile(file, content)
}
