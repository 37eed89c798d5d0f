// Package pkitest makes CAs and certificates for tests, also such as package pki would not make yet
// or no more.
package pkitest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/wire/pki"
)

// Loopback is the host in certificates of Node and Front.
const Loopback = "127.0.0.1"

// NewCA returns a CA that is as old as age, in a folder that Folder returns.
func NewCA(t testing.TB, age time.Duration) *CA {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ca")
	checkError(t, os.Mkdir(dir, 0o700))
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	checkError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "patina CA " + rand.Text()},
		NotBefore:    time.Now().Add(-age - time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	checkError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	checkError(t, err)
	writePEM(t, filepath.Join(dir, "ca.key"), "PRIVATE KEY", secret)
	writePEM(t, filepath.Join(dir, "ca.crt"), "CERTIFICATE", der)
	ca, err := pki.OpenCA(dir)
	checkError(t, err)
	return &CA{ca, dir}
}

// A CA is one of a test.
type CA struct {
	*pki.CA
	Dir string // with its key
}

// At returns the same CA with another clock: one of a time ago signs what expires earlier by as
// much.
func (c *CA) At(t testing.TB, ago time.Duration) *pki.CA {
	t.Helper()
	other, err := pki.OpenCA(c.Dir)
	checkError(t, err)
	other.Now = func() time.Time { return time.Now().Add(-ago) }
	return other
}

// Sign returns a folder with a key and its certificate.
func Sign(t testing.TB, ca *pki.CA, role pki.Role, name string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), name)
	csr, err := pki.NewRequest(dir)
	checkError(t, err)
	in := pki.Invitation{Name: name, Role: role}
	if role != pki.User {
		in.Hosts = []string{Loopback}
	}
	chain, err := ca.Sign(in, csr)
	checkError(t, err)
	checkError(t, pki.SaveJoined(dir, chain, ca.PEM(), ca.Fingerprint()))
	return dir
}

func writePEM(t testing.TB, file, kind string, der []byte) {
	t.Helper()
	checkError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func checkError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
