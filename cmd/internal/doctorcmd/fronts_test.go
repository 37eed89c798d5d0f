package doctorcmd

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/ask/project"
	"patina/registry"
	"patina/wire/mother"
	"patina/wire/pki"
	"patina/wire/pki/pkitest"
)

const day = 24 * time.Hour

// What is said of a certificate depends on how much of its life is left: less than two sevenths are
// late, and none is a failure. Without a certificate nothing is said.
func TestIdentity(t *testing.T) {
	ca := pkitest.NewCA(t, 400*day)
	for _, test := range []struct {
		role         pki.Role
		age          time.Duration
		status, text string
		mend         string
	}{
		{pki.User, 0, fine, "user/anna, certificate valid until ", ""},
		{pki.User, 4 * day, fine, "(2 days)", ""},
		{pki.User, 5*day + time.Hour, warned, "(1 day)", "patina node renew"},
		{pki.User, 8 * day, failed, "user/anna, certificate expired on ", "patina node join TOKEN"},
		{pki.Node, 15 * day, fine, "node/anna, certificate valid until ", ""},
		{pki.Node, 22 * day, warned, "(7 days)", "patina node renew"},
		{pki.Node, 31 * day, failed, "node/anna, certificate expired on ", "patina node join TOKEN"},
	} {
		e := &examination{ctx: t.Context()}
		e.identity(pkitest.Sign(t, ca.At(t, test.age), test.role, "anna"))
		if len(e.found) != 1 {
			t.Fatal(e.found)
		}
		f := e.found[0]
		if f.Name != "identity" || f.Status != test.status || !strings.Contains(f.Detail, test.text) ||
			!strings.HasPrefix(f.Mend, test.mend) || test.mend == "" && f.Mend != "" {
			t.Errorf("%s after %s: %+v", test.role, test.age, f)
		}
	}
	e := &examination{ctx: t.Context()}
	if e.identity(filepath.Join(t.TempDir(), "none")); len(e.found) != 0 {
		t.Errorf("%+v", e.found)
	}
	broken := pkitest.Sign(t, ca.CA, pki.User, "anna")
	if err := os.Chmod(filepath.Join(broken, "tls.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if e.identity(broken); len(e.found) != 1 || e.found[0].Status != warned {
		t.Errorf("%+v", e.found)
	}
}

// Nobody is asked unless the settings name one. A front that takes connections and says nothing is
// named within the time that doctor has.
func TestSilentFront(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	came := make(chan struct{}, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer func() { _ = c.Close() }() // when the test ends
			came <- struct{}{}
		}
	}()
	e := &examination{ctx: t.Context(), place: project.Place{Home: t.TempDir()}}
	if e.fronts(registry.Settings{}); len(e.found) != 0 || len(came) != 0 {
		t.Fatalf("%+v, %d connections", e.found, len(came))
	}
	began := time.Now()
	e.fronts(registry.Settings{Mother: l.Addr().String()})
	if took := time.Since(began); took > frontTime+time.Minute {
		t.Errorf("it took %s", took)
	}
	if len(came) == 0 || len(e.found) != 1 || e.found[0].Status != warned || e.found[0].Mend == "" ||
		!strings.HasPrefix(e.found[0].Detail, l.Addr().String()+": ") {
		t.Errorf("%+v, %d connections", e.found, len(came))
	}
}

// What a front says is shown as it is: its version, and a protocol that is another one.
func TestFrontOfAnotherVersion(t *testing.T) {
	e := &examination{ctx: t.Context()}
	e.front(mother.Front{Address: "a:1", Name: "front-0", Version: "9.9", Unanswered: 3})
	f := e.found[0]
	if f.Status != warned || !strings.Contains(f.Detail, "front-0, version 9.9, protocol 0 (here 1)") ||
		!strings.Contains(f.Detail, "no node answers for 3 of your repositories") || f.Mend != "patina node status" {
		t.Errorf("%+v", f)
	}
}
