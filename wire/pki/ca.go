package pki

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"patina/internal/safeio"
	"patina/wire/config"
)

const (
	// caLifetime is long because exchanging a CA takes an administrator to every machine.
	caLifetime = 10 * 365 * 24 * time.Hour

	// skew is how far back certificates begin, because clocks of two machines differ.
	skew = 5 * time.Minute

	// lockWait is how long one process waits for another that uses the CA's folder.
	lockWait = 10 * time.Second

	// maxHosts bounds the hosts of a certificate, because each connection carries them.
	maxHosts = 20
)

// ErrExists is the cause when a folder already has a CA.
var ErrExists = errors.New("there is a CA already")

// A CA signs the certificates of one cluster. It is safe for concurrent use, also by several
// processes on one folder.
type CA struct {
	// Now is the clock. It must not be changed while the CA is in use. Nil means time.Now.
	Now func() time.Time

	dir  string
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func (c *CA) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// InitCA makes a CA in a folder, which is made if it does not exist. The key is written to ca.key
// with mode 0600, and the certificate to ca.crt. It returns an error that wraps ErrExists if either
// file exists, because all certificates of an overwritten CA would be lost.
func InitCA(dir string) (*CA, error) { return initCA(dir, time.Now()) }

func initCA(dir string, now time.Time) (*CA, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	unlock, err := lock(dir)
	if err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	defer unlock()
	if err := checkFolder(dir); err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	for _, name := range []string{caKeyFile, authorityFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("make CA: %s exists: %w; use it, or name another folder",
				filepath.Join(dir, name), ErrExists)
		}
	}
	key, keyDER, err := newKey()
	if err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	var id [4]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	template := &x509.Certificate{
		// The names of two CAs must differ, because a chain is found by them.
		Subject:   pkix.Name{CommonName: fmt.Sprintf("patina CA %x", id)},
		NotBefore: now.Add(-skew), NotAfter: now.Add(caLifetime),
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		IsCA:     true, BasicConstraintsValid: true, MaxPathLenZero: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	if err := writeFile(dir, caKeyFile, encodePEM(keyBlock, keyDER), 0o600); err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	if err := writeFile(dir, authorityFile, encodePEM(certBlock, der), 0o644); err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	return OpenCA(dir)
}

// OpenCA opens the CA that InitCA made in a folder. It returns an error if there is no CA, or if
// others can read its key.
func OpenCA(dir string) (*CA, error) {
	if err := checkFolder(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open CA: %w", err)
	}
	keyPEM, err := readTrusted(filepath.Join(dir, caKeyFile), true, maxPEM)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open CA: %w; make one with \"patina node ca init\", or name the folder that has it",
			err)
	}
	if err != nil {
		return nil, fmt.Errorf("open CA: %w", err)
	}
	certPEM, err := readTrusted(filepath.Join(dir, authorityFile), false, maxPEM)
	if err != nil {
		return nil, fmt.Errorf("open CA: %w", err)
	}
	key, err := parseKey(keyPEM)
	if err != nil {
		return nil, fmt.Errorf("open CA: %s: %w", filepath.Join(dir, caKeyFile), err)
	}
	all, err := parseCertificates(certPEM)
	if err != nil {
		return nil, fmt.Errorf("open CA: %s: %w", filepath.Join(dir, authorityFile), err)
	}
	for _, cert := range all {
		if key.PublicKey.Equal(cert.PublicKey) && cert.IsCA {
			return &CA{dir: dir, key: key, cert: cert}, nil
		}
	}
	return nil, fmt.Errorf("open CA: the certificate in %s is not of the key in %s: restore both from one copy",
		authorityFile, caKeyFile)
}

// Fingerprint returns the fingerprint of the CA's certificate.
func (c *CA) Fingerprint() Fingerprint { return FingerprintOf(c.cert) }

// Certificate returns the CA's certificate. It must not be changed.
func (c *CA) Certificate() *x509.Certificate { return c.cert }

// PEM returns the CA's certificate, which everyone in the cluster must have.
func (c *CA) PEM() []byte { return encodePEM(certBlock, c.cert.Raw) }

// An Invitation says who may have a certificate.
type Invitation struct {
	Name  string   `json:"name"`
	Role  Role     `json:"role"`
	Hosts []string `json:"hosts,omitempty"` // names and IP addresses of a node or front
}

func (in Invitation) validate() error {
	if err := config.CheckName(in.Name); err != nil {
		return err
	}
	if in.Role.lifetime() == 0 {
		return fmt.Errorf("role %.80q: it must be %s, %s or %s", in.Role, Node, Front, User)
	}
	if len(in.Hosts) > 0 && !in.Role.isServer() {
		return fmt.Errorf("user %q has hosts: only a node or a front is connected to; leave them out", in.Name)
	}
	if len(in.Hosts) == 0 && in.Role == Front {
		return fmt.Errorf("front %q has no host: name the hosts or addresses by which users reach it", in.Name)
	}
	if len(in.Hosts) > maxHosts {
		return fmt.Errorf("%s %q has %d hosts: give at most %d", in.Role, in.Name, len(in.Hosts), maxHosts)
	}
	for _, h := range in.Hosts {
		if err := checkHost(h); err != nil {
			return err
		}
	}
	return nil
}

// Sign signs the key in a request (NewRequest). Name, role, hosts and lifetime are those of the
// invitation, whatever the request says. It is for someone on the machine of the CA; others show
// the secret of an invitation to Enrol. The chain is PEM, the leaf first.
func (c *CA) Sign(in Invitation, request []byte) (chain []byte, err error) {
	if err := in.validate(); err != nil {
		return nil, fmt.Errorf("sign certificate: %w", err)
	}
	r, err := parseRequest(request)
	if err != nil {
		return nil, fmt.Errorf("sign certificate: %w", err)
	}
	return c.sign(in, r)
}

func (c *CA) sign(in Invitation, request *x509.CertificateRequest) ([]byte, error) {
	now := c.now()
	if !now.Before(c.cert.NotAfter) {
		return nil, fmt.Errorf("sign certificate: the CA expired on %s: make another with \"patina node ca "+
			"init\" and invite everyone again", day(c.cert.NotAfter))
	}
	template := &x509.Certificate{ // without a serial number it gets a random one
		Subject:   pkix.Name{CommonName: in.Name},
		NotBefore: now.Add(-skew), NotAfter: now.Add(in.Role.lifetime()),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
		URIs:                  []*url.URL{identityURI(in.Role, in.Name)},
	}
	if in.Role.isServer() {
		template.ExtKeyUsage = append(template.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
	}
	for _, h := range in.Hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	if template.NotBefore.Before(c.cert.NotBefore) {
		template.NotBefore = c.cert.NotBefore
	}
	if template.NotAfter.After(c.cert.NotAfter) {
		template.NotAfter = c.cert.NotAfter
	}
	der, err := x509.CreateCertificate(rand.Reader, template, c.cert, request.PublicKey, c.key)
	if err != nil {
		return nil, fmt.Errorf("sign certificate: %w", err)
	}
	return encodePEM(certBlock, der), nil
}

// Renew signs the key in a request for the holder of a certificate that this CA signed and that is
// valid now. Name, role and hosts are those of the old certificate. The caller must have seen that
// the holder has the key of the old certificate, by the connection, and that it is not revoked.
func (c *CA) Renew(old *x509.Certificate, request []byte) (chain []byte, err error) {
	id, err := IdentityOf(old)
	if err != nil {
		return nil, fmt.Errorf("renew certificate: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(c.cert)
	_, err = old.Verify(x509.VerifyOptions{
		Roots: roots, CurrentTime: c.now(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return nil, fmt.Errorf("renew certificate of %s: %w", id, explain(err, old))
	}
	in := Invitation{Name: id.Name, Role: id.Role, Hosts: old.DNSNames}
	for _, ip := range old.IPAddresses {
		in.Hosts = append(in.Hosts, ip.String())
	}
	return c.Sign(in, request)
}

// lock locks a folder against other processes until unlock is called.
func lock(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := safeio.Lock(context.Background(), d, lockWait); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w; try again", dir, err), d.Close())
	}
	return func() { _ = d.Close() }, nil
}

func newKey() (key *ecdsa.PrivateKey, der []byte, err error) {
	if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err == nil {
		der, err = x509.MarshalPKCS8PrivateKey(key)
	}
	return key, der, err
}
