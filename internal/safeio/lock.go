package safeio

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// ErrHeld means that another process holds a lock.
var ErrHeld = errors.New("another process holds the lock")

// Lingering is the time that whoever refuses to work beside another process should wait for its
// lock. A process that was killed while it started another one leaves the lock to its child, until
// that has begun its own program.
const Lingering = time.Second

// Lock takes an exclusive lock on an open file. It waits at most wait for another process and then
// returns ErrHeld. If ctx ends first, the error wraps ctx.Err() and ErrHeld. The kernel releases
// the lock when the file closes or the process ends, however it ends (see Lingering).
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
			return errors.Join(ctx.Err(), ErrHeld)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
