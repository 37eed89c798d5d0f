package nodecmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"patina/cmd/internal/cli"
	"patina/internal/safeio"
)

// processFile holds the pid of the node or front that works in a home folder. Its process holds a
// lock on it, which ends with the process, so that the pid is that of no other.
const processFile = "node.pid"

// maxPID bounds the content of processFile, in bytes.
const maxPID = 64

// claimProcess makes this process the one node or front that works in a home folder. The caller
// must call release at the end.
func claimProcess(home string) (release func(), err error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(home, processFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = safeio.Lock(context.Background(), f, safeio.Lingering)
	if errors.Is(err, safeio.ErrHeld) {
		err = cli.Hint(fmt.Errorf("a node or front is at work in %s", home),
			`end it: patina node drain`, "or name another folder with PATINA_HOME")
	}
	if err == nil {
		if err = f.Truncate(0); err == nil {
			_, err = fmt.Fprintln(f, os.Getpid())
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// runningProcess returns the node or front that works in a home folder. The error wraps
// errNoProcess if there is none.
func runningProcess(home string) (*os.Process, error) {
	f, err := os.Open(filepath.Join(home, processFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoProcess
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	err = safeio.Lock(context.Background(), f, 0)
	if err == nil { // whoever wrote it has ended
		return nil, errNoProcess
	}
	if !errors.Is(err, safeio.ErrHeld) {
		return nil, err
	}
	content, err := safeio.ReadFile(f.Name(), maxPID)
	if err != nil {
		return nil, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil || pid <= 1 {
		return nil, fmt.Errorf("read %s: %.20q is no process", f.Name(), content)
	}
	return os.FindProcess(pid)
}

// errNoProcess is returned where no node or front works in a home folder.
var errNoProcess = errors.New("no node or front is at work")
