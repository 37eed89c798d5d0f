package metrics

import (
	"context"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"patina/wire/config"
	"patina/wire/nodepb"
)

// empty answers each Read at once.
type empty struct{ nodepb.UnimplementedNodeServer }

// Read implements nodepb.NodeServer.
func (empty) Read(context.Context, *nodepb.ReadRequest) (*nodepb.ReadReply, error) {
	return &nodepb.ReadReply{}, nil
}

// What counting costs a call, on both ends together: the difference of the two.
func BenchmarkCall(b *testing.B) {
	for _, counted := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "counted"}[counted], func(b *testing.B) {
			clear := grpc.WithTransportCredentials(insecure.NewCredentials())
			var server []grpc.ServerOption
			client := []grpc.DialOption{clear}
			if counted {
				r, err := Open(b.Context(), Options{Role: "node", Name: "node-a"})
				if err != nil {
					b.Fatal(err)
				}
				server, client = r.ServerOptions(), append(r.DialOptions(config.Node{Name: "node-a"}), clear)
			}
			g := grpc.NewServer(server...)
			nodepb.RegisterNodeServer(g, empty{})
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			go func() { _ = g.Serve(l) }()
			defer g.Stop()
			conn, err := grpc.NewClient("passthrough:///"+l.Addr().String(), client...)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := nodepb.NewNodeClient(conn).Read(b.Context(), &nodepb.ReadRequest{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
