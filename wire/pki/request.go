package pki

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// maxRequest bounds a request, in bytes. One for a key of P-256 has some 200.
const maxRequest = 8 << 10

// ErrRequest is the cause when a request is not signed.
var ErrRequest = errors.New("the request for a certificate is refused")

// parseRequest reads and checks a request: its size, its signature, by which the sender shows to
// have the key, and the key, which must be one of ECDSA on P-256 or P-384. What else it says is not
// used. The error wraps ErrRequest.
func parseRequest(der []byte) (*x509.CertificateRequest, error) {
	if len(der) > maxRequest {
		return nil, fmt.Errorf("it has %d bytes, and %d are allowed: %w; make it with \"patina node join\"",
			len(der), maxRequest, ErrRequest)
	}
	r, err := x509.ParseCertificateRequest(der)
	if err != nil {
		return nil, fmt.Errorf("it is not a PKCS #10 request in DER (%w): %w; make it with \"patina node join\"",
			err, ErrRequest)
	}
	key, ok := r.PublicKey.(*ecdsa.PublicKey)
	if !ok || key.Curve != elliptic.P256() && key.Curve != elliptic.P384() {
		return nil, fmt.Errorf("its key is of %v: %w; "+
			"make one of ECDSA on P-256 or P-384, as \"patina node join\" does", r.PublicKeyAlgorithm, ErrRequest)
	}
	if err := r.CheckSignature(); err != nil {
		return nil, fmt.Errorf("its signature is not by its key (%w): %w; make it with \"patina node join\"",
			err, ErrRequest)
	}
	return r, nil
}

// newRequest returns a request for a key in DER. It says nothing but the key, because the CA would
// not read anything else.
func newRequest(key *ecdsa.PrivateKey) ([]byte, error) {
	return x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
}

// parseKey reads a private key of ECDSA in PEM.
func parseKey(text []byte) (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != keyBlock {
		return nil, fmt.Errorf("it has no PEM block %q: restore it from a copy", keyBlock)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read private key: %w; restore it from a copy", err)
	}
	if key, ok := key.(*ecdsa.PrivateKey); ok {
		return key, nil
	}
	return nil, fmt.Errorf("its key is of %T: it must be of ECDSA", key)
}

// parseCertificates reads one or more certificates in PEM. Blocks of other types are passed over.
func parseCertificates(text []byte) (all []*x509.Certificate, err error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != certBlock {
			continue
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("read certificate: %w; restore it from a copy, or join again", err)
		}
		all = append(all, cert)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("it has no PEM block %q; restore it from a copy, or join again", certBlock)
	}
	return all, nil
}
