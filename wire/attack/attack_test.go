package attack

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"patina/wire"
	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/pki/pkitest"
	"patina/wire/serve"
)

const unknown = "NotFound: " + wire.NoRepository

// TestAttacks is every attack on one cluster, because starting one takes seconds.
func TestAttacks(t *testing.T) {
	c := startCluster(t)
	for _, p := range []*process{c.node, c.front} {
		if !strings.Contains(p.out.String(), "the certificate was renewed") {
			t.Errorf("it was not renewed at the start:\n%s", p.out)
		}
	}
	for name, attack := range map[string]func(*testing.T){
		"no certificate":        c.withoutCertificate,
		"another CA":            c.ofAnotherCA,
		"clear text, old TLS":   c.withoutTLS,
		"another's name":        c.underAnotherName,
		"roles":                 c.inAnotherRole,
		"forged user":           c.forUsers,
		"tokens":                c.withTokens,
		"expired":               c.expired,
		"large messages":        c.oversize,
		"verify":                c.runChecks,
		"what is not shared":    c.unshared,
		"hidden or unknown":     c.probeHidden,
		"a word that is hidden": c.plantWord,
		"revoked":               c.revoked,
	} {
		t.Run(name, attack)
	}
	t.Run("a node that is revoked", c.revokedNode) // the last, because nobody asks it afterwards
}

// both calls a test for the node and the front.
func (c *cluster) both(t *testing.T, test func(t *testing.T, name string, p *process)) {
	t.Helper()
	test(t, "node", c.node)
	test(t, "front", c.front)
}

// calls calls every rpc that there is with an empty message, and returns what each answered.
func calls(ctx context.Context, conn *grpc.ClientConn) map[string]string {
	all := map[string]string{}
	for _, d := range []grpc.ServiceDesc{nodepb.Node_ServiceDesc, nodepb.Front_ServiceDesc} {
		for _, m := range d.Methods {
			err := conn.Invoke(ctx, "/"+d.ServiceName+"/"+m.MethodName, &emptypb.Empty{}, &emptypb.Empty{})
			all[m.MethodName] = textOf(err)
		}
		for _, s := range d.Streams {
			desc := &grpc.StreamDesc{StreamName: s.StreamName, ServerStreams: true, ClientStreams: true}
			st, err := conn.NewStream(ctx, desc, "/"+d.ServiceName+"/"+s.StreamName)
			if err == nil {
				_ = st.SendMsg(&emptypb.Empty{})
				_ = st.CloseSend()
				err = st.RecvMsg(&emptypb.Empty{})
			}
			all[s.StreamName] = textOf(err)
		}
	}
	return all
}

// Who has no certificate gets no connection to a node. A front that signs certificates takes the
// connection, and refuses every call but Enrol.
func (c *cluster) withoutCertificate(t *testing.T) {
	nobody := func() credentials.TransportCredentials {
		return credentials.NewTLS(&tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
	}
	for name, got := range calls(t.Context(), c.node.connectAs(t, nobody())) {
		if !strings.HasPrefix(got, "Unavailable: ") {
			t.Errorf("node: %s: %s", name, got)
		}
	}
	refusal(t, "tls: certificate required", func() string { return read(t.Context(), c.node.connectAs(t, nobody()), open) })
	for name, got := range calls(t.Context(), c.front.connectAs(t, nobody())) {
		want := "Unauthenticated: the caller has no certificate"
		if name == "Enrol" {
			want = "InvalidArgument: enrol: it is not a PKCS #10 request"
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("front: %s: %s, want %s", name, got, want)
		}
	}
}

// refusal checks that a connection is refused, and for what. A client that writes before it reads
// may see but a closed connection, so it tries again until it sees the alert.
func refusal(t *testing.T, want string, try func() string) {
	t.Helper()
	got := ""
	for range 100 {
		if got = try(); strings.Contains(got, want) || !strings.HasPrefix(got, "Unavailable: ") {
			break
		}
	}
	if !strings.HasPrefix(got, "Unavailable: ") || !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

func (c *cluster) ofAnotherCA(t *testing.T) {
	dir := pkitest.Sign(t, pkitest.NewCA(t, 0).CA, pki.User, "anna")
	c.both(t, func(t *testing.T, _ string, p *process) {
		refusal(t, "tls: unknown certificate authority", func() string { return read(t.Context(), p.connect(t, dir), open) })
	})
}

func (c *cluster) withoutTLS(t *testing.T) {
	user := c.certificates("user", "anna")
	c.both(t, func(t *testing.T, name string, p *process) {
		if got := read(t.Context(), p.connectAs(t, insecure.NewCredentials()), open); !strings.HasPrefix(got, "Unavailable: ") {
			t.Errorf("%s: clear text: %s", name, got)
		}
		raw, err := net.Dial("tcp", p.address)
		check(t, err)
		defer func() { _ = raw.Close() }()
		check(t, raw.SetDeadline(time.Now().Add(20*time.Second)))
		_, err = raw.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
		check(t, err)
		// Nothing is said but, perhaps, an alert of TLS.
		if answer, err := io.ReadAll(raw); errors.Is(err, os.ErrDeadlineExceeded) || len(answer) > 0 && answer[0] != 0x15 {
			t.Errorf("%s: clear text: %q", name, answer)
		}
		for want, change := range map[string]func(*tls.Config){
			"tls: protocol version not supported": func(s *tls.Config) { s.MinVersion, s.MaxVersion = tls.VersionTLS12, tls.VersionTLS12 },
			"tls: no application protocol":        func(s *tls.Config) { s.NextProtos = []string{"patina"} },
			"tls: bad certificate":                func(s *tls.Config) { s.NextProtos = []string{"http/1.1"} },
		} {
			s := settings(t, user)
			change(s)
			conn, err := tls.Dial("tcp", p.address, s)
			if err == nil {
				_, err = conn.Read(make([]byte, 1))
				_ = conn.Close()
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
	})
}

// A server that shows another name than the one that lives at its address is not asked. node-1 is
// declared at the address of node-0.
func (c *cluster) underAnotherName(t *testing.T) {
	f, err := pki.OpenFolder(c.path("certificates", "front-0"))
	check(t, err)
	s, err := f.ClientTLS(pki.Expected{Role: pki.Node, Name: "node-1"})
	check(t, err)
	got := read(t.Context(), c.node.connectAs(t, credentials.NewTLS(s)), open)
	if !strings.Contains(got, "the server is node/node-0, and node/node-1 is wanted") {
		t.Error(got)
	}
	anna := c.front.connect(t, c.certificates("user", "anna"))
	r, err := nodepb.NewFrontClient(anna).Repositories(t.Context(), &nodepb.RepositoriesRequest{})
	check(t, err)
	states := map[string]string{}
	for _, n := range r.GetNodes() {
		states[n.GetNode()] = n.GetState()
	}
	if states["node-0"] != "up" || states["node-1"] != "down" {
		t.Error(states)
	}
}

// A node's certificate does not ask as a user, and a user's is no server's.
func (c *cluster) inAnotherRole(t *testing.T) {
	node, user := c.certificates("node", "node-9"), c.certificates("user", "anna")
	c.both(t, func(t *testing.T, name string, p *process) {
		conn := p.connect(t, node)
		for _, repository := range []string{open, hidden, none} {
			if got := read(t.Context(), conn, repository); got != unknown {
				t.Errorf("%s: read of %s by a node: %s", name, repository, got)
			}
			if _, _, err := query(t.Context(), conn, &nodepb.AskRequest{Repository: repository, Text: "evict"}); textOf(err) != unknown {
				t.Errorf("%s: question to %s by a node: %v", name, repository, err)
			}
		}
		client := nodepb.NewNodeClient(conn)
		r, err := client.Sketches(t.Context(), &nodepb.SketchesRequest{Repositories: []string{open, hidden}})
		if len(r.GetSketches()) > 0 {
			t.Errorf("%s: a node is told words of %d repositories, %v", name, len(r.GetSketches()), err)
		}
		route, err := client.Route(t.Context(), &nodepb.RouteRequest{Stems: []uint64{1, 2}, Candidates: []string{open, hidden}})
		if route.GetChunks() > 0 || len(route.GetCandidates()) > 0 {
			t.Errorf("%s: %v, %v", name, route, err)
		}
		counts, err := client.Counts(t.Context(), &nodepb.CountsRequest{Rights: "few"})
		if len(counts.GetTerms()) > 0 || err == nil {
			t.Errorf("%s: %d words, %v", name, len(counts.GetTerms()), err)
		}
		counts, err = nodepb.NewNodeClient(p.connect(t, user)).Counts(t.Context(), &nodepb.CountsRequest{Rights: "few"})
		if len(counts.GetTerms()) > 0 || err == nil {
			t.Errorf("%s: a user is told %d words, %v", name, len(counts.GetTerms()), err)
		}
	})
	// A server with a user's certificate, at the address of a node.
	f, err := pki.OpenFolder(user)
	check(t, err)
	if _, err := f.ServerTLS(); err == nil {
		t.Error("patina serves with a user's certificate")
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(user, "tls.crt"), filepath.Join(user, "tls.key"))
	check(t, err)
	l, err := tls.Listen("tcp", loopback+":0", &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2"}})
	check(t, err)
	defer func() { _ = l.Close() }()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, conn) }()
		}
	}()
	front, err := pki.OpenFolder(c.path("certificates", "front-0"))
	check(t, err)
	s, err := front.ClientTLS(pki.Expected{Role: pki.Node, Name: "anna"})
	check(t, err)
	fake := &process{address: l.Addr().String()}
	if got := read(t.Context(), fake.connectAs(t, credentials.NewTLS(s)), open); !strings.Contains(got, "a user's certificate is no server's") {
		t.Error(got)
	}
}

// Whom a caller claims to ask for counts for fronts only, and then the user's rights count.
func (c *cluster) forUsers(t *testing.T) {
	ctx := metadata.AppendToOutgoingContext(t.Context(), serve.ForUser, "anna")
	for _, who := range []struct{ role, name string }{{"user", "ben"}, {"node", "node-9"}} {
		folder := c.certificates(who.role, who.name)
		c.both(t, func(t *testing.T, name string, p *process) {
			conn := p.connect(t, folder)
			if got := read(ctx, conn, hidden); got != unknown {
				t.Errorf("%s: %s for anna: %s", name, who.name, got)
			}
			if _, _, err := query(ctx, conn, &nodepb.AskRequest{Repository: hidden, Text: "evict"}); textOf(err) != unknown {
				t.Errorf("%s: %s for anna: %v", name, who.name, err)
			}
			r, err := nodepb.NewNodeClient(conn).Sketches(ctx, &nodepb.SketchesRequest{Repositories: []string{hidden}})
			if err != nil || len(r.GetSketches()) > 0 {
				t.Errorf("%s: %s for anna: %v, %v", name, who.name, r, err)
			}
		})
	}
	conn := c.node.connect(t, c.certificates("front", "front-9"))
	for _, test := range []struct {
		users []string
		want  string
	}{{[]string{"anna"}, "OK"}, {[]string{"ben"}, unknown}, {nil, unknown}, {[]string{"anna", "ben"}, unknown}, {[]string{""}, unknown}} {
		ctx := t.Context()
		for _, u := range test.users {
			ctx = metadata.AppendToOutgoingContext(ctx, serve.ForUser, u)
		}
		if got := read(ctx, conn, hidden); got != test.want {
			t.Errorf("a front for %q: %s, want %s", test.users, got, test.want)
		}
	}
}

// A token works once, for its CA and its time. What is wrong with one is not told apart.
func (c *cluster) withTokens(t *testing.T) {
	invite := func(name, ttl string) pki.Token {
		t.Helper()
		line, _, _ := strings.Cut(c.run("node", "invite", name, "--role", "node", "--host", loopback, "--ttl", ttl,
			"--config", c.path("cluster"), "--ca", c.ca.Dir), "\n")
		token, err := pki.ParseToken(strings.TrimPrefix(line, "patina node join "))
		check(t, err)
		return token
	}
	join := func(token pki.Token) (folder, said string) {
		t.Helper()
		text, err := token.Text()
		check(t, err)
		folder = filepath.Join(t.TempDir(), "joined")
		cmd := c.command("newcomer", "node", "join", "-", "--certificates", folder)
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out)+c.front.out.String(), token.Secret) {
			t.Errorf("a secret is printed:\n%s", out)
		}
		if err != nil {
			return "", string(out)
		}
		return folder, string(out)
	}
	token := invite("node-8", "1m")
	changed := token
	changed.CA[7] ^= 1
	if folder, said := join(changed); folder != "" || !strings.Contains(said, "the server is not of the CA") {
		t.Error(said)
	}
	folder, said := join(token) // the secret was not shown to the stranger
	if folder == "" {
		t.Fatal(said)
	}
	if got := read(t.Context(), c.node.connect(t, folder), open); got != unknown {
		t.Error(got)
	}
	_, replayed := join(token)
	forged := token
	forged.Secret = strings.Repeat("A", len(token.Secret))
	_, guessed := join(forged)
	short := invite("node-7", "1ms")
	time.Sleep(2 * time.Millisecond)
	_, late := join(short)
	if !strings.Contains(replayed, "the token is unknown, used or expired") || replayed != guessed || replayed != late {
		t.Errorf("replayed: %s\nguessed: %s\nlate: %s", replayed, guessed, late)
	}
}

// A certificate that expires is refused by the next handshake, and at the next call on a connection
// that is open.
func (c *cluster) expired(t *testing.T) {
	const left = 5 * time.Second
	folder := c.signed(pki.User, "dora", 7*24*time.Hour-left)
	began := time.Now()
	conns := map[string]*grpc.ClientConn{}
	c.both(t, func(t *testing.T, name string, p *process) {
		conns[name] = p.connect(t, folder)
		if got := read(t.Context(), conns[name], open); got != "OK" {
			t.Errorf("%s: %s", name, got)
		}
	})
	time.Sleep(time.Until(began.Add(left + time.Second)))
	c.both(t, func(t *testing.T, name string, p *process) {
		if got := read(t.Context(), conns[name], open); !strings.HasPrefix(got, "Unauthenticated: the caller's certificate expired on ") {
			t.Errorf("%s: %s", name, got)
		}
		s := settings(t, folder)
		pair, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
		check(t, err)
		s.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		refusal(t, "tls: expired certificate", func() string {
			return read(t.Context(), p.connectAs(t, credentials.NewTLS(s)), open)
		})
		_, err = nodepb.NewFrontClient(conns[name]).Renew(t.Context(), &nodepb.RenewRequest{})
		if code := status.Code(err); name == "front" && code != codes.Unauthenticated {
			t.Errorf("an expired certificate is renewed: %v", err)
		}
	})
}

// Messages and headers over the limits cost their call, and the connection goes on where it can.
func (c *cluster) oversize(t *testing.T) {
	folder := c.certificates("user", "anna")
	c.both(t, func(t *testing.T, name string, p *process) {
		conn := p.connect(t, folder)
		large := &nodepb.AskRequest{Repository: open, Text: strings.Repeat("evict ", wire.MaxRequest/6+1)}
		_, _, err := query(t.Context(), conn, large)
		if status.Code(err) != codes.ResourceExhausted {
			t.Errorf("%s: a large question: %v", name, err)
		}
		_, err = nodepb.NewNodeClient(conn).Read(t.Context(), &nodepb.ReadRequest{
			Repository: open, Verb: "packages", Request: bytes.Repeat([]byte(" "), wire.MaxRequest),
		})
		if status.Code(err) != codes.ResourceExhausted {
			t.Errorf("%s: a large look-up: %v", name, err)
		}
		ctx := metadata.AppendToOutgoingContext(t.Context(), "x", strings.Repeat("x", 2*wire.MaxHeaders))
		if got := read(ctx, conn, open); got == "OK" {
			t.Errorf("%s: large headers are taken", name)
		}
		if got := read(t.Context(), conn, open); got != "OK" {
			t.Errorf("%s: afterwards: %s", name, got)
		}
		if said := rawHeaders(t, p, folder, 40*wire.MaxHeaders); said != "refused" {
			t.Errorf("%s: large headers by a client that knows no limit: %s", name, said)
		}
		if got := read(t.Context(), conn, open); got != "OK" {
			t.Errorf("%s: afterwards: %s", name, got)
		}
	})
}

// rawHeaders sends a call whose headers have some size, as a client that does not heed the limit of
// the server, and returns what becomes of it: "refused" if the stream or the connection is ended.
func rawHeaders(t *testing.T, p *process, folder string, size int) string {
	t.Helper()
	s := settings(t, folder)
	conn, err := tls.Dial("tcp", p.address, s)
	check(t, err)
	defer func() { _ = conn.Close() }()
	check(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	frame := func(kind, flags byte, stream uint32, payload []byte) []byte {
		n := len(payload)
		head := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags, 0, 0, 0, byte(stream)}
		return append(head, payload...)
	}
	literal := func(name, value string) []byte { // of HPACK, neither indexed nor compressed
		number := func(n int) []byte {
			if n < 127 {
				return []byte{byte(n)}
			}
			out := []byte{127}
			for n -= 127; n >= 128; n >>= 7 {
				out = append(out, byte(n)|128)
			}
			return append(out, byte(n))
		}
		return slices.Concat([]byte{0}, number(len(name)), []byte(name), number(len(value)), []byte(value))
	}
	block := slices.Concat(literal(":method", "POST"), literal(":scheme", "https"), literal(":path", nodepb.Node_Read_FullMethodName),
		literal(":authority", "x"), literal("content-type", "application/grpc"), literal("te", "trailers"))
	for size > 0 {
		block = append(block, literal("x", strings.Repeat("x", min(size, 8000)))...)
		size -= 8000
	}
	out := append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0, nil)...)
	const most = 16 << 10 // of a frame
	kind := byte(1)
	for len(block) > most {
		out = append(out, frame(kind, 0, 1, block[:most])...)
		block, kind = block[most:], 9
	}
	out = append(out, frame(kind, 4, 1, block)...)
	_, err = conn.Write(out)
	if err != nil {
		return "refused" // while it was sent
	}
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(conn, head); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return "silence"
			}
			return "refused"
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(conn, payload); err != nil {
			return "refused"
		}
		switch head[3] {
		case 3, 7: // RST_STREAM, GOAWAY
			return "refused"
		case 1: // HEADERS
			if bytes.Contains(payload, []byte("431")) {
				return "refused"
			}
			return "an answer: " + hex.EncodeToString(payload)
		}
	}
}

// probes ask about a repository by every call that takes its name, as somebody who may not see it.
// Each returns what was answered, without what differs between any two calls.
var probes = map[string]func(ctx context.Context, conn *grpc.ClientConn, repository string) string{
	"Read": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		return read(ctx, conn, repository)
	},
	"Query": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		_, lists, err := query(ctx, conn, &nodepb.AskRequest{Repository: repository, Text: "evict"})
		return lists.String() + textOf(err)
	},
	"Route": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		m, err := nodepb.NewNodeClient(conn).Route(ctx, &nodepb.RouteRequest{Stems: []uint64{1}, Candidates: []string{repository}})
		return said(m, err)
	},
	"Sketches": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		m, err := nodepb.NewNodeClient(conn).Sketches(ctx, &nodepb.SketchesRequest{Repositories: []string{repository}})
		return said(m, err)
	},
	"Counts": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		m, err := nodepb.NewNodeClient(conn).Counts(ctx, &nodepb.CountsRequest{Rights: "few", Repositories: []string{repository}})
		return said(m, err)
	},
	"Watch": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		st, err := nodepb.NewNodeClient(conn).Watch(ctx, &nodepb.WatchRequest{Repositories: []string{repository}})
		if err != nil {
			return said(nil, err)
		}
		m, err := st.Recv()
		if m != nil {
			m.InFlight = 0
		}
		return said(m, err)
	},
	"Repositories": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		m, err := nodepb.NewFrontClient(conn).Repositories(ctx, &nodepb.RepositoriesRequest{Repositories: []string{repository}})
		return said(m, err)
	},
	"Status": func(ctx context.Context, conn *grpc.ClientConn, repository string) string {
		m, err := nodepb.NewFrontClient(conn).Status(ctx, &nodepb.StatusRequest{})
		if strings.Contains(said(m, err), hidden) {
			return repository // it is named
		}
		return textOf(err)
	},
}
