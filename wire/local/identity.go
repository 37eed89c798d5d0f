package local

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"patina/ask/project"
	"patina/registry"
	"patina/scrape"
	"patina/scrape/git"
	"patina/wire/nodepb"
)

// Unreleased is the version of a build that is no release.
const Unreleased = "unknown"

// buildOf identifies this build by its version. Builds that are no releases are equal only if they
// are the same file.
func buildOf(version string) string {
	if version != Unreleased {
		return version + " " + scrape.Version()
	}
	return thisFile()
}

// thisFile identifies the file of this program, as it was at the first call: another one may have
// taken its place since.
var thisFile = sync.OnceValue(programFile)

// replaced reports whether another program has taken the place of this one.
func replaced() bool { return thisFile() != programFile() }

// programFile identifies the file that is now where this program was started.
func programFile() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d %d %d", s.Dev, s.Ino, info.Size(), info.ModTime().UnixNano())
}

// environment identifies what else decides an answer: what git is told, and the time zone of days.
func environment() string {
	_, offset := time.Now().Zone()
	all := append(git.Environment(), "TZ="+os.Getenv("TZ"), fmt.Sprint(time.Local, offset))
	sum := sha256.Sum256([]byte(strings.Join(all, "\x00")))
	return hex.EncodeToString(sum[:])
}

// An end of a connection says what it is.
type end interface {
	GetBuild() string
	GetEnvironment() string
}

// differences returns why the answers of two ends may differ. It returns "" if they do not.
func differences(a, b end) string {
	switch {
	case a.GetBuild() == "" || a.GetBuild() != b.GetBuild():
		return "it is another build of patina"
	case a.GetEnvironment() != b.GetEnvironment():
		return "its environment is another: time zone, HOME, PATH to git, or git's variables"
	}
	return ""
}

// identify returns what the records of a process say about a project. The secret itself stays
// there.
func identify(p registry.Project) *nodepb.LocalProject {
	m := &nodepb.LocalProject{Id: p.ID, Root: []byte(p.Root), Store: []byte(p.Store), Anyone: p.Anyone}
	if p.Secret != "" {
		sum := sha256.Sum256([]byte(p.Secret))
		m.SecretHash = sum[:]
	}
	return m
}

// placeOf returns the place of a project by the records of this process. ok is false unless they
// trust the index and say the same as those of the client.
func placeOf(home string, m *nodepb.LocalProject) (p project.Place, ok bool) {
	p = project.Place{Home: home}.Of(string(m.GetRoot()), string(m.GetStore()))
	return p, p.Doubt == "" && sameProject(identify(p.Project), m)
}

func sameProject(a, b *nodepb.LocalProject) bool {
	return a.GetId() == b.GetId() && string(a.GetRoot()) == string(b.GetRoot()) &&
		string(a.GetStore()) == string(b.GetStore()) && string(a.GetSecretHash()) == string(b.GetSecretHash()) &&
		a.GetAnyone() == b.GetAnyone()
}
