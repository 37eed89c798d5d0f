package enrol

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/peer"

	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/pki/pkitest"
)

// The lives of certificates of nodes and fronts, and of those of a test, which are due at once.
const (
	nodeLife = 30 * 24 * time.Hour
	left     = 6 * time.Second
)

// serials are the certificates that one side has seen of the other.
type serials struct {
	mu  sync.Mutex
	all map[string]bool
}

func (s *serials) add(serial string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]bool{}
	}
	s.all[serial] = true
}

// Processes whose certificates live for six seconds, and are replaced each second, lose no call
// in eight seconds: neither on connections that go on nor on new ones, as a server or as a client.
func TestRotationLosesNoCall(t *testing.T) {
	ca := pkitest.NewCA(t, 2*nodeLife)
	late := ca.At(t, nodeLife-left)
	// A connection is shorter than a life, as it is with those of thirty days.
	aged := grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionAge: time.Second, MaxConnectionAgeGrace: left})
	f := startFront(t, ca, late, aged)
	client := pkitest.Sign(t, late, pki.Node, "node-0")
	ctx, end := context.WithTimeout(t.Context(), 8*time.Second)
	defer end()
	var log output
	logger := slog.New(slog.NewTextHandler(&log, nil))
	var work sync.WaitGroup
	for _, k := range []*Keeper{
		{Dir: client, Renew: ByFronts(client, func() []string { return []string{f.address} }), Log: logger},
		{Dir: f.dir, Renew: ByCA(f.dir, late), Log: logger},
	} {
		k.look, k.retry = time.Minute, time.Minute // between two renewals is a sixtieth of it
		work.Go(func() { k.Run(ctx) })
	}
	var servers, clients serials
	calls, failed := 0, 0
	call := func(c nodepb.FrontClient) {
		var at peer.Peer
		r, err := c.Repositories(context.WithoutCancel(ctx), &nodepb.RepositoriesRequest{}, grpc.Peer(&at))
		calls++
		if err != nil {
			failed++
			t.Error(err)
			return
		}
		_, serial, _ := strings.Cut(r.GetEtag(), " ")
		clients.add(serial)
		if info, ok := at.AuthInfo.(credentials.TLSInfo); ok {
			id, err := pki.IdentityOf(info.State.PeerCertificates[0])
			check(t, err)
			servers.add(id.Serial)
		}
	}
	open := dial(t, client, f, ca)
	for ctx.Err() == nil {
		call(open)
		settings, err := pki.ClientTLS(client, pki.Expected{Role: pki.Front, Host: pkitest.Loopback})
		check(t, err)
		conn, err := grpc.NewClient("passthrough:///"+f.address, grpc.WithTransportCredentials(credentials.NewTLS(settings)))
		check(t, err)
		call(nodepb.NewFrontClient(conn))
		check(t, conn.Close())
		time.Sleep(5 * time.Millisecond)
	}
	work.Wait()
	t.Logf("%d calls, %d failed, %d certificates of the client, %d of the server",
		calls, failed, len(clients.all), len(servers.all))
	if len(clients.all) < 4 || len(servers.all) < 4 || calls < 100 {
		t.Errorf("too few certificates or calls:\n%s", log.String())
	}
	if strings.Contains(log.String(), "not renewed") {
		t.Error(log.String())
	}
}

// A front that is gone costs a line in the log and not one an attempt. When it is back, the
// certificate is renewed. A folder that others write is left alone.
func TestKeeperTriesAgain(t *testing.T) {
	ca := pkitest.NewCA(t, 2*nodeLife)
	dir := pkitest.Sign(t, ca.At(t, 20*24*time.Hour), pki.Node, "node-0")
	before := identityIn(t, dir)
	var log output
	attempts := make(chan error)
	k := &Keeper{
		Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil)), look: time.Second, retry: time.Millisecond,
		Renew: func(ctx context.Context) error {
			if err := <-attempts; err != nil {
				return err
			}
			return RenewHere(ctx, dir, ca.CA)
		},
	}
	ctx, end := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { k.Run(ctx) })
	for _, err := range []error{errors.New("gone"), errors.New("gone"), errors.New("refused"), nil} {
		attempts <- err
	}
	for !strings.Contains(log.String(), "was renewed") {
		time.Sleep(time.Millisecond)
	}
	select {
	case attempts <- nil:
		t.Error("a new certificate is renewed")
	case <-time.After(50 * time.Millisecond):
	}
	end()
	work.Wait()
	if n := strings.Count(log.String(), "was not renewed"); n != 2 || identityIn(t, dir).Serial == before.Serial {
		t.Errorf("%d lines:\n%s", n, log.String())
	}

	dir = pkitest.Sign(t, ca.At(t, 20*24*time.Hour), pki.Node, "node-0")
	k = &Keeper{Dir: dir, Renew: func(context.Context) error { return os.ErrPermission }, Log: slog.New(slog.DiscardHandler)}
	due, err := k.step(t.Context(), 0)
	if end := identityIn(t, dir).NotAfter; err != nil || !due.Equal(end) {
		t.Errorf("a folder that cannot be written: %v, %v", due, err)
	}
	k.Dir = filepath.Join(dir, "none")
	if _, err := k.step(t.Context(), 0); err == nil {
		t.Error("no folder")
	}
}
