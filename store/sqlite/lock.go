package sqlite

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// ErrHeld says that another process holds a lock.
var ErrHeld = errors.New("another process holds the lock")

// Lock takes the lock that an open file stands for, for steps around a database that SQLite's own
// locks do not cover. It waits so long for another process. The kernel lets go of the lock when the
// file is closed or the process ends, however it ends.
func Lock(ctx context.Context, f *os.File, wait time.Duration) error {
	for end := time.Now().Add(wait); ; {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if time.Now().After(end) {
			return ErrHeld
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
