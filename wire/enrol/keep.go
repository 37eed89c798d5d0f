package enrol

import (
	"context"
	"crypto/x509"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"syscall"
	"time"

	"patina/wire/pki"
)

const (
	// lookTime is how often the certificate is looked at, because the clock of a machine may be set
	// and a sleeping machine does not count.
	lookTime = time.Hour
	// retryTime is the time between the first two attempts. Each wait is twice as long as the last,
	// up to lookTime.
	retryTime = time.Minute
)

// A Keeper renews the certificate of a process for as long as the process runs. Servers and clients
// of package pki read the new files at their next connection, so nothing is started anew.
type Keeper struct {
	Dir string
	// Renew gets the next certificate. ByFronts and ByCA return one.
	Renew func(context.Context) error
	Log   *slog.Logger // nil: nothing is logged

	look, retry time.Duration // lookTime and retryTime if 0
}

// ByFronts returns a way to renew a folder with the help of fronts, which are read at each attempt.
func ByFronts(dir string, fronts func() []string) func(context.Context) error {
	return func(ctx context.Context) error { return Renew(ctx, dir, fronts()) }
}

// ByCA returns a way to renew a folder for the front that has the CA.
func ByCA(dir string, ca *pki.CA) func(context.Context) error {
	return func(ctx context.Context) error { return RenewHere(ctx, dir, ca) }
}

// Run renews the certificate at half of its life and up to a tenth later, so that the processes of
// a cluster do not come at once. It tries again until it succeeds, and returns when ctx ends. Each
// change is one line in the log. A folder that cannot be written is left to whoever writes it.
func (k *Keeper) Run(ctx context.Context) {
	if k.Log == nil {
		k.Log = slog.New(slog.DiscardHandler)
	}
	if k.look == 0 {
		k.look, k.retry = lookTime, retryTime
	}
	late := rand.Float64() / 10
	failures, said := 0, ""
	for {
		due, err := k.step(ctx, late)
		if ctx.Err() != nil {
			return
		}
		wait := min(k.look, time.Until(due))
		if err == nil {
			failures, said = 0, ""
		} else {
			wait = min(k.look, k.retry<<min(failures, 10))
			wait += time.Duration(rand.Int64N(int64(wait/4) + 1))
			failures++
			if text := err.Error(); text != said {
				k.Log.Warn("the certificate was not renewed", "error", text)
				said = text
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(wait, k.retry/60)):
		}
	}
}

// step renews the certificate if it is due, and returns when the one in force will be. late is the
// share of its life by which that is after half of it.
func (k *Keeper) step(ctx context.Context, late float64) (due time.Time, err error) {
	f, err := pki.OpenFolder(k.Dir)
	if err != nil {
		return due, err
	}
	if due = dueAt(f.Certificate(), late); time.Now().Before(due) {
		return due, nil
	}
	if err := k.Renew(ctx); err != nil {
		if end := f.Certificate().NotAfter; isReadOnly(err) && time.Now().Before(end) {
			return end, nil // whoever writes the folder still has time
		}
		return due, err
	}
	c := f.Certificate() // read anew
	k.Log.Info("the certificate was renewed", "of", f.Identity().String(), "until", c.NotAfter)
	return dueAt(c, late), f.Problem()
}

// dueAt returns when half of a certificate's life is over, and a share of it more.
func dueAt(c *x509.Certificate, late float64) time.Time {
	return pki.RenewAt(c).Add(time.Duration(late * float64(c.NotAfter.Sub(c.NotBefore))))
}

// isReadOnly reports whether an error says that a folder cannot be written.
func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
