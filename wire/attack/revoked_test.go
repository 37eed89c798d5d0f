package attack

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"patina/wire/nodepb"
	"patina/wire/pki"
	"patina/wire/serve"
)

// A certificate that is revoked is refused at the next call once the file is read, which takes a
// second: on connections and streams that are open, too, and at nodes that a front asks for a user.
func (c *cluster) revoked(t *testing.T) {
	carl, dora := c.certificates("user", "carl"), c.certificates("user", "dora")
	f, err := pki.OpenFolder(dora)
	check(t, err)
	type opened struct {
		carl, dora *grpc.ClientConn
		stream     nodepb.Node_QueryClient
		watch      grpc.ServerStreamingClient[nodepb.State]
	}
	all := map[string]*opened{}
	c.both(t, func(t *testing.T, name string, p *process) {
		o := &opened{carl: p.connect(t, carl), dora: p.connect(t, dora)}
		all[name] = o
		if o.stream, _, err = query(t.Context(), o.carl, &nodepb.AskRequest{Repository: open, Text: "evict"}); err != nil {
			t.Fatal(err)
		}
		o.watch, err = nodepb.NewNodeClient(o.carl).Watch(t.Context(), &nodepb.WatchRequest{BeatUs: 250_000})
		check(t, err)
		if _, err := o.watch.Recv(); err != nil {
			t.Fatal(err)
		}
		if got := read(t.Context(), o.dora, open); got != "OK" {
			t.Fatal(got)
		}
	})
	ctx := metadata.AppendToOutgoingContext(t.Context(), serve.ForUser, "carl")
	front := c.node.connect(t, c.certificates("front", "front-9"))
	if got := read(ctx, front, open); got != "OK" {
		t.Error(got)
	}
	c.run("node", "revoke", "carl", "--config", c.path("cluster"))
	c.run("node", "revoke", f.Identity().Serial, "--config", c.path("cluster"))
	began := time.Now()
	const refused = "Unauthenticated: the certificate of "
	c.both(t, func(t *testing.T, name string, p *process) {
		o := all[name]
		for read(t.Context(), o.carl, open) == "OK" || read(t.Context(), o.dora, open) == "OK" {
			if time.Since(began) > 20*time.Second {
				t.Fatalf("%s: revoked certificates are taken", name)
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Logf("%s: refused after %v", name, time.Since(began).Round(time.Millisecond))
		for who, conn := range map[string]*grpc.ClientConn{"carl": o.carl, "dora": o.dora} {
			if got := read(t.Context(), conn, open); !strings.HasPrefix(got, refused+`"`+who+`" is revoked`) {
				t.Errorf("%s: %s", name, got)
			}
			if _, err := nodepb.NewFrontClient(conn).Renew(t.Context(), &nodepb.RenewRequest{}); name == "front" && !strings.Contains(textOf(err), "is revoked") {
				t.Errorf("a revoked certificate is renewed: %v", err)
			}
		}
		_ = o.stream.Send(&nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{Describe: &nodepb.DescribeRequest{
			Wants: []byte(`[{"DocID":"cache.go","Kind":"code"}]`),
		}}})
		if _, err := o.stream.Recv(); !strings.HasPrefix(textOf(err), refused) {
			t.Errorf("%s: an open stream: %v", name, err)
		}
		for err = nil; err == nil; {
			_, err = o.watch.Recv()
		}
		if !strings.HasPrefix(textOf(err), refused) {
			t.Errorf("%s: an open watch: %v", name, err)
		}
	})
	// A front that has not read the file yet asks for the user, and the node has.
	if got := read(ctx, front, open); !strings.HasPrefix(got, "Unauthenticated: ") {
		t.Errorf("a front for a revoked user: %s", got)
	}
}

// A node that is revoked is asked no more, also on a connection that a front has open.
func (c *cluster) revokedNode(t *testing.T) {
	anna := c.front.connect(t, c.certificates("user", "anna"))
	if got := read(t.Context(), anna, open); got != "OK" {
		t.Fatal(got)
	}
	c.run("node", "revoke", "node-0", "--config", c.path("cluster"))
	began := time.Now()
	for got := "OK"; got == "OK"; got = read(t.Context(), anna, open) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("a revoked node is asked")
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("not asked after %v", time.Since(began).Round(time.Millisecond))
	for range 20 {
		if got := read(t.Context(), anna, open); got != "Unavailable: node-0 is revoked" {
			t.Error(got)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
