package scrape

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/scrape/class"
	"patina/scrape/content"
	"patina/scrape/openat"
	"patina/scrape/prose"
	"patina/scrape/walk"
	"patina/store/doc"
)

// A job is a file to read.
type job struct {
	walk.File
	extra doc.Class // bits that depend on other files
	pkg   string
	head  []byte // the kep.yaml next to a decision record, or nil
	old   string // hash in the store; empty for a new file
}

// A distrust says which files are read even if their stat equals the index's.
type distrust struct {
	all  bool
	told []string // these files, and all files below these folders
	// Files that changed in this interval. It has an end because a time in the future is no sign of
	// a late write.
	since, until time.Time
}

// racyWindow is the two seconds in which a file system may give two writes the same time, as FAT
// does. Git calls a file written within them racily clean.
const racyWindow = 2 * time.Second

// distrustRacy distrusts files that changed since the whole tree was last compared, or shortly
// before. If that time is zero, it distrusts all files.
func distrustRacy(compared time.Time, told []string) distrust {
	if compared.IsZero() {
		return distrust{all: true}
	}
	return distrust{told: told, since: compared.Add(-racyWindow), until: time.Now().Add(racyWindow)}
}

// mustRead reports whether a file must be read.
func (d distrust) mustRead(f walk.File) bool {
	late := func(at int64) bool { return at >= d.since.UnixNano() && at <= d.until.UnixNano() }
	return d.all || late(f.Stat.ModTime) || late(f.Stat.ChangeTime) || isNamed(f.Path, d.told)
}

// compareFiles returns the files to read and the missing files.
func compareFiles(
	at *openat.Folder, l walk.Listing, known map[string]doc.FileState, d distrust,
) (jobs []job, gone []string) {
	around, packages := class.NeighboursOf(l.Paths()), findPackages(at, l.Paths())
	jobs, still := differingFiles(at, l, known, around, packages, d)
	return jobs, goneOf(l, known, still)
}

// differingFiles returns the listed files to read. still is the number of listed files that are
// known.
func differingFiles(
	at *openat.Folder, l walk.Listing, known map[string]doc.FileState, around class.Neighbours, packages packageIndex,
	d distrust,
) (jobs []job, still int) {
	for _, f := range l.Files {
		old, had := known[f.Path]
		if had {
			still++
		}
		j := job{
			File: f, extra: around.Of(f.Path), pkg: packages.packageOf(f.Path), head: headOf(at, f.Path), old: old.Hash,
		}
		if !had || old.Stat != f.Stat || contextOf(old.Hash) != j.context() || d.mustRead(f) {
			jobs = append(jobs, j)
		}
	}
	return jobs, still
}

// goneOf returns the known files that are not listed. still must be the number of known files that
// are.
func goneOf(l walk.Listing, known map[string]doc.FileState, still int) (gone []string) {
	if still == len(known) { // the usual case: spares a map over all paths
		return nil
	}
	listed := make(map[string]bool, len(l.Files))
	for _, f := range l.Files {
		listed[f.Path] = true
	}
	for p := range known {
		if !listed[p] {
			gone = append(gone, p)
		}
	}
	return gone
}

// compareNamed is compareFiles for some files only. All of them are read, because the caller that
// names a file knows more than its times. besides must return the files next to them that the index
// knows, folder by folder, because neighbours decide on a file too.
func compareNamed(
	at *openat.Folder, l walk.Listing, known map[string]doc.FileState, besides func(folder string) ([]string, error),
) (jobs []job, gone []string, err error) {
	all := slices.Collect(l.Paths())
	asked := map[string]bool{}
	for _, f := range l.Files {
		for dir := openat.Parent(f.Path); !asked[dir]; dir = openat.Parent(dir) {
			asked[dir] = true
			names, err := besides(dir)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, names...)
		}
	}
	jobs, still := differingFiles(at, l, known, class.NeighboursOf(slices.Values(all)),
		findPackages(at, slices.Values(all)), distrust{all: true})
	return jobs, goneOf(l, known, still), nil
}

// holdsSecrets reports whether a store has a credential.
func holdsSecrets(known map[string]doc.FileState) bool {
	for _, s := range known {
		if content.IsSecret(s.Hash) {
			return true
		}
	}
	return false
}

// context describes everything outside a file that decides on it: neighbours, .gitattributes,
// package. It is appended to the hash ("…+402.1.0@name"), so that a file is read again if only this
// has changed.
func (j job) context() string {
	s := ""
	if j.extra != 0 || j.Attributes != (class.Attributes{}) {
		s = "+" + strconv.FormatUint(uint64(j.extra), 16) + "." + strconv.Itoa(int(j.Attributes.Generated)) + "." +
			strconv.Itoa(int(j.Attributes.Vendored))
	}
	if j.pkg != "" {
		s += "@" + j.pkg
	}
	if len(j.head) > 0 {
		s += "~" + content.Sum(j.head)
	}
	return s
}

// headOf returns the kep.yaml next to a decision record, or nil.
func headOf(at *openat.Folder, name string) []byte {
	if prose.HeadOf(name) == "" {
		return nil
	}
	text, _ := content.ReadText(at, prose.HeadOf(name), prose.MaxHead)
	return text
}

// contextOf returns the part of a stored hash after the content's hash.
func contextOf(hash string) string { return strings.TrimLeft(hash, "0123456789abcdef") }
