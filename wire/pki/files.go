package pki

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"patina/internal/safeio"
)

// The files of a folder with a certificate, named as cert-manager names them. The CA's own folder
// has authorityFile, caKeyFile and invitationsFile.
const (
	certFile      = "tls.crt" // the leaf first
	keyFile       = "tls.key"
	nextKeyFile   = "tls.key.next" // of a certificate that is not here yet
	authorityFile = "ca.crt"       // the CA, or more than one while it is exchanged

	caKeyFile       = "ca.key"
	invitationsFile = "invitations.json"
)

// The PEM types that are written and read.
const (
	certBlock = "CERTIFICATE"
	keyBlock  = "PRIVATE KEY" // PKCS #8
)

// maxPEM bounds each PEM file, in bytes. A certificate has less than 1 kB.
const maxPEM = 256 << 10

// ErrUnsafe is the cause when others may read a key, or write a file that must be trusted.
var ErrUnsafe = errors.New("others have access")

// readTrusted reads a file that others must not be able to write, and if it is secret, not to read.
// A symbolic link is followed, because Kubernetes mounts secrets so. The error wraps ErrUnsafe,
// fs.ErrNotExist or an error of package safeio.
func readTrusted(path string, secret bool, limit int64) ([]byte, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	f, err := safeio.Open(target)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkAccess(path, info.Mode().Perm(), ownerOf(info), os.Geteuid(), secret); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = fmt.Errorf("read %s: %w: over %d bytes", path, safeio.ErrTooLarge, limit)
	}
	return content, err
}

// checkFolder returns an error that wraps ErrUnsafe if others may write a folder, because they
// could remove or exchange its files.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	return checkAccess(dir, info.Mode().Perm(), ownerOf(info), os.Geteuid(), false)
}

// ownerOf returns the user id of a file's owner, or -1 if the system does not say.
func ownerOf(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// checkAccess returns an error that wraps ErrUnsafe if a file belongs to another user than uid and
// root, or others may do too much with it. The group may read a secret that belongs to root,
// because Kubernetes gives secrets to unprivileged users so. PostgreSQL has the same rule for its
// keys.
func checkAccess(path string, mode fs.FileMode, owner, uid int, secret bool) error {
	if owner != uid && owner != 0 {
		return fmt.Errorf("%s belongs to another user: %w; if you trust it, make it yours with \"chown\"",
			path, ErrUnsafe)
	}
	denied := fs.FileMode(0o022)
	switch {
	case secret && owner == uid:
		denied = 0o077
	case secret:
		denied = 0o037
	}
	if mode&denied == 0 {
		return nil
	}
	if secret {
		return fmt.Errorf("%s is a secret with mode %04o: %w; "+
			"run \"chmod 600 %s\", and if others were on this machine, make a new one", path, mode, ErrUnsafe, path)
	}
	return fmt.Errorf("%s can be written by others, with mode %04o: %w; run \"chmod go-w %s\"",
		path, mode, ErrUnsafe, path)
}

// writeFile replaces a file as a whole, so that a reader finds the old content or the new, also
// after a crash. dir must exist.
func writeFile(dir, name string, content []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(dir, "."+name+".*") // of mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return renameIn(dir, filepath.Base(f.Name()), name)
}

// renameIn renames a file in a folder, and returns when that will survive a crash.
func renameIn(dir, from, to string) error {
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// encodePEM returns blocks of one type.
func encodePEM(kind string, all ...[]byte) (text []byte) {
	for _, der := range all {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})...)
	}
	return text
}
