package pki

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mentions reports whether an error has a text in it. It is false for nil.
func mentions(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

func newCA(t *testing.T) *CA {
	t.Helper()
	ca, err := InitCA(filepath.Join(t.TempDir(), "ca"))
	check(t, err)
	return ca
}

// joined returns a folder with a certificate that a CA signed.
func joined(t *testing.T, ca *CA, in Invitation) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), in.Name)
	request, err := NewRequest(dir)
	check(t, err)
	chain, err := ca.Sign(in, request)
	check(t, err)
	check(t, SaveJoined(dir, chain, ca.PEM(), ca.Fingerprint()))
	return dir
}

func request(t *testing.T) []byte {
	t.Helper()
	der, err := NewRequest(filepath.Join(t.TempDir(), "key"))
	check(t, err)
	return der
}

func leafOf(t *testing.T, chain []byte) *x509.Certificate {
	t.Helper()
	all, err := parseCertificates(chain)
	check(t, err)
	return all[0]
}

func fixedClock(t time.Time) func() time.Time { return func() time.Time { return t } }

func TestInitCA(t *testing.T) {
	ca := newCA(t)
	for name, want := range map[string]os.FileMode{caKeyFile: 0o600, authorityFile: 0o644} {
		info, err := os.Stat(filepath.Join(ca.dir, name))
		check(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	if c := ca.Certificate(); !c.IsCA || ca.key.Curve != elliptic.P256() || c.CheckSignatureFrom(c) != nil {
		t.Errorf("%+v", c)
	}
	before, err := os.ReadFile(filepath.Join(ca.dir, caKeyFile))
	check(t, err)
	for _, lost := range []string{"", authorityFile} { // half of a CA is not overwritten either
		if lost != "" {
			check(t, os.Remove(filepath.Join(ca.dir, lost)))
		}
		if _, err := InitCA(ca.dir); !errors.Is(err, ErrExists) {
			t.Errorf("without %q: %v", lost, err)
		}
	}
	if after, err := os.ReadFile(filepath.Join(ca.dir, caKeyFile)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the key has changed: %v", err)
	}
}

func TestOpenCA(t *testing.T) {
	ca, other := newCA(t), newCA(t)
	again, err := OpenCA(ca.dir)
	if err != nil || again.Fingerprint() != ca.Fingerprint() {
		t.Fatal(err)
	}
	if _, err := OpenCA(t.TempDir()); !errors.Is(err, os.ErrNotExist) || !mentions(err, "patina node ca init") {
		t.Errorf("an empty folder: %v", err)
	}
	check(t, os.WriteFile(filepath.Join(ca.dir, authorityFile), other.PEM(), 0o600))
	if _, err := OpenCA(ca.dir); !mentions(err, "not of the key") {
		t.Errorf("another CA's certificate: %v", err)
	}
	check(t, os.Chmod(filepath.Join(other.dir, caKeyFile), 0o640))
	if _, err := OpenCA(other.dir); !errors.Is(err, ErrUnsafe) || !mentions(err, "chmod 600") {
		t.Errorf("a key for the group: %v", err)
	}
	check(t, os.Chmod(filepath.Join(other.dir, caKeyFile), 0o600))
	check(t, os.Chmod(other.dir, 0o777))
	if _, err := OpenCA(other.dir); !errors.Is(err, ErrUnsafe) || !mentions(err, "chmod go-w") {
		t.Errorf("a folder for all: %v", err)
	}
}

func TestSign(t *testing.T) {
	ca := newCA(t)
	now := time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC)
	ca.Now = fixedClock(now)
	for _, test := range []struct {
		in     Invitation
		days   int
		server bool
	}{
		{Invitation{Name: "anna@example.com", Role: User}, 7, false},
		{Invitation{Name: "node-0", Role: Node, Hosts: []string{"node-0.nodes", "10.0.0.1", "::1"}}, 30, true},
		{Invitation{Name: "front_0", Role: Front, Hosts: []string{"front.example.com"}}, 30, true},
	} {
		chain, err := ca.Sign(test.in, request(t))
		check(t, err)
		leaf := leafOf(t, chain)
		id, err := IdentityOf(leaf)
		check(t, err)
		if id.Name != test.in.Name || id.Role != test.in.Role || id.Serial != fmt.Sprintf("%x", leaf.SerialNumber) {
			t.Errorf("%+v: %+v", test.in, id)
		}
		half, renew := now.Add(time.Duration(test.days)*12*time.Hour), RenewAt(leaf)
		if Days(leaf, now) != test.days || renew.After(half) || renew.Before(half.Add(-skew)) {
			t.Errorf("%s: %d days, renewed at %v", id, Days(leaf, now), renew)
		}
		if Days(leaf, leaf.NotAfter.Add(time.Second)) != -1 {
			t.Errorf("%s: expired, and %d days left", id, Days(leaf, leaf.NotAfter.Add(time.Second)))
		}
		if slices.Contains(leaf.ExtKeyUsage, x509.ExtKeyUsageServerAuth) != test.server || leaf.IsCA {
			t.Errorf("%s: usage %v", id, leaf.ExtKeyUsage)
		}
		for _, h := range test.in.Hosts {
			check(t, leaf.VerifyHostname(h))
		}
	}
	for want, in := range map[string]Invitation{
		`name "a/b"`:                 {Name: "a/b", Role: User},
		`role "boss"`:                {Name: "a", Role: "boss"},
		"user \"a\" has hosts":       {Name: "a", Role: User, Hosts: []string{"h"}},
		"front \"f\" has no host":    {Name: "f", Role: Front},
		`host "h h"`:                 {Name: "n", Role: Node, Hosts: []string{"h h"}},
		`host "*.example.com"`:       {Name: "n", Role: Node, Hosts: []string{"*.example.com"}},
		"has 21 hosts: give at most": {Name: "n", Role: Node, Hosts: slices.Repeat([]string{"h"}, 21)},
	} {
		if _, err := ca.Sign(in, request(t)); !mentions(err, want) {
			t.Errorf("%+v: %v, want %q", in, err, want)
		}
	}
	ca.Now = fixedClock(ca.cert.NotAfter.Add(-time.Hour)) // a certificate must not outlive its CA
	chain, err := ca.Sign(Invitation{Name: "anna", Role: User}, request(t))
	check(t, err)
	if leaf := leafOf(t, chain); leaf.NotAfter.After(ca.cert.NotAfter) {
		t.Errorf("valid until %v, the CA until %v", leaf.NotAfter, ca.cert.NotAfter)
	}
	ca.Now = fixedClock(ca.cert.NotAfter)
	if _, err := ca.Sign(Invitation{Name: "anna", Role: User}, request(t)); !mentions(err, "ca init") {
		t.Errorf("an expired CA signs: %v", err)
	}
}

// foreign is a request that says everything that one must not be believed.
func foreign(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	check(t, err)
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{
		Subject:  pkix.Name{CommonName: "node-0", Organization: []string{"admins"}},
		DNSNames: []string{"node-0.nodes"}, IPAddresses: []net.IP{{10, 0, 0, 1}},
		EmailAddresses: []string{"root@example.com"},
		URIs:           []*url.URL{identityURI(Node, "node-0"), identityURI(Front, "front-0")},
	}, key)
	check(t, err)
	return der
}

func TestRequestIsNotBelieved(t *testing.T) {
	ca := newCA(t)
	token, err := ca.Invite(Invitation{Name: "anna", Role: User}, []string{"front:7420"}, time.Minute)
	check(t, err)
	chain, err := ca.Enrol(token.Secret, foreign(t))
	check(t, err)
	leaf := leafOf(t, chain)
	if id, err := IdentityOf(leaf); err != nil || id.String() != "user/anna" {
		t.Errorf("%v, %v", id, err)
	}
	more := len(leaf.DNSNames) + len(leaf.IPAddresses) + len(leaf.EmailAddresses) + len(leaf.Subject.Organization)
	if len(leaf.URIs) != 1 || more != 0 || leaf.Subject.CommonName != "anna" {
		t.Errorf("%v %v %v %v %v", leaf.URIs, leaf.DNSNames, leaf.IPAddresses, leaf.EmailAddresses, leaf.Subject)
	}
}

func TestRequestsAreRefused(t *testing.T) {
	ca := newCA(t)
	signedBy := func(key any) []byte {
		der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
		check(t, err)
		return der
	}
	small, err := rsa.GenerateKey(rand.Reader, 2048)
	check(t, err)
	weak, err := ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
	check(t, err)
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	check(t, err)
	forged := request(t)
	forged[len(forged)-1] ^= 1
	taken, key := request(t), request(t) // a key with a signature by another
	a, err := x509.ParseCertificateRequest(taken)
	check(t, err)
	b, err := x509.ParseCertificateRequest(key)
	check(t, err)
	a.Signature = append(a.Signature, make([]byte, 4)...)[:len(b.Signature)]
	taken = bytes.Replace(key, b.Signature, a.Signature, 1)
	for want, der := range map[string][]byte{
		"its key is of RSA":           signedBy(small),
		"its key is of ECDSA":         signedBy(weak),
		"its key is of Ed25519":       signedBy(edwards),
		"not by its key":              forged,
		"its signature is not by its": taken,
		"not a PKCS #10":              ca.PEM(),
		"8193 bytes":                  make([]byte, maxRequest+1),
		"not a PKCS #10 request in D": nil,
	} {
		token, err := ca.Invite(Invitation{Name: "anna", Role: User}, []string{"front:7420"}, time.Minute)
		check(t, err)
		_, err = ca.Enrol(token.Secret, der)
		if !errors.Is(err, ErrRequest) || !mentions(err, want) || !mentions(err, "patina node join") {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := ca.Enrol(token.Secret, request(t)); err != nil {
			t.Errorf("a request that is not well formed used the token up: %v", err)
		}
	}
}

func TestInvitations(t *testing.T) {
	ca := newCA(t)
	start := time.Now()
	ca.Now = fixedClock(start)
	anna := Invitation{Name: "anna", Role: User}
	invite := func(in Invitation, ttl time.Duration) string {
		t.Helper()
		token, err := ca.Invite(in, []string{"front:7420"}, ttl)
		check(t, err)
		return token.Secret
	}
	used := invite(anna, time.Minute)
	content, err := os.ReadFile(filepath.Join(ca.dir, invitationsFile))
	check(t, err)
	info, err := os.Stat(filepath.Join(ca.dir, invitationsFile))
	check(t, err)
	if bytes.Contains(content, []byte(used)) || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: %s", info.Mode(), content)
	}
	again, err := OpenCA(ca.dir) // another process
	check(t, err)
	if _, err := again.Enrol(used, request(t)); err != nil {
		t.Fatal(err)
	}
	replaced := invite(anna, time.Hour)
	expired := invite(anna, time.Minute)
	other := invite(Invitation{Name: "ben", Role: User}, time.Hour)
	ca.Now = fixedClock(start.Add(time.Minute))
	forged := "A" + other[1:]
	if other[0] == 'A' {
		forged = "B" + other[1:]
	}
	texts := map[string]bool{}
	for name, secret := range map[string]string{
		"used": used, "replaced": replaced, "expired": expired, "forged": forged, "unknown": "AAAAAAAAAAAAAAAAAAAAAA",
		"empty": "", "short": other[:8], "no base64": strings.Repeat("!", 22), "long": strings.Repeat("A", 1<<20),
	} {
		_, err := ca.Enrol(secret, request(t))
		if !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		texts[err.Error()] = true
	}
	if len(texts) != 1 {
		t.Errorf("the refusals differ: %v", texts)
	}
	if _, err := ca.Enrol(other, request(t)); err != nil {
		t.Errorf("a good token among bad ones: %v", err)
	}
	for _, ttl := range []time.Duration{0, -time.Second, MaxTTL + 1} {
		if _, err := ca.Invite(anna, []string{"front:7420"}, ttl); !mentions(err, "at most") {
			t.Errorf("%v: %v", ttl, err)
		}
	}
	if _, err := ca.Invite(anna, nil, time.Minute); !mentions(err, "host:port") {
		t.Errorf("no address: %v", err)
	}
}

// However many show one secret at once, in however many processes, one gets a certificate.
func TestTokenIsUsedOnce(t *testing.T) {
	ca := newCA(t)
	token, err := ca.Invite(Invitation{Name: "anna", Role: User}, []string{"front:7420"}, time.Minute)
	check(t, err)
	der := request(t)
	var signed, refused atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			mine, err := OpenCA(ca.dir)
			if err != nil {
				t.Error(err)
				return
			}
			switch _, err := mine.Enrol(token.Secret, der); {
			case err == nil:
				signed.Add(1)
			case errors.Is(err, ErrRefused):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if signed.Load() != 1 || refused.Load() != 15 {
		t.Errorf("%d signed, %d refused", signed.Load(), refused.Load())
	}
}

func TestBrokenInvitationsAreNamed(t *testing.T) {
	ca := newCA(t)
	name := filepath.Join(ca.dir, invitationsFile)
	check(t, os.WriteFile(name, []byte("{"), 0o600))
	_, err := ca.Invite(Invitation{Name: "anna", Role: User}, []string{"front:7420"}, time.Minute)
	if !mentions(err, "invite again") {
		t.Errorf("broken: %v", err)
	}
	check(t, os.WriteFile(name, []byte("[]"), 0o600))
	check(t, os.Chmod(name, 0o644))
	if _, err := ca.Enrol("AAAAAAAAAAAAAAAAAAAAAA", request(t)); !errors.Is(err, ErrUnsafe) {
		t.Errorf("readable by all: %v", err)
	}
}

func TestRenew(t *testing.T) {
	ca, other := newCA(t), newCA(t)
	start := time.Now()
	dir := joined(t, ca, Invitation{Name: "node-0", Role: Node, Hosts: []string{"node-0.nodes", "10.0.0.1"}})
	f, err := OpenFolder(dir)
	check(t, err)
	old := f.Certificate()
	ca.Now = fixedClock(start.Add(16 * 24 * time.Hour))
	chain, err := ca.Renew(old, foreign(t))
	check(t, err)
	leaf := leafOf(t, chain)
	id, err := IdentityOf(leaf)
	hosts := errors.Join(leaf.VerifyHostname("10.0.0.1"), leaf.VerifyHostname("node-0.nodes"))
	if err != nil || id.String() != "node/node-0" || hosts != nil {
		t.Errorf("%v %v %v, %v", id, leaf.DNSNames, leaf.IPAddresses, err)
	}
	if !leaf.NotAfter.After(old.NotAfter) || leaf.SerialNumber.Cmp(old.SerialNumber) == 0 {
		t.Errorf("%v after %v", leaf.NotAfter, old.NotAfter)
	}
	other.Now = ca.Now
	if _, err := other.Renew(old, request(t)); !mentions(err, "another CA signed it") {
		t.Errorf("by another CA: %v", err)
	}
	if _, err := ca.Renew(ca.Certificate(), request(t)); !errors.Is(err, ErrNoIdentity) {
		t.Errorf("the CA's own: %v", err)
	}
	ca.Now = fixedClock(start.Add(31 * 24 * time.Hour))
	if _, err := ca.Renew(old, request(t)); !mentions(err, "join again") {
		t.Errorf("expired: %v", err)
	}
}

func FuzzRequest(f *testing.F) {
	dir := f.TempDir()
	ca, err := InitCA(filepath.Join(dir, "ca"))
	if err != nil {
		f.Fatal(err)
	}
	good, err := NewRequest(filepath.Join(dir, "key"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte{0x30, 0x80})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, der []byte) {
		chain, err := ca.Sign(Invitation{Name: "anna", Role: User}, der)
		if err != nil {
			if !errors.Is(err, ErrRequest) {
				t.Errorf("%v is not a refusal of a request", err)
			}
			return
		}
		if id, err := IdentityOf(leafOf(t, chain)); err != nil || id.String() != "user/anna" {
			t.Errorf("%v, %v", id, err)
		}
	})
}
