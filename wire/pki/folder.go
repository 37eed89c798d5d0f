package pki

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// A Folder holds the key and certificate of one process and the certificate of the CA: tls.key,
// tls.crt and ca.crt. Its files are read again when they change, at the next connection. Files that
// cannot be used leave the last good ones in force. It is safe for concurrent use.
type Folder struct {
	// Now is the clock. It must not be changed while the folder is in use. Nil means time.Now.
	Now func() time.Time
	// IsRevoked reports whether a server's certificate is refused, as config.Config has it. It is
	// set before the folder is in use. Nil means that none is. Servers look at those of their
	// callers in each call (package serve).
	IsRevoked func(name, serial string) bool

	dir string

	mu      sync.Mutex
	seen    [4]fileStamp
	current *material
	problem error
}

// material is the content of a folder. It must not be changed.
type material struct {
	pair      tls.Certificate // the chain, the leaf first
	authority []*x509.Certificate
	roots     *x509.CertPool // of authority
	id        Identity
}

// fileStamp tells two states of a file apart without reading it. Access counts, because a key that
// others may read from now on must not be used.
type fileStamp struct {
	inode uint64
	size  int64
	at    int64
	mode  fs.FileMode
}

// OpenFolder reads the folder of a process. It returns an error if a file is missing, if others can
// read the key or write any of the files, or if the files do not belong together. A certificate
// that has expired is no error, because it can still be looked at.
func OpenFolder(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	f.load()
	if f.current == nil {
		return nil, f.problem
	}
	return f, nil
}

// Certificate returns the leaf that is in force. It must not be changed.
func (f *Folder) Certificate() *x509.Certificate { return f.load().pair.Leaf }

// Identity returns whose folder it is.
func (f *Folder) Identity() Identity { return f.load().id }

// Problem returns why the files as they are now are not in force, or nil if they are.
func (f *Folder) Problem() error {
	f.load()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problem
}

func (f *Folder) now() time.Time {
	if f.Now != nil {
		return f.Now()
	}
	return time.Now()
}

// load reads the files if they have changed, and returns what is in force: nil if the files were
// never good.
func (f *Folder) load() *material {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := stamps(f.dir)
	if now == f.seen && f.problem == nil && f.current != nil {
		return f.current
	}
	m, err := readMaterial(f.dir)
	f.problem = err
	if err == nil {
		f.current, f.seen = m, now
	}
	return f.current
}

func stamps(dir string) (all [4]fileStamp) {
	for i, name := range []string{certFile, keyFile, nextKeyFile, authorityFile} {
		info, err := os.Stat(filepath.Join(dir, name)) // followed, as readTrusted does
		if err != nil {
			continue
		}
		all[i] = fileStamp{size: info.Size(), at: info.ModTime().UnixNano(), mode: info.Mode()}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			all[i].inode = uint64(st.Ino)
		}
	}
	return all
}

// readMaterial reads the files of a folder. It reads them again if they changed meanwhile and do
// not belong together, because another process may replace them now.
func readMaterial(dir string) (m *material, err error) {
	for range maxReads {
		before := stamps(dir)
		if m, err = readOnce(dir); err == nil || stamps(dir) == before {
			break
		}
	}
	return m, err
}

// maxReads bounds how often a folder is read that changes all the time.
const maxReads = 10

func readOnce(dir string) (*material, error) {
	pair, err := readPair(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read certificate: %w; get one with \"patina node join TOKEN\"", err)
	}
	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	text, err := readTrusted(filepath.Join(dir, authorityFile), false, maxPEM)
	if err != nil {
		return nil, fmt.Errorf("read certificate of the CA: %w; get it with \"patina node join TOKEN\"", err)
	}
	authority, err := parseCertificates(text)
	if err != nil {
		return nil, fmt.Errorf("read certificate of the CA: %s: %w", filepath.Join(dir, authorityFile), err)
	}
	m := &material{pair: pair, authority: authority, roots: poolOf(authority)}
	if m.id, err = checkIssued(pair.Certificate, m.roots); err != nil {
		return nil, fmt.Errorf("read certificate: %s: %w", filepath.Join(dir, certFile), err)
	}
	return m, nil
}

// readPair reads the certificate of a folder and the key that belongs to it: tls.key, or
// tls.key.next if a process ended while it renewed.
func readPair(dir string) (tls.Certificate, error) {
	cert, err := readTrusted(filepath.Join(dir, certFile), false, maxPEM)
	if err != nil {
		return tls.Certificate{}, err
	}
	return pairOf(dir, cert)
}

// pairOf joins a chain in PEM with the key in a folder that belongs to it.
func pairOf(dir string, chain []byte) (pair tls.Certificate, err error) {
	pair, err = pairWith(chain, filepath.Join(dir, keyFile))
	if err == nil {
		return pair, nil
	}
	pair, nextErr := pairWith(chain, filepath.Join(dir, nextKeyFile))
	if nextErr == nil {
		return pair, nil
	}
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(nextErr, fs.ErrNotExist) {
		return tls.Certificate{}, nextErr // of a first join
	}
	return tls.Certificate{}, err
}

func pairWith(chain []byte, keyPath string) (tls.Certificate, error) {
	key, err := readTrusted(keyPath, true, maxPEM)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("key %s: %w; join again", keyPath, err)
	}
	return pair, nil
}

// checkIssued returns the identity in the leaf of a chain. It returns an error if the leaf was not
// signed by one of the roots. It does not look whether the leaf has expired.
func checkIssued(chain [][]byte, roots *x509.CertPool) (Identity, error) {
	var all []*x509.Certificate
	for _, der := range chain {
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			return Identity{}, err
		}
		all = append(all, cert)
	}
	leaf := all[0]
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: poolOf(all[1:]), CurrentTime: leaf.NotBefore,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return Identity{}, explain(err, leaf)
	}
	return IdentityOf(leaf)
}

func poolOf(all []*x509.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	for _, cert := range all {
		pool.AddCert(cert)
	}
	return pool
}

// NewRequest makes a key in a folder and returns the request for its certificate, in DER. The
// folder is made if it does not exist. A certificate that the folder has stays usable with its own
// key until SaveRenewed or SaveJoined replaces both.
func NewRequest(dir string) (request []byte, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	unlock, err := lock(dir)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	defer unlock()
	if err := settle(dir); err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	key, der, err := newKey()
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	if err := writeFile(dir, nextKeyFile, encodePEM(keyBlock, der), 0o600); err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	return newRequest(key)
}

// SaveJoined writes the chain that Enrol returned for the last request of a folder, and the CA's
// certificate. Both are PEM. The CA must have the fingerprint that the token holds, because it is
// trusted from now on.
func SaveJoined(dir string, chain, authority []byte, ca Fingerprint) error {
	all, err := parseCertificates(authority)
	if err != nil {
		return fmt.Errorf("join: certificate of the CA: %w", err)
	}
	for _, cert := range all {
		if FingerprintOf(cert) == ca {
			return save(dir, chain, poolOf([]*x509.Certificate{cert}), func(Identity) error {
				return writeFile(dir, authorityFile, encodePEM(certBlock, cert.Raw), 0o644)
			})
		}
	}
	return fmt.Errorf("join: the front sent a CA with the fingerprint %v, and the token names %v: ask who sent "+
		"the token for another", FingerprintOf(all[0]), ca)
}

// SaveRenewed writes the chain that Renew returned for the last request of a folder. It must be for
// the same name and role, and by the CA that the folder has.
func SaveRenewed(dir string, chain []byte) error {
	m, err := readMaterial(dir)
	if err != nil {
		return fmt.Errorf("renew: %w", err)
	}
	return save(dir, chain, m.roots, func(id Identity) error {
		if id.Name != m.id.Name || id.Role != m.id.Role {
			return fmt.Errorf("it is of %s, and the folder is of %s: use another folder", id, m.id)
		}
		return nil
	})
}

// save writes a chain for the last request of a folder. The chain must be signed by one of the
// roots. before is called with the identity in it, and an error of before leaves the folder as it
// was.
func save(dir string, chain []byte, roots *x509.CertPool, before func(Identity) error) error {
	unlock, err := lock(dir)
	if err != nil {
		return fmt.Errorf("save certificate: %w", err)
	}
	defer unlock()
	pair, err := pairOf(dir, chain)
	if err != nil {
		return fmt.Errorf("save certificate: %w", err)
	}
	id, err := checkIssued(pair.Certificate, roots)
	if err != nil {
		return fmt.Errorf("save certificate: %w", err)
	}
	if err := before(id); err != nil {
		return fmt.Errorf("save certificate: %w", err)
	}
	if err := writeFile(dir, certFile, encodePEM(certBlock, pair.Certificate...), 0o644); err != nil {
		return fmt.Errorf("save certificate: %w", err)
	}
	return settle(dir)
}

// settle gives tls.key.next its name tls.key if the certificate in the folder is of it, which
// readPair does not need but people expect. The folder must be locked.
func settle(dir string) error {
	cert, err := readTrusted(filepath.Join(dir, certFile), false, maxPEM)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	key, err := readTrusted(filepath.Join(dir, nextKeyFile), true, maxPEM)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tls.X509KeyPair(cert, key); err != nil {
		return nil //nolint:nilerr // it is of a request that was not answered
	}
	return renameIn(dir, nextKeyFile, keyFile)
}
