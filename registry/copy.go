package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"patina/internal/safeio"
	"patina/store/folder"
)

// Each project has a record of its own beside mother.db: projects/<id>/project.json. An older
// patina knows only these records, and two versions may work on one home. So each change must be
// written to both, and an older patina finds the projects that a newer one registers. A change by
// an older patina is noticed by the state of the file. It counts from then on, and the next change
// copies it to mother.db. The records are also read if mother.db cannot be.

// maxRecord is the highest number of bytes of a record that are read.
const maxRecord = 64 << 10

func recordFile(home, id string) string { return filepath.Join(home, "projects", id, "project.json") }

// recordStamp returns the state of a project's record, which each write changes because it makes
// another file. It returns "" if there is no record.
func recordStamp(home, id string) string {
	info, err := os.Lstat(recordFile(home, id))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d", inodeOf(info), info.Size(), info.ModTime().UnixNano())
}

// changedCopy returns the record of a project, unless its state is known. It reports false for an
// unchanged, missing or damaged record.
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

// listRecords returns the ids of the projects with a record, sorted.
func listRecords(home string) (ids []string) {
	entries, _ := os.ReadDir(filepath.Join(home, "projects"))
	for _, e := range entries {
		if folder.IsProjectID(e.Name()) {
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
	return ReplaceFile(file, content)
}
