package serve

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"patina/actors"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/wire/nodepb"
)

// plain is a codec that sends and receives bytes.
type plain struct{ encoding.CodecV2 }

func (plain) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*v.(*[]byte))}, nil
}

func (plain) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

func (plain) Name() string { return "proto" }

// serveFuzz serves a small project on a real engine, and returns a connection to it.
func serveFuzz(f *testing.F) (*Server, *grpc.ClientConn) {
	root := f.TempDir()
	for name, content := range map[string]string{
		"net/dial.go": "package net\n\n// Dial connects.\nfunc Dial() {}\n",
		"GUIDE.md":    "# Guide\n\n## Dial\n\nDial again when it fails.\n",
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	p := actors.Project{ID: "id", Name: "app", Root: root, StoreDir: filepath.Join(f.TempDir(), "store")}
	o := scrape.Options{Root: p.Root, StoreDir: p.StoreDir, Embedder: embed.Base(), Load: embed.Load}
	if _, err := scrape.Run(context.Background(), o); err != nil {
		f.Fatal(err)
	}
	e, err := actors.Open(actors.Options{Projects: []actors.Project{p}})
	if err != nil {
		f.Fatal(err)
	}
	b := NewEngine(e)
	if err := b.Host(&nodepb.Hosted{Repository: "app", Head: "1"}, "app"); err != nil {
		f.Fatal(err)
	}
	s := New(Options{Backend: b, Version: "v"})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	conn, err := grpc.NewClient("passthrough:///"+l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		_ = conn.Close()
		s.Stop()
		<-served
		_ = e.Close(context.Background())
	})
	return s, conn
}

// forPeople are the codes that an asker may get for its own message. A defect of the server, a
// panic among them, is of code INTERNAL.
var forPeople = map[codes.Code]bool{
	codes.OK: true, codes.InvalidArgument: true, codes.NotFound: true, codes.FailedPrecondition: true,
	codes.DeadlineExceeded: true, codes.ResourceExhausted: true,
}

func bytesOf(f *testing.F, m proto.Message) []byte {
	f.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	return b
}

// Whatever two messages an asker sends, they are answered or refused, and nothing of them is left.
func FuzzQuery(f *testing.F) {
	ask := &nodepb.AskRequest{
		Repository: "app", Text: "how to dial", Limit: 5, NowUnixNs: 1, Visit: true, BudgetUs: 1_000_000,
		Filter: []byte(`{"Kinds":["code"],"Paths":["net/**"]}`), Counts: []byte(`{"N":7,"Of":{"dial":2}}`), Tuning: []byte(`{}`),
	}
	describe := &nodepb.DescribeRequest{Wants: []byte(`[{"DocID":"net/dial.go","Kind":"code"},{"DocID":"GUIDE.md","Kind":"pattern"}]`)}
	first := bytesOf(f, &nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: ask}})
	second := bytesOf(f, &nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{Describe: describe}})
	f.Add(first, second)
	f.Add(second, first)
	f.Add(first, first)
	s, conn := serveFuzz(f)
	desc := &grpc.StreamDesc{StreamName: "Query", ServerStreams: true, ClientStreams: true}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		st, err := conn.NewStream(ctx, desc, nodepb.Node_Query_FullMethodName, grpc.ForceCodecV2(plain{}))
		if err != nil {
			t.Fatal(err)
		}
		var out []byte
		var m nodepb.ToRepository
		isMessage := proto.Unmarshal(first, &m) == nil && proto.Unmarshal(second, &m) == nil
		for _, in := range [][]byte{first, second} {
			_ = st.SendMsg(&in)
			if err = st.RecvMsg(&out); err != nil {
				break
			}
		}
		if code := status.Code(err); err != nil && isMessage && !forPeople[code] && err.Error() != "EOF" {
			t.Errorf("%v", err)
		}
		cancel()
		for i := 0; s.Running() > 0; i++ {
			if i > 20_000 {
				t.Fatal("a call is left")
			}
			time.Sleep(time.Millisecond)
		}
	})
}

// Whatever look-up an asker sends, it is answered or refused.
func FuzzRead(f *testing.F) {
	for verb, request := range map[string]string{
		"packages": `{}`, "detail": `{"DocID":"net/dial.go","Line":3}`, "tree": `{"Limit":3}`, "overview": `{}`,
		"matches": `{"Regex":"^func [A-Z]","Limit":5}`, "assay": `{"Query":{"Type":"functions","Pattern":"net"}}`,
		"recent": `{"Limit":5}`, "brief": `{"Topic":"dial"}`, "symbols": `{"Symbols":[{"Path":"net/dial.go","Name":"Dial"}]}`,
		"lines": `{"Lines":[{"Path":"net/dial.go","Number":1}]}`, "closest": `{"Question":"dial","DocID":"GUIDE.md","Limit":3}`,
		"near names": `{"Name":"Dail","Limit":3,"Paths":true}`, "links": `{"Path":"net/dial.go","Reasons":2,"Commits":5,"Neighbours":5}`,
		"resolve": `{"Names":["net/dial.go","Dial"],"Symbols":true}`, "beliefs": `{}`, "audit": `{}`, "proposals": `{}`,
		"standing": `{}`, "reach": `{}`, "freshness": `{}`, "verify": `{}`,
	} {
		f.Add(bytesOf(f, &nodepb.ReadRequest{Repository: "app", Verb: verb, Request: []byte(request), BudgetUs: 1_000_000}))
	}
	s, conn := serveFuzz(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		var m nodepb.ReadRequest
		isMessage := proto.Unmarshal(in, &m) == nil
		var out []byte
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		err := conn.Invoke(ctx, nodepb.Node_Read_FullMethodName, &in, &out, grpc.ForceCodecV2(plain{}))
		if isMessage && !forPeople[status.Code(err)] {
			t.Errorf("%q %s: %v", m.GetVerb(), m.GetRequest(), err)
		}
		if err == nil {
			var reply nodepb.ReadReply
			if err := proto.Unmarshal(out, &reply); err != nil {
				t.Error(err)
			}
		}
		for i := 0; s.Running() > 0; i++ {
			if i > 20_000 {
				t.Fatal("a call is left")
			}
			time.Sleep(time.Millisecond)
		}
	})
}
