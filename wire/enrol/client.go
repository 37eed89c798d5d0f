package enrol

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"patina/internal/safeio"
	"patina/wire"
	"patina/wire/nodepb"
	"patina/wire/pki"
)

const (
	// callTime bounds a call to one front, with its connection.
	callTime = 5 * time.Second
	// pause is how long RenewIfDue asks nobody after it failed, because each command of a user
	// calls it.
	pause = 10 * time.Minute
	// lockFile is held in a folder while its certificate is renewed. Its time is that of the last
	// attempt.
	lockFile = "renew.lock"
)

// ErrBusy is the cause when another process renews the certificate of a folder.
var ErrBusy = errors.New("another process renews it")

// Join makes a key in a folder, gets its certificate from a front of the token, and returns whose
// it is. The fronts are asked one after the other until one signs. A certificate that the folder
// has is replaced when the new one is there. The error names each front, and never the secret.
func Join(ctx context.Context, t pki.Token, dir string) (pki.Identity, error) {
	csr, err := pki.NewRequest(dir)
	if err != nil {
		return pki.Identity{}, fmt.Errorf("join: %w", err)
	}
	settings := func(string) (*tls.Config, error) { return pki.JoinTLS(t.CA, nil), nil }
	c, err := askFronts(ctx, t.Addresses, settings, func(ctx context.Context, f nodepb.FrontClient) (*nodepb.Certificate, error) {
		return f.Enrol(ctx, &nodepb.EnrolRequest{Secret: t.Secret, Csr: csr})
	})
	if err != nil {
		return pki.Identity{}, fmt.Errorf("join: %w", err)
	}
	if err := pki.SaveJoined(dir, c.GetChain(), c.GetAuthority(), t.CA); err != nil {
		return pki.Identity{}, err
	}
	f, err := pki.OpenFolder(dir)
	if err != nil {
		return pki.Identity{}, fmt.Errorf("join: %w", err)
	}
	return f.Identity(), nil
}

// Renew replaces the key and the certificate in a folder, with the help of one of the fronts. They
// are asked one after the other until one signs. The old certificate stays in force until the new
// one is there. The error wraps ErrBusy if another process does the same.
func Renew(ctx context.Context, dir string, fronts []string) error {
	return locked(ctx, dir, func(*os.File) error { return renew(ctx, dir, fronts) })
}

// RenewIfDue renews the certificate in a folder if half of its life is over, and reports whether it
// did. It does nothing for some minutes after it failed, and nothing if the folder cannot be
// written, because whoever mounts it read-only renews it.
func RenewIfDue(ctx context.Context, dir string, fronts []string) (renewed bool, err error) {
	due := func() (bool, error) {
		f, err := pki.OpenFolder(dir)
		if err != nil {
			return false, err
		}
		cert, now := f.Certificate(), time.Now()
		return now.After(pki.RenewAt(cert)) && now.Before(cert.NotAfter), nil
	}
	if is, err := due(); err != nil || !is {
		return false, err
	}
	err = locked(ctx, dir, func(lock *os.File) error {
		is, err := due() // another process may have renewed it meanwhile
		if err != nil || !is {
			return err
		}
		if info, err := lock.Stat(); err == nil && info.Size() > 0 && time.Since(info.ModTime()) < pause {
			return nil
		}
		if err := renew(ctx, dir, fronts); err != nil {
			_, note := lock.WriteAt([]byte("failed\n"), 0) // its size and time are the note
			return errors.Join(err, note)
		}
		renewed = true
		return lock.Truncate(0)
	})
	if errors.Is(err, ErrBusy) || isReadOnly(err) {
		return false, nil
	}
	return renewed, err
}

// RenewHere replaces the key and the certificate in a folder with the CA itself, for the front that
// has it.
func RenewHere(ctx context.Context, dir string, ca *pki.CA) error {
	return locked(ctx, dir, func(*os.File) error {
		f, err := pki.OpenFolder(dir)
		if err != nil {
			return err
		}
		csr, err := pki.NewRequest(dir)
		if err != nil {
			return err
		}
		chain, err := ca.Renew(f.Certificate(), csr)
		if err != nil {
			return err
		}
		return pki.SaveRenewed(dir, chain)
	})
}

// locked calls do with the open lock file of a folder. The error wraps ErrBusy if another process
// holds it, and the folder must have a certificate.
func locked(ctx context.Context, dir string, do func(lock *os.File) error) error {
	if _, err := pki.OpenFolder(dir); err != nil {
		return err
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("renew certificate: %w", err)
	}
	defer func() { _ = lock.Close() }()
	if err := safeio.Lock(ctx, lock, 0); err != nil {
		if errors.Is(err, safeio.ErrHeld) {
			err = fmt.Errorf("%w; try again", ErrBusy)
		}
		return fmt.Errorf("renew certificate in %s: %w", dir, err)
	}
	return do(lock)
}

// renew is Renew for a folder that is locked.
func renew(ctx context.Context, dir string, fronts []string) error {
	folder, err := pki.OpenFolder(dir)
	if err != nil {
		return err
	}
	csr, err := pki.NewRequest(dir)
	if err != nil {
		return err
	}
	settings := func(host string) (*tls.Config, error) {
		return folder.ClientTLS(pki.Expected{Role: pki.Front, Host: host})
	}
	c, err := askFronts(ctx, fronts, settings, func(ctx context.Context, f nodepb.FrontClient) (*nodepb.Certificate, error) {
		return f.Renew(ctx, &nodepb.RenewRequest{Csr: csr})
	})
	if err != nil {
		return fmt.Errorf("renew certificate of %s: %w", folder.Identity(), err)
	}
	return pki.SaveRenewed(dir, c.GetChain())
}

// An attempt is the answer of a front that did not sign.
type attempt struct {
	address string
	err     error
}

// Error names the front, and says what it answered and what to do.
func (a *attempt) Error() string {
	text := status.Convert(a.err).Message()
	if advice := pki.Advice(a.err); advice != "" {
		text += "; " + advice
	}
	return "front " + a.address + ": " + text
}

// Unwrap returns the status of grpc.
func (a *attempt) Unwrap() error { return a.err }

// ask calls one front after the other until one signs. settings returns how to connect to a host.
func askFronts(
	ctx context.Context, fronts []string, settings func(host string) (*tls.Config, error),
	call func(context.Context, nodepb.FrontClient) (*nodepb.Certificate, error),
) (*nodepb.Certificate, error) {
	if len(fronts) == 0 {
		return nil, errors.New("no front is known: set PATINA_MOTHER=host:port, or join with a token")
	}
	var failed []error
	for _, address := range fronts {
		c, err := askOne(ctx, address, settings, call)
		if err == nil {
			return c, nil
		}
		failed = append(failed, &attempt{address, err})
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(failed...)
}

func askOne(
	ctx context.Context, address string, settings func(host string) (*tls.Config, error),
	call func(context.Context, nodepb.FrontClient) (*nodepb.Certificate, error),
) (*nodepb.Certificate, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("its address must be host:port: %w", err)
	}
	c, err := settings(host)
	if err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient(
		"passthrough:///"+address,
		grpc.WithTransportCredentials(credentials.NewTLS(c)),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableRetry(),
		grpc.WithNoProxy(),
		grpc.WithMaxHeaderListSize(wire.MaxHeaders),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(wire.MaxRequest)),
	)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return call(ctx, nodepb.NewFrontClient(conn))
}
