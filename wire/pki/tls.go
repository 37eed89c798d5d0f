package pki

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// alpn is the protocol that connections carry: HTTP/2.
const alpn = "h2"

// ErrPeer is the cause when the other end of a connection is not who it must be.
var ErrPeer = errors.New("the other end is refused")

// Expected says which server a client wants.
type Expected struct {
	Role Role   // Node or Front
	Name string // in its certificate; "" means any name, and then Host must be given
	Host string // name or IP address that its certificate must have; "" means any, if Name is given
}

// ServerTLS returns the settings of a server whose clients must show a certificate, with the key
// and certificate of a folder. They are read again when they change.
func ServerTLS(dir string) (*tls.Config, error) {
	f, err := OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return f.ServerTLS()
}

// ClientTLS returns the settings of a client of one server, with the key and certificate of a
// folder. They are read again when they change.
func ClientTLS(dir string, server Expected) (*tls.Config, error) {
	f, err := OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return f.ClientTLS(server)
}

// ServerTLS returns the settings of a server whose clients must show a certificate. It returns an
// error if the folder is a user's, because nobody would connect to it.
func (f *Folder) ServerTLS() (*tls.Config, error) { return f.server(tls.RequireAndVerifyClientCert) }

// EnrolTLS is ServerTLS for a front, except that a client may come without a certificate. Whoever
// serves such connections must refuse every call but Enrol to callers without an identity
// (PeerIdentity).
func (f *Folder) EnrolTLS() (*tls.Config, error) {
	if m := f.load(); m.id.Role != Front {
		return nil, fmt.Errorf("answer Enrol as %s: only a front does, because those who join accept no other: "+
			"invite a front, and join as that", m.id)
	}
	return f.server(tls.VerifyClientCertIfGiven)
}

func (f *Folder) server(auth tls.ClientAuthType) (*tls.Config, error) {
	if m := f.load(); !m.id.Role.isServer() {
		return nil, fmt.Errorf("serve as %s: a user's certificate is no server's: invite a node or a front, and "+
			"join as that", m.id)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{alpn}, ClientAuth: auth,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			m := f.load()
			if err := m.checkExpired(f.now()); err != nil {
				return nil, err
			}
			return &tls.Config{
				MinVersion: tls.VersionTLS13, NextProtos: []string{alpn}, Time: f.now,
				Certificates: []tls.Certificate{m.withAuthority()},
				ClientAuth:   auth, ClientCAs: m.roots,
				// A session that is taken up again would not be checked again.
				SessionTicketsDisabled: true,
				VerifyConnection:       checkClient,
			}, nil
		},
	}, nil
}

// withAuthority returns the pair with the CA's certificate in its chain. A client that joins knows
// the CA only by its fingerprint, and needs the certificate to check the chain. It costs some 500
// bytes a connection.
func (m *material) withAuthority() tls.Certificate {
	pair := m.pair
	pair.Certificate = slices.Clone(pair.Certificate)
	for _, cert := range m.authority {
		if !slices.ContainsFunc(pair.Certificate, func(der []byte) bool { return string(der) == string(cert.Raw) }) {
			pair.Certificate = append(pair.Certificate, cert.Raw)
		}
	}
	return pair
}

// checkExpired returns an error if the process's certificate has expired. Without it, only the
// other end would say so.
func (m *material) checkExpired(now time.Time) error {
	if now.After(m.pair.Leaf.NotAfter) {
		return fmt.Errorf("this machine's certificate, of %s, expired on %s: get another with \"patina node join TOKEN\", "+
			"and look at the clock", m.id, day(m.pair.Leaf.NotAfter))
	}
	return nil
}

// checkClient returns an error unless the protocol is HTTP/2 and the certificate, if there is one,
// says who the client is. Package tls has verified its signatures and dates before.
func checkClient(state tls.ConnectionState) error {
	if err := checkProtocol(state); err != nil || len(state.PeerCertificates) == 0 {
		return err
	}
	_, err := IdentityOf(state.PeerCertificates[0])
	return err
}

func checkProtocol(state tls.ConnectionState) error {
	if state.NegotiatedProtocol != alpn {
		return fmt.Errorf("the other end speaks %.20q and not HTTP/2 (ALPN %q): %w; "+
			"connect with patina, and look at what is between the two", state.NegotiatedProtocol, alpn, ErrPeer)
	}
	return nil
}

// ClientTLS returns the settings of a client of one server. It returns an error unless server says
// enough to know it.
func (f *Folder) ClientTLS(server Expected) (*tls.Config, error) {
	if !server.Role.isServer() || server.Name == "" && server.Host == "" {
		return nil, fmt.Errorf("connect to a server with role %.20q, name %.80q and host %.80q: "+
			"give the role %s or %s, and a name or a host",
			server.Role, server.Name, server.Host, Node, Front)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{alpn}, ServerName: server.Host, Time: f.now,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			m := f.load()
			return &m.pair, m.checkExpired(f.now())
		},
		// Package tls would check against the CAs of now, and for a host. VerifyConnection checks
		// against those of the folder at the time of the connection, and for a name and role too.
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			id, err := verifyServer(state, f.load().roots, server, f.now())
			if err == nil && f.IsRevoked != nil && f.IsRevoked(id.Name, id.Serial) {
				err = fmt.Errorf("the certificate of %s is revoked in nodes.toml: %w; invite it again by another name", id, ErrPeer)
			}
			return err
		},
	}, nil
}

// JoinTLS returns the settings of a client that has no certificate yet. The server must be a front
// of the CA with the fingerprint of a token. now is the clock; nil means time.Now.
func JoinTLS(ca Fingerprint, now func() time.Time) *tls.Config {
	if now == nil {
		now = time.Now
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{alpn}, Time: now,
		InsecureSkipVerify: true, // VerifyConnection does it, by the fingerprint
		VerifyConnection: func(state tls.ConnectionState) error {
			for _, cert := range state.PeerCertificates {
				if FingerprintOf(cert) == ca {
					_, err := verifyServer(state, poolOf([]*x509.Certificate{cert}), Expected{Role: Front}, now())
					return err
				}
			}
			return fmt.Errorf("the server is not of the CA %v that the token names: %w; "+
				"look at the address, and ask who sent the token", ca, ErrPeer)
		},
	}
}

// verifyServer checks the certificate that a server shows, and returns whose it is. Only Role of
// want must be given.
func verifyServer(state tls.ConnectionState, roots *x509.CertPool, want Expected, now time.Time) (Identity, error) {
	if err := checkProtocol(state); err != nil {
		return Identity{}, err
	}
	leaf := state.PeerCertificates[0]
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: poolOf(state.PeerCertificates[1:]), CurrentTime: now,
		DNSName: want.Host, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrPeer, explain(err, leaf))
	}
	id, err := IdentityOf(leaf)
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrPeer, err)
	}
	if id.Role != want.Role || want.Name != "" && id.Name != want.Name {
		return Identity{}, fmt.Errorf("the server is %s, and %s is wanted: %w; "+
			"look at the address in nodes.toml, or in PATINA_MOTHER", id, want, ErrPeer)
	}
	return id, nil
}

// String returns role and name, such as "node/node-0".
func (e Expected) String() string {
	if e.Name == "" {
		return "any " + string(e.Role)
	}
	return string(e.Role) + "/" + e.Name
}

// explain adds the holder of the certificate and the way out to an error of verification.
func explain(err error, leaf *x509.Certificate) error {
	advice := "renew or join again on the machine that shows it"
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &unknown):
		advice = "another CA signed it: look at the address, or join the cluster of that CA"
	case errors.As(err, &host):
		advice = "look at the address, or invite it again with that host"
	case errors.As(err, &invalid) && invalid.Reason == x509.IncompatibleUsage:
		advice = "it may not be used so: a user's certificate is no server's"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		advice = fmt.Sprintf("it was valid from %s to %s: renew or join again on the machine that shows it, "+
			"and look at both clocks", day(leaf.NotBefore), day(leaf.NotAfter))
	}
	return fmt.Errorf("certificate of %.80q: %w; %s", leaf.Subject.CommonName, err, advice)
}

// alerts lists refusals by the other end, which package tls reports as text, with the way out.
var alerts = []struct{ text, advice string }{
	{"tls: certificate required", "a certificate is needed: get one with \"patina node join TOKEN\""},
	{"tls: expired certificate", "this machine's certificate has expired: renew it, and look at both clocks"},
	{"tls: unknown certificate authority", "another CA signed this machine's certificate: join the other end's cluster"},
	{"tls: bad certificate", "the other end refuses this machine's certificate: look at its log, or join again"},
	{"tls: protocol version not supported", "one end is too old for TLS 1.3: update it"},
	{"tls: no application protocol", "one end does not speak HTTP/2: look at the address and port"},
	{"first record does not look like a TLS handshake", "no TLS at the other end: look at the address and port"},
}

// Advice returns what to do about an error of a connection, or "" if nothing is known. The errors
// of grpc hold the refusals of the other end as text, so their texts are compared.
func Advice(err error) string {
	if err == nil {
		return ""
	}
	for _, a := range alerts {
		if strings.Contains(err.Error(), a.text) {
			return a.advice
		}
	}
	return ""
}
