package enrol

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/pki/pkitest"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var anna = pki.Invitation{Name: "anna", Role: pki.User}

// A front is a real listener with what a front answers of Enrol, Renew and one more call.
type front struct {
	nodepb.UnimplementedFrontServer
	*Server
	address string
	dir     string
	grpc    *grpc.Server
	log     *output
	revoked atomic.Value // string: a name
}

// Enrol and Renew are those of the Server.
func (f *front) Enrol(ctx context.Context, m *nodepb.EnrolRequest) (*nodepb.Certificate, error) {
	return f.Server.Enrol(ctx, m)
}

func (f *front) Renew(ctx context.Context, m *nodepb.RenewRequest) (*nodepb.Certificate, error) {
	return f.Server.Renew(ctx, m)
}

// Repositories answers whoever has a certificate.
func (f *front) Repositories(ctx context.Context, _ *nodepb.RepositoriesRequest) (*nodepb.RepositoriesReply, error) {
	id, err := pki.PeerIdentity(ctx)
	if err != nil {
		return nil, status.Error(codes.Unauthenticated, err.Error())
	}
	return &nodepb.RepositoriesReply{Etag: id.String() + " " + id.Serial}, nil
}

// output is a log that may be read while it is written.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func startFront(t *testing.T, ca *pkitest.CA, signer *pki.CA, options ...grpc.ServerOption) *front {
	t.Helper()
	f := &front{dir: pkitest.Sign(t, cmp.Or(signer, ca.CA), pki.Front, "front-0"), log: &output{}}
	f.revoked.Store("")
	folder, err := pki.OpenFolder(f.dir)
	check(t, err)
	settings, err := folder.EnrolTLS()
	check(t, err)
	isRevoked := func(name, _ string) bool { return name == f.revoked.Load() }
	f.Server = NewServer(signer, isRevoked, slog.New(slog.NewTextHandler(f.log, nil)))
	f.grpc = grpc.NewServer(append(options, grpc.Creds(credentials.NewTLS(settings)))...)
	nodepb.RegisterFrontServer(f.grpc, f)
	l, err := net.Listen("tcp", pkitest.Loopback+":0")
	check(t, err)
	f.address = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- f.grpc.Serve(l) }()
	t.Cleanup(func() {
		f.grpc.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return f
}

func identityIn(t *testing.T, dir string) pki.Identity {
	t.Helper()
	f, err := pki.OpenFolder(dir)
	check(t, err)
	check(t, f.Problem())
	return f.Identity()
}

// dial returns a client with the certificate of a folder; with "", without one.
func dial(t *testing.T, dir string, f *front, ca *pkitest.CA) nodepb.FrontClient {
	t.Helper()
	c := pki.JoinTLS(ca.Fingerprint(), nil)
	if dir != "" {
		var err error
		c, err = pki.ClientTLS(dir, pki.Expected{Role: pki.Front, Host: pkitest.Loopback})
		check(t, err)
	}
	conn, err := grpc.NewClient("passthrough:///"+f.address, grpc.WithTransportCredentials(credentials.NewTLS(c)))
	check(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return nodepb.NewFrontClient(conn)
}

func TestJoin(t *testing.T) {
	ca := pkitest.NewCA(t, 0)
	f := startFront(t, ca, ca.CA)
	plain := startFront(t, ca, nil) // a front without the CA
	gone, err := net.Listen("tcp", pkitest.Loopback+":0")
	check(t, err)
	check(t, gone.Close())
	token, err := ca.Invite(anna, []string{gone.Addr().String(), plain.address, f.address}, time.Minute)
	check(t, err)
	dir := filepath.Join(t.TempDir(), "certificates")
	id, err := Join(t.Context(), token, dir)
	if err != nil || id.String() != "user/anna" {
		t.Fatalf("%v, %v", id, err)
	}
	r, err := dial(t, dir, f, ca).Repositories(t.Context(), &nodepb.RepositoriesRequest{})
	if err != nil || !strings.HasPrefix(r.GetEtag(), "user/anna ") {
		t.Errorf("%v, %v", r, err)
	}

	// The token is valid once. What is here stays.
	_, err = Join(t.Context(), token, dir)
	for _, want := range []string{
		gone.Addr().String(), plain.address + ": this front has no CA", f.address + ": enrol: the token is unknown, used or expired",
	} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), token.Secret) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if now := identityIn(t, dir); now != id {
		t.Errorf("%v, was %v", now, id)
	}
	if log := f.log.String(); strings.Contains(log, token.Secret) || !strings.Contains(log, "a token was refused") {
		t.Error(log)
	}

	// A front of another CA gets to see nothing.
	stranger := pkitest.NewCA(t, 0)
	other := startFront(t, stranger, stranger.CA)
	token, err = ca.Invite(anna, []string{other.address}, time.Minute)
	check(t, err)
	if _, err = Join(t.Context(), token, dir); err == nil || !strings.Contains(err.Error(), "not of the CA") {
		t.Error(err)
	}
	if log := other.log.String(); log != "" {
		t.Error(log)
	}
}

func TestRenew(t *testing.T) {
	ca := pkitest.NewCA(t, 0)
	f := startFront(t, ca, ca.CA)
	dir := pkitest.Sign(t, ca.CA, pki.User, "anna")
	before := identityIn(t, dir)
	check(t, Renew(t.Context(), dir, []string{f.address}))
	after := identityIn(t, dir)
	if after.Serial == before.Serial || after.String() != "user/anna" {
		t.Errorf("%v, then %v", before, after)
	}
	if _, err := os.Stat(filepath.Join(dir, "tls.key.next")); !os.IsNotExist(err) {
		t.Error(err)
	}
	if renewed, err := RenewIfDue(t.Context(), dir, []string{f.address}); err != nil || renewed {
		t.Errorf("a new certificate: %v, %v", renewed, err)
	}
	f.revoked.Store("anna")
	err := Renew(t.Context(), dir, []string{f.address})
	if status.Code(err) != codes.Unauthenticated || !strings.Contains(err.Error(), "revoked") {
		t.Error(err)
	}
	f.revoked.Store("")
	if identityIn(t, dir) != after {
		t.Error("a refusal has changed the folder")
	}
	_, err = dial(t, "", f, ca).Renew(t.Context(), &nodepb.RenewRequest{})
	if status.Code(err) != codes.Unauthenticated {
		t.Error(err)
	}
	if err := Renew(t.Context(), dir, nil); err == nil || !strings.Contains(err.Error(), "PATINA_MOTHER") {
		t.Error(err)
	}
	check(t, RenewHere(t.Context(), f.dir, ca.CA))
}

// A user's certificate is renewed by any command once half of its life is over. A front that is
// gone is asked once in a while, and not by each command.
func TestRenewIfDue(t *testing.T) {
	ca := pkitest.NewCA(t, 30*24*time.Hour)
	f := startFront(t, ca, ca.CA)
	dir := pkitest.Sign(t, ca.At(t, 4*24*time.Hour), pki.User, "anna")
	before := identityIn(t, dir)
	gone := []string{pkitest.Loopback + ":1"}
	if renewed, err := RenewIfDue(t.Context(), dir, gone); err == nil || renewed {
		t.Errorf("%v, %v", renewed, err)
	}
	for range 3 {
		if renewed, err := RenewIfDue(t.Context(), dir, []string{f.address}); err != nil || renewed {
			t.Errorf("at once again: %v, %v", renewed, err)
		}
	}
	old := time.Now().Add(-2 * pause)
	check(t, os.Chtimes(filepath.Join(dir, lockFile), old, old))
	var renewals atomic.Int32
	var all sync.WaitGroup
	for range 8 { // commands at once
		all.Go(func() {
			renewed, err := RenewIfDue(t.Context(), dir, []string{f.address})
			if err != nil {
				t.Error(err)
			}
			if renewed {
				renewals.Add(1)
			}
		})
	}
	all.Wait()
	if after := identityIn(t, dir); renewals.Load() != 1 || after.Serial == before.Serial {
		t.Errorf("%d renewals, %v", renewals.Load(), after)
	}
}

// Who tries tokens is slowed down, and others are not until they are many.
func TestLimit(t *testing.T) {
	now := time.Unix(1, 0)
	l := limit{now: func() time.Time { return now }}
	count := func(caller string) (n int) {
		for l.takeToken(caller) {
			n++
		}
		return n
	}
	if n := count("a"); n != one {
		t.Errorf("%d calls at once", n)
	}
	if n := count("b"); n != one {
		t.Errorf("%d calls of another", n)
	}
	now = now.Add(2 * time.Second)
	if n := count("a"); n != 2 {
		t.Errorf("%d calls after two seconds", n)
	}
	total := 0
	for c := range 26 {
		total += count(string(rune('c' + c)))
	}
	if total != all-2 {
		t.Errorf("%d calls of all", total)
	}
	now = now.Add(time.Hour)
	for i := range mostCallers {
		l.takeToken(strings.Repeat("x", i))
	}
	if l.takeToken("new") {
		t.Error("more callers are remembered than there may be")
	}
	now = now.Add(time.Hour)
	if !l.takeToken("new") || len(l.callers) != 1 {
		t.Errorf("%d callers are remembered", len(l.callers))
	}

	ca := pkitest.NewCA(t, 0)
	f := startFront(t, ca, ca.CA)
	client := dial(t, "", f, ca)
	csr, err := pki.NewRequest(t.TempDir())
	check(t, err)
	refused := 0
	for range 2 * one {
		_, err := client.Enrol(t.Context(), &nodepb.EnrolRequest{Secret: strings.Repeat("A", 22), Csr: csr})
		if status.Code(err) == codes.ResourceExhausted {
			refused++
		} else if status.Code(err) != codes.PermissionDenied {
			t.Error(err)
		}
	}
	if refused < one-3 {
		t.Errorf("%d tries were refused", refused)
	}
}
