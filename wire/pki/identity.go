package pki

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net/url"
	"time"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"patina/wire/config"
)

// A Role says how the holder of a certificate takes part.
type Role string

// The roles.
const (
	Node  Role = "node"  // hosts repositories
	Front Role = "front" // passes questions of users to nodes
	User  Role = "user"  // asks
)

// scheme is that of the URIs that hold role and name.
const scheme = "patina"

// ErrNoIdentity is the cause when a caller or a certificate does not say who it is.
var ErrNoIdentity = errors.New("no identity")

// An Identity says whose certificate one is.
type Identity struct {
	Name     string
	Role     Role
	Serial   string // of the certificate, in hexadecimal digits of lower case
	NotAfter time.Time
}

// String returns role and name, such as "node/node-0".
func (i Identity) String() string { return string(i.Role) + "/" + i.Name }

// lifetime returns for how long certificates of a role are valid: users' machines get lost, and
// nodes' do not. It is 0 for an unknown role.
func (r Role) lifetime() time.Duration {
	switch r {
	case User:
		return 7 * 24 * time.Hour
	case Node, Front:
		return 30 * 24 * time.Hour
	}
	return 0
}

// isServer reports whether holders of the role are connected to.
func (r Role) isServer() bool { return r == Node || r == Front }

func identityURI(role Role, name string) *url.URL {
	return &url.URL{Scheme: scheme, Host: string(role), Path: "/" + name}
}

// IdentityOf reads the identity in a certificate that was verified before. It returns an error that
// wraps ErrNoIdentity unless exactly one URI of the certificate is patina://ROLE/NAME.
func IdentityOf(leaf *x509.Certificate) (Identity, error) {
	var found []*url.URL
	for _, u := range leaf.URIs {
		if u.Scheme == scheme {
			found = append(found, u)
		}
	}
	if len(found) != 1 || leaf.IsCA {
		return Identity{}, fmt.Errorf("certificate %.80q: %d URIs patina://ROLE/NAME where there must be one: %w; "+
			"make it with \"patina node join\"",
			leaf.Subject.CommonName, len(found), ErrNoIdentity)
	}
	u := found[0]
	id := Identity{Role: Role(u.Host), Serial: fmt.Sprintf("%x", leaf.SerialNumber), NotAfter: leaf.NotAfter}
	if len(u.Path) > 1 {
		id.Name = u.Path[1:]
	}
	known := id.Role.lifetime() != 0 && config.CheckName(id.Name) == nil
	if !known || u.String() != identityURI(id.Role, id.Name).String() {
		return Identity{}, fmt.Errorf("certificate %.80q: URI %.200q is not patina://node/NAME, "+
			"patina://front/NAME or patina://user/NAME: %w; make it with \"patina node join\"",
			leaf.Subject.CommonName, u, ErrNoIdentity)
	}
	return id, nil
}

// ConnectionIdentity returns who is at the other end of a connection that a server accepted. It
// returns an error that wraps ErrNoIdentity if the client showed no certificate, or one that has
// expired since.
func ConnectionIdentity(state tls.ConnectionState, now time.Time) (Identity, error) {
	if len(state.VerifiedChains) == 0 {
		return Identity{}, fmt.Errorf("the caller has no certificate: %w; get one with \"patina node join TOKEN\"",
			ErrNoIdentity)
	}
	leaf := state.VerifiedChains[0][0]
	if now.After(leaf.NotAfter) {
		return Identity{}, fmt.Errorf("the caller's certificate expired on %s: %w; "+
			"get one with \"patina node join TOKEN\"", day(leaf.NotAfter), ErrNoIdentity)
	}
	return IdentityOf(leaf)
}

// PeerIdentity returns who calls, in a handler of grpc. It returns an error that wraps
// ErrNoIdentity for a caller without a valid certificate. It does not know which certificates are
// revoked.
func PeerIdentity(ctx context.Context) (Identity, error) {
	id, _, err := PeerCertificate(ctx)
	return id, err
}

// PeerCertificate is PeerIdentity with the verified certificate of the caller, which must not be
// changed.
func PeerCertificate(ctx context.Context) (Identity, *x509.Certificate, error) {
	if p, ok := peer.FromContext(ctx); ok {
		if info, ok := p.AuthInfo.(credentials.TLSInfo); ok {
			id, err := ConnectionIdentity(info.State, time.Now())
			if err != nil {
				return Identity{}, nil, err
			}
			return id, info.State.VerifiedChains[0][0], nil
		}
	}
	return Identity{}, nil, fmt.Errorf("the connection is not encrypted: %w; connect by TLS", ErrNoIdentity)
}

// ChainIdentity returns the identity in the leaf of a chain in PEM, such as Enrol returns. It does
// not verify the chain.
func ChainIdentity(chain []byte) (Identity, error) {
	all, err := parseCertificates(chain)
	if err != nil {
		return Identity{}, err
	}
	return IdentityOf(all[0])
}

// Days returns how many whole days a certificate stays valid. It is negative once the certificate
// has expired.
func Days(cert *x509.Certificate, now time.Time) int {
	return int(math.Floor(cert.NotAfter.Sub(now).Hours() / 24))
}

// RenewAt returns the time from which a certificate should be renewed: half of its life. The other
// half is left for a front that does not answer.
func RenewAt(cert *x509.Certificate) time.Time {
	return cert.NotBefore.Add(cert.NotAfter.Sub(cert.NotBefore) / 2)
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
