package folder

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"patina/internal/safeio"
)

// ShownFile holds a mark for each item that a hook has shown in a session, one a line. It is
// derived: without it, something is shown again.
const ShownFile = "shown"

const (
	maxShown  = 64 << 10 // bytes; of a longer file the older half goes
	shownWait = 100 * time.Millisecond
)

// Shown returns the marks in ShownFile, without waiting for another process. Without the file there
// are no marks.
func (f *Folder) Shown() map[string]bool {
	b, _ := safeio.ReadIn(f.root, ShownFile, 2*maxShown)
	has := map[string]bool{}
	for _, line := range strings.Fields(string(b)) {
		has[line] = true
	}
	return has
}

// AddShown calls choose with the marks in ShownFile, and appends those that it returns. Processes
// that do so at the same time take turns. It waits a moment for them, and then returns an error
// that wraps safeio.ErrHeld. A mark must not contain a line break.
func (f *Folder) AddShown(ctx context.Context, choose func(has map[string]bool) (add []string)) error {
	file, err := f.openLock(ShownFile, os.O_CREATE)
	if err != nil {
		return err
	}
	err = f.addLines(ctx, file, choose)
	return errors.Join(withoutLocks(err), file.Close())
}

func (f *Folder) addLines(ctx context.Context, file *os.File, choose func(map[string]bool) []string) error {
	if err := safeio.Lock(ctx, file, shownWait); err != nil {
		return err
	}
	old, err := io.ReadAll(io.LimitReader(file, 2*maxShown))
	if err != nil {
		return err
	}
	lines := strings.Fields(string(old))
	has := make(map[string]bool, len(lines))
	for _, line := range lines {
		has[line] = true
	}
	add := choose(has)
	if len(add) == 0 {
		return nil
	}
	if len(old) < maxShown {
		_, err = file.WriteAt([]byte(strings.Join(add, "\n")+"\n"), int64(len(old)))
		return err
	}
	kept := strings.Join(append(lines[len(lines)/2:], add...), "\n") + "\n"
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err = file.WriteAt([]byte(kept), 0)
	return err
}
