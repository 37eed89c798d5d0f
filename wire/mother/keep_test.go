package mother

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/wire/config"
	"patina/wire/front"
	"patina/wire/pki"
	"patina/wire/pki/pkitest"
)

// The certificate of a user who asks a front is renewed when half of its life is over, however
// short the process is.
func TestCertificateIsRenewed(t *testing.T) {
	ca := pkitest.NewCA(t, 30*24*time.Hour)
	folder, err := pki.OpenFolder(pkitest.Sign(t, ca.CA, pki.Front, "front-0"))
	if err != nil {
		t.Fatal(err)
	}
	creds, err := folder.EnrolCredentials()
	if err != nil {
		t.Fatal(err)
	}
	s, err := front.New(front.Options{
		Config: func() *config.Config { return &config.Config{} }, Identify: pki.PeerIdentity, Credentials: creds, CA: ca.CA,
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", pkitest.Loopback+":0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	defer func() {
		s.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	home := t.TempDir()
	for ago, want := range map[time.Duration]bool{4 * 24 * time.Hour: true, 2 * 24 * time.Hour: false} {
		dir := filepath.Join(home, CertificatesFolder)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(pkitest.Sign(t, ca.At(t, ago), pki.User, "anna"), dir); err != nil {
			t.Fatal(err)
		}
		before, err := pki.OpenFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		serial := before.Identity().Serial
		t.Setenv("PATINA_MOTHER", l.Addr().String())
		c := New(home)
		if _, err := c.open(); err != nil {
			t.Fatal(err)
		}
		c.Close()
		after, err := pki.OpenFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		if renewed := after.Identity().Serial != serial; renewed != want {
			t.Errorf("signed %v ago: renewed is %v", ago, renewed)
		}
	}
}
