package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"patina/internal/safeio"
)

// maxPath is the length of the longest path of a socket: sun_path has 104 bytes on macOS and 108 on
// Linux, with a zero at the end.
const maxPath = 103

// ErrTooLong means that the path of a socket would be longer than the system allows.
var ErrTooLong = errors.New("the path of the socket would be too long")

// Socket returns the path of the socket for a home: run/serve.sock in it, or one in
// $XDG_RUNTIME_DIR if that path would be too long. The error wraps ErrTooLong if there is neither.
func Socket(home string) (string, error) {
	path := filepath.Join(home, "run", "serve.sock")
	if len(path) <= maxPath {
		return path, nil
	}
	sum := sha256.Sum256([]byte(home))
	short := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "patina-"+hex.EncodeToString(sum[:8]), "serve.sock")
	if filepath.IsAbs(short) && len(short) <= maxPath {
		return short, nil
	}
	return "", fmt.Errorf("%w: %q has %d bytes, more than %d", ErrTooLong, path, len(path), maxPath)
}

// errUnsafe means that another user may have made a socket, or may replace it.
var errUnsafe = errors.New("is not this user's alone")

// checkFolder returns an error that wraps errUnsafe unless a folder belongs to this user, and
// nobody else may look into it.
func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !isOwn(info) || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%q %w", dir, errUnsafe)
	}
	return nil
}

// checkSocket is checkFolder for a socket and its folder. The error wraps fs.ErrNotExist if there
// is no socket.
func checkSocket(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket || !isOwn(info) || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%q %w", path, errUnsafe)
	}
	return checkFolder(filepath.Dir(path))
}

// Listens reports whether there is a socket of this user alone. Its server may have been killed.
func Listens(path string) bool { return checkSocket(path) == nil }

func isOwn(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

// A RunningError means that another process serves a home.
type RunningError struct{ PID int } // 0: unknown

// Error implements error.
func (e *RunningError) Error() string {
	if e.PID == 0 {
		return "another process serves this home"
	}
	return fmt.Sprintf("process %d serves this home", e.PID)
}

// A Listener accepts connections of this user at the socket of a home.
type Listener struct {
	*net.UnixListener
	path string
	lock *os.File
	log  *slog.Logger
}

// Listen listens at the socket of a home, which it makes anew. It makes the folders that are
// missing. It returns a *RunningError if another process does so. The caller must close the
// Listener, which removes the socket.
func Listen(home string, log *slog.Logger) (*Listener, error) {
	path, err := Socket(home)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the socket: %w", err)
	}
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	// The lock is held, so that a socket here is that of a process that was killed.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, lock.Close())
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close(), lock.Close())
	}
	return &Listener{UnixListener: l, path: path, lock: lock, log: log}, nil
}

// lockFolder locks a folder for one server, and writes its process into the lock.
func lockFolder(dir string) (*os.File, error) {
	name := filepath.Join(dir, "serve.lock")
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := safeio.Lock(context.Background(), f, safeio.Lingering); err != nil {
		defer func() { _ = f.Close() }()
		if !errors.Is(err, safeio.ErrHeld) {
			return nil, fmt.Errorf("lock %q: %w", name, err)
		}
		content, _ := io.ReadAll(io.LimitReader(f, 32))
		pid, _ := strconv.Atoi(strings.TrimSpace(string(content)))
		return nil, &RunningError{PID: pid}
	}
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Path returns the path of the socket.
func (l *Listener) Path() string { return l.path }

// Accept implements net.Listener. It closes connections of other users.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		uid, err := peer(c)
		if err == nil && uid == os.Geteuid() {
			return c, nil
		}
		l.log.Warn("refused another user", "uid", uid, "error", err)
		_ = c.Close()
	}
}

// Close implements net.Listener. It removes the socket, and lets another process serve.
func (l *Listener) Close() error {
	err := l.UnixListener.Close() // removes the socket
	return errors.Join(err, l.lock.Close())
}

// connect connects to the socket of a server of this user.
func connectSocket(ctx context.Context, path string) (net.Conn, error) {
	if err := checkSocket(path); err != nil {
		return nil, err
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	uid, err := peer(c.(*net.UnixConn))
	if err == nil && uid != os.Geteuid() {
		err = fmt.Errorf("%q: it is served by uid %d: %w", path, uid, errUnsafe)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// peer returns the user at the other end of a connection, whom the system knows.
func peer(c *net.UnixConn) (uid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	uid = -1
	if outer := raw.Control(func(fd uintptr) { uid, err = peerOf(int(fd)) }); outer != nil {
		return -1, outer
	}
	return uid, err
}
