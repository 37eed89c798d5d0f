package pki

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

const loopback = "127.0.0.1"

var (
	anna   = Invitation{Name: "anna", Role: User}
	node0  = Invitation{Name: "node-0", Role: Node, Hosts: []string{loopback}}
	front0 = Invitation{Name: "front-0", Role: Front, Hosts: []string{loopback, "front-0.example.com"}}
)

// A server greets whoever completes a handshake.
type server struct {
	l      net.Listener
	errors chan error // of each connection
	states chan tls.ConnectionState
}

func serve(t *testing.T, config *tls.Config) *server {
	t.Helper()
	l, err := net.Listen("tcp", loopback+":0")
	check(t, err)
	s := &server{l, make(chan error, 16), make(chan tls.ConnectionState, 16)}
	done := make(chan struct{})
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	go func() {
		defer close(done)
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			go s.greet(raw, config)
		}
	}()
	return s
}

func (s *server) greet(raw net.Conn, config *tls.Config) {
	_ = raw.SetDeadline(time.Now().Add(20 * time.Second))
	conn := tls.Server(raw, config)
	err := conn.Handshake()
	s.errors <- err
	if err != nil {
		_ = raw.Close()
		return
	}
	s.states <- conn.ConnectionState()
	_, _ = io.Copy(conn, conn) // an echo
	_ = conn.Close()
}

// connect returns a connection over which a byte went there and back. Under TLS 1.3 a client knows
// only then whether the server accepts it.
func (s *server) connect(config *tls.Config) (*tls.Conn, error) {
	raw, err := net.DialTimeout("tcp", s.l.Addr().String(), 20*time.Second)
	if err != nil {
		return nil, err
	}
	_ = raw.SetDeadline(time.Now().Add(20 * time.Second))
	conn := tls.Client(raw, config)
	if err := echo(conn); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return conn, nil
}

func echo(conn net.Conn) error {
	if _, err := conn.Write([]byte{7}); err != nil {
		return err
	}
	_, err := io.ReadFull(conn, make([]byte, 1))
	return err
}

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir)
	check(t, err)
	return f
}

func (f *Folder) mustServe(t *testing.T) *tls.Config {
	t.Helper()
	c, err := f.ServerTLS()
	check(t, err)
	return c
}

func (f *Folder) mustConnect(t *testing.T, server Expected) *tls.Config {
	t.Helper()
	c, err := f.ClientTLS(server)
	check(t, err)
	return c
}

func TestConnections(t *testing.T) {
	ca := newCA(t)
	fronts, nodes, users := joined(t, ca, front0), joined(t, ca, node0), joined(t, ca, anna)
	for name, test := range map[string]struct {
		server, client string
		want           Expected
		caller         string
	}{
		"a user at a front by its address": {fronts, users, Expected{Role: Front, Host: loopback}, "user/anna"},
		"a user at a front by its host": {
			fronts,
			users,
			Expected{Role: Front, Host: "front-0.example.com"},
			"user/anna",
		},
		"a user at a front by its name": {fronts, users, Expected{Role: Front, Name: "front-0"}, "user/anna"},
		"a front at a node": {
			nodes,
			fronts,
			Expected{Role: Node, Name: "node-0", Host: loopback},
			"front/front-0",
		},
		"a node at a front": {fronts, nodes, Expected{Role: Front, Host: loopback}, "node/node-0"},
	} {
		serverTLS, err := ServerTLS(test.server)
		check(t, err)
		clientTLS, err := ClientTLS(test.client, test.want)
		check(t, err)
		s := serve(t, serverTLS)
		conn, err := s.connect(clientTLS)
		if err != nil {
			t.Errorf("%s: %v, %v", name, err, <-s.errors)
			continue
		}
		state := <-s.states
		id, err := ConnectionIdentity(state, time.Now())
		modern := state.Version == tls.VersionTLS13 && state.NegotiatedProtocol == "h2"
		if err != nil || id.String() != test.caller || !modern {
			t.Errorf("%s: %v, %v, %x %s", name, id, err, state.Version, state.NegotiatedProtocol)
		}
		if _, err := ConnectionIdentity(state, id.NotAfter.Add(time.Second)); !errors.Is(err, ErrNoIdentity) {
			t.Errorf("%s: expired on an open connection: %v", name, err)
		}
		check(t, conn.Close())
	}
}

// A connection that is taken up again would not be checked again.
func TestSessionsAreNotResumed(t *testing.T) {
	ca := newCA(t)
	s := serve(t, open(t, joined(t, ca, front0)).mustServe(t))
	client := open(t, joined(t, ca, anna)).mustConnect(t, Expected{Role: Front, Name: "front-0"})
	client.ServerName, client.ClientSessionCache = "front-0.example.com", tls.NewLRUClientSessionCache(4)
	for range 3 {
		conn, err := s.connect(client)
		check(t, err)
		if conn.ConnectionState().DidResume {
			t.Error("resumed")
		}
		check(t, conn.Close())
	}
}

// own signs a certificate with any content for the key of a folder.
func own(t *testing.T, ca *CA, change func(*x509.Certificate)) tls.Certificate {
	t.Helper()
	key, _, err := newKey()
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(4711), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.ParseIP(loopback)},
	}
	change(template)
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, key.Public(), ca.key)
	check(t, err)
	return tls.Certificate{Certificate: [][]byte{der, ca.cert.Raw}, PrivateKey: key}
}

func TestConnectionsAreRefused(t *testing.T) {
	ca, other := newCA(t), newCA(t)
	front, node, user := open(t, joined(t, ca, front0)), open(t, joined(t, ca, node0)), open(t, joined(t, ca, anna))
	otherUser, otherFront := open(t, joined(t, other, anna)), open(t, joined(t, other, front0))
	good := user.mustConnect(t, Expected{Role: Front, Host: loopback})
	goodServer := front.mustServe(t)
	with := func(c *tls.Config, change func(*tls.Config)) *tls.Config {
		c = c.Clone()
		change(c)
		return c
	}
	later := func(dir string, d time.Duration) *Folder {
		f := open(t, dir)
		f.Now = fixedClock(time.Now().Add(d))
		return f
	}
	showing := func(pair tls.Certificate) *tls.Config {
		return with(good, func(c *tls.Config) {
			c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		})
	}
	servedBy := func(pair tls.Certificate) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2"}}
	}
	uris := func(all ...string) func(*x509.Certificate) {
		return func(c *x509.Certificate) {
			for _, s := range all {
				u, err := url.Parse(s)
				check(t, err)
				c.URIs = append(c.URIs, u)
			}
		}
	}
	heeding := open(t, user.dir)
	heeding.IsRevoked = func(name, serial string) bool { return name == "front-0" && serial == front.Identity().Serial }
	aFront := servedBy(own(t, ca, uris("patina://front/front-0")))
	const month = 31 * 24 * time.Hour
	ca.Now = fixedClock(time.Now().Add(month - 24*time.Hour))
	lateUser := open(t, joined(t, ca, anna))
	lateUser.Now = fixedClock(time.Now().Add(month))
	for name, test := range map[string]struct {
		server, client     *tls.Config
		atServer, atClient string // what each end says; "" means anything
	}{
		"no certificate": {
			goodServer, with(good, func(c *tls.Config) { c.GetClientCertificate = nil }),
			"didn't provide a certificate", "certificate required",
		},
		"a client of another CA": {
			goodServer,
			with(good, func(c *tls.Config) {
				c.GetClientCertificate = otherUser.mustConnect(t, Expected{Role: Front, Name: "f"}).GetClientCertificate
			}),
			"unknown authority", "unknown certificate authority",
		},
		"a server that is revoked": {
			goodServer, heeding.mustConnect(t, Expected{Role: Front, Host: loopback}),
			"", "the certificate of front/front-0 is revoked in nodes.toml",
		},
		"a server of another CA": {otherFront.mustServe(t), good, "", "another CA signed it"},
		"another name": {
			node.mustServe(t), front.mustConnect(t, Expected{Role: Node, Name: "node-1"}),
			"", "the server is node/node-0, and node/node-1 is wanted",
		},
		"another host": {
			goodServer, user.mustConnect(t, Expected{Role: Front, Host: "127.0.0.2"}),
			"", "invite it again with that host",
		},
		"a node where a front is": {node.mustServe(t), good, "", "the server is node/node-0, and any front is wanted"},
		"a front where a node is": {
			goodServer, front.mustConnect(t, Expected{Role: Node, Host: loopback}),
			"", "any node is wanted",
		},
		"a user's as a server's": {
			servedBy(user.current.pair), user.mustConnect(t, Expected{Role: Front, Name: "anna"}),
			"", "a user's certificate is no server's",
		},
		"a user's URI in a server's": {
			servedBy(own(t, ca, uris("patina://user/anna"))), good, "", "the server is user/anna",
		},
		"an expired client": {
			later(joined(t, newCAOf(ca), front0), 8*24*time.Hour).mustServe(t), good,
			"expired", "certificate",
		},
		"an expired server": {
			goodServer, lateUser.mustConnect(t, Expected{Role: Front, Host: loopback}),
			"", "look at both clocks",
		},
		"its own expired, client": {
			goodServer, later(user.dir, 8*24*time.Hour).mustConnect(t, Expected{Role: Front, Host: loopback}),
			"", "of user/anna, expired",
		},
		"its own expired, server": {
			later(front.dir, month).mustServe(t), good,
			"of front/front-0, expired", "",
		},
		"a client of TLS 1.2": {
			goodServer,
			with(good, func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS12, tls.VersionTLS12 }),
			"unsupported versions", "protocol version not supported",
		},
		"a server of TLS 1.2": {
			with(aFront, func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }),
			good,
			"unsupported versions", "protocol version not supported",
		},
		"a client without HTTP/2": {goodServer, with(good, func(c *tls.Config) { c.NextProtos = nil }), "", "HTTP/2"},
		"a server without HTTP/2": {
			with(aFront, func(c *tls.Config) { c.NextProtos = nil }),
			good,
			"", "HTTP/2",
		},
		"a client without URI": {goodServer, showing(own(t, ca, uris())), "0 URIs", "bad certificate"},
		"a client with two URIs": {
			goodServer, showing(own(t, ca, uris("patina://user/anna", "patina://front/front-0"))),
			"2 URIs", "bad certificate",
		},
		"a client with no role": {
			goodServer, showing(own(t, ca, uris("patina://boss/anna"))),
			"patina://boss/anna", "bad certificate",
		},
		"a client with a path": {
			goodServer, showing(own(t, ca, uris("patina://user/anna/x"))),
			"is not patina://", "bad certificate",
		},
		"a client with a query": {
			goodServer, showing(own(t, ca, uris("patina://user/anna?x"))),
			"is not patina://", "bad certificate",
		},
		"a client with a user": {
			goodServer, showing(own(t, ca, uris("patina://x@user/anna"))),
			"is not patina://", "bad certificate",
		},
		"a client that is a CA": {goodServer, showing(own(t, ca, func(c *x509.Certificate) {
			uris("patina://user/anna")(c)
			c.IsCA = true
		})), "certificate", "bad certificate"},
		"a server without URI": {servedBy(own(t, ca, uris())), good, "", "0 URIs"},
		"a join at another CA": {otherFront.mustServe(t), JoinTLS(ca.Fingerprint(), nil), "", "ask who sent the token"},
		"a join at a node":     {node.mustServe(t), JoinTLS(ca.Fingerprint(), nil), "", "any front is wanted"},
		"a join at one who shows the CA's certificate": {
			servedBy(func() tls.Certificate {
				pair := otherFront.current.withAuthority()
				pair.Certificate[len(pair.Certificate)-1] = ca.cert.Raw
				return pair
			}()), JoinTLS(ca.Fingerprint(), nil), "", "another CA signed it",
		},
		"a join at one whom the CA's certificate names": {
			servedBy(tls.Certificate{
				Certificate: [][]byte{ca.cert.Raw}, PrivateKey: otherFront.current.pair.PrivateKey,
			}),
			JoinTLS(ca.Fingerprint(), nil), "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, test.server)
			_, atClient := s.connect(test.client)
			atServer := <-s.errors
			if atClient == nil {
				t.Fatalf("connected; the server says %v", atServer)
			}
			if !strings.Contains(atClient.Error(), test.atClient) {
				t.Errorf("the client says %v, want %q", atClient, test.atClient)
			}
			if test.atServer != "" && (!mentions(atServer, test.atServer)) {
				t.Errorf("the server says %v, want %q", atServer, test.atServer)
			}
			alert := mentions(atClient, "remote error") && !mentions(atClient, "internal error")
			if alert && Advice(atClient) == "" {
				t.Errorf("no advice about %v", atClient)
			}
		})
	}
}

// newCAOf is a CA with the clock of now, whatever that of another one on its folder is.
func newCAOf(ca *CA) *CA { return &CA{dir: ca.dir, key: ca.key, cert: ca.cert} }

func TestPlaintext(t *testing.T) {
	ca := newCA(t)
	s := serve(t, open(t, joined(t, ca, front0)).mustServe(t))
	raw, err := net.Dial("tcp", s.l.Addr().String())
	check(t, err)
	defer func() { _ = raw.Close() }()
	_, err = raw.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	check(t, err)
	if err := <-s.errors; Advice(err) == "" {
		t.Errorf("a client in the clear: %v", err)
	}
	l, err := net.Listen("tcp", loopback+":0")
	check(t, err)
	defer func() { _ = l.Close() }()
	go func() {
		if conn, err := l.Accept(); err == nil {
			_, _ = conn.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			_, _ = io.Copy(io.Discard, conn)
			_ = conn.Close()
		}
	}()
	_, err = (&server{l: l}).connect(open(t, joined(t, ca, anna)).mustConnect(t, Expected{Role: Front, Host: loopback}))
	if err == nil || !strings.Contains(Advice(err), "no TLS") {
		t.Errorf("a server in the clear: %v: %s", err, Advice(err))
	}
	if Advice(nil) != "" || Advice(io.EOF) != "" {
		t.Error("advice about nothing")
	}
}

func TestSettingsAreRefused(t *testing.T) {
	ca := newCA(t)
	user, node := open(t, joined(t, ca, anna)), open(t, joined(t, ca, node0))
	if _, err := user.ServerTLS(); !mentions(err, "no server's") {
		t.Errorf("a user serves: %v", err)
	}
	if _, err := node.EnrolTLS(); !mentions(err, "invite a front") {
		t.Errorf("a node enrols: %v", err)
	}
	for _, e := range []Expected{{}, {Role: User, Name: "anna"}, {Role: Node}, {Name: "node-0"}} {
		if _, err := user.ClientTLS(e); !mentions(err, "give the role") {
			t.Errorf("%+v: %v", e, err)
		}
	}
	for _, dir := range []string{t.TempDir(), "/nonexistent"} {
		if _, err := ServerTLS(dir); err == nil {
			t.Errorf("serves with %s", dir)
		}
		if _, err := ClientTLS(dir, Expected{Role: Front, Name: "f"}); !mentions(err, "patina node join") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// Certificates of both ends, and the CA, are exchanged while a server listens and a connection is
// open.
func TestRotation(t *testing.T) {
	ca, next := newCA(t), newCA(t)
	frontDir, userDir := joined(t, ca, front0), joined(t, ca, anna)
	front, user := open(t, frontDir), open(t, userDir)
	s := serve(t, front.mustServe(t))
	client := user.mustConnect(t, Expected{Role: Front, Host: loopback})
	serials := func(conn *tls.Conn) (string, string) {
		state := <-s.states
		id, err := ConnectionIdentity(state, time.Now())
		check(t, err)
		at, err := IdentityOf(conn.ConnectionState().PeerCertificates[0])
		check(t, err)
		return id.Serial, at.Serial
	}
	first, err := s.connect(client)
	check(t, err)
	user1, front1 := serials(first)
	for _, dir := range []string{frontDir, userDir} {
		der, err := NewRequest(dir)
		check(t, err)
		chain, err := ca.Renew(open(t, dir).Certificate(), der)
		check(t, err)
		check(t, SaveRenewed(dir, chain))
	}
	second, err := s.connect(client)
	check(t, err)
	user2, front2 := serials(second)
	if user1 == user2 || front1 == front2 || user2 != user.Identity().Serial || front2 != front.Identity().Serial {
		t.Errorf("user %s, %s, front %s, %s", user1, user2, front1, front2)
	}
	// To another CA: both are trusted, then all get certificates of the new one, then the old one
	// goes.
	both := append(ca.PEM(), next.PEM()...)
	for _, dir := range []string{frontDir, userDir} {
		check(t, writeFile(dir, authorityFile, both, 0o644))
	}
	for i, dir := range []string{frontDir, userDir} {
		der, err := NewRequest(dir)
		check(t, err)
		chain, err := next.Sign([]Invitation{front0, anna}[i], der)
		check(t, err)
		check(t, SaveRenewed(dir, chain))
		conn, err := s.connect(client)
		check(t, err)
		serials(conn)
	}
	for _, dir := range []string{frontDir, userDir} {
		check(t, writeFile(dir, authorityFile, next.PEM(), 0o644))
	}
	last, err := s.connect(client)
	check(t, err)
	if serials(last); front.Problem() != nil || user.Problem() != nil {
		t.Error(front.Problem(), user.Problem())
	}
	for _, conn := range []*tls.Conn{first, second, last} { // the open ones have lost nothing
		check(t, echo(conn))
		check(t, conn.Close())
	}
	old := open(t, joined(t, ca, anna))
	if _, err := s.connect(old.mustConnect(t, Expected{Role: Front, Host: loopback})); err == nil {
		t.Error("the old CA is trusted")
	}
}

// A newcomer joins by the line of a token alone, over a real connection, and can then ask. The
// front tells who calls, and who has no certificate.
func TestJoinOverGRPC(t *testing.T) {
	ca := newCA(t)
	front := open(t, joined(t, ca, front0))
	serverTLS, err := front.EnrolTLS()
	check(t, err)
	callers := make(chan Identity, 1)
	g := grpc.NewServer(grpc.Creds(credentials.NewTLS(serverTLS)), grpc.UnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
			id, err := PeerIdentity(ctx)
			if err != nil {
				return nil, status.Error(codes.Unauthenticated, err.Error())
			}
			callers <- id
			return h(ctx, request)
		}))
	healthpb.RegisterHealthServer(g, health.NewServer())
	l, err := net.Listen("tcp", loopback+":0")
	check(t, err)
	served := make(chan error, 1)
	go func() { served <- g.Serve(l) }()
	defer func() {
		g.Stop()
		check(t, <-served)
	}()
	call := func(address string, config *tls.Config) error {
		conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(credentials.NewTLS(config)))
		check(t, err)
		defer func() { _ = conn.Close() }()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err = healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
		return err
	}
	invited, err := ca.Invite(anna, []string{l.Addr().String()}, time.Minute)
	check(t, err)
	line, err := invited.Text()
	check(t, err)

	token, err := ParseToken(line)
	check(t, err)
	dir := t.TempDir()
	der, err := NewRequest(dir)
	check(t, err)
	err = call(token.Addresses[0], JoinTLS(token.CA, nil))
	if status.Code(err) != codes.Unauthenticated || !mentions(err, "patina node join") {
		t.Errorf("a caller without a certificate: %v", err)
	}
	chain, err := ca.Enrol(token.Secret, der)
	check(t, err)
	check(t, SaveJoined(dir, chain, ca.PEM(), token.CA))
	check(t, call(token.Addresses[0], open(t, dir).mustConnect(t, Expected{Role: Front, Host: loopback})))
	if id := <-callers; id != open(t, dir).Identity() {
		t.Errorf("%+v called", id)
	}
	expired := open(t, dir)
	expired.Now = fixedClock(time.Now().Add(8 * 24 * time.Hour))
	err = call(token.Addresses[0], expired.mustConnect(t, Expected{Role: Front, Host: loopback}))
	if !mentions(err, "patina node join") {
		t.Errorf("an expired certificate: %v", err)
	}
	if _, err := PeerIdentity(t.Context()); !errors.Is(err, ErrNoIdentity) {
		t.Errorf("outside of a call: %v", err)
	}
}
