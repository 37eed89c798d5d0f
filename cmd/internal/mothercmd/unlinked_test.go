package mothercmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"patina/ask/project"
	"patina/registry"
	"patina/store/sqlite"
)

// Only a damaged registry may be moved away. After any other fault it is still valid.
func TestHintsKeepASoundRegistry(t *testing.T) {
	for cause, want := range map[error]string{
		sqlite.ErrDamaged: "move that file away",
		sqlite.ErrNewer:   "use the newer patina",
		sqlite.ErrBusy:    "try again",
		syscall.ENOSPC:    "the disk is full",
		syscall.EROFS:     "make the home writable",
		fs.ErrPermission:  "make the home writable",
	} {
		err := Unlinked(fmt.Errorf("%w: mother.db: %w", registry.ErrUnused, cause))
		taught, ok := errors.AsType[project.HintedError](err)
		if !ok || len(taught.Hints()) != 1 || !strings.Contains(taught.Hints()[0], want) {
			t.Errorf("%v: %v", cause, err)
		}
	}
}
