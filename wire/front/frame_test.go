package front

import (
	"testing"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"patina/wire/nodepb"
)

// What a node reads of a frame is what the front has read of it, but for the time and the attempt.
// Otherwise a front would let somebody ask one repository, and the node would answer for another.
func FuzzFrame(f *testing.F) {
	ask := &nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: &nodepb.AskRequest{
		Repository: app, Text: "dial", BudgetUs: 5, Oracles: []string{"lexical"}, Filter: []byte(`{"Kinds":["code"]}`),
	}}}
	describe := &nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{Describe: &nodepb.DescribeRequest{Wants: []byte("[]")}}}
	first, err := proto.Marshal(ask)
	if err != nil {
		f.Fatal(err)
	}
	second, err := proto.Marshal(describe)
	if err != nil {
		f.Fatal(err)
	}
	ask.GetAsk().Repository = hidden
	other, err := proto.Marshal(ask)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(first)
	f.Add(append(second, first...))
	f.Add(append(append(first, other...), second...))
	f.Add(append(append(first, second...), other...))
	c := newCodec()
	merged := func(t *testing.T, data []byte, more, into proto.Message) {
		t.Helper()
		m, err := with(&frame{bytes: data}, more)
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var in frame
		if err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer(out.Materialize())}, &in); err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(in.bytes, into); err != nil {
			t.Fatalf("%x: a node cannot read what the front could: %v", data, err)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var read, asRead nodepb.ReadRequest
		if proto.Unmarshal(data, &read) == nil {
			merged(t, data, &nodepb.ReadRequest{BudgetUs: 7}, &asRead)
			if read.BudgetUs = 7; !proto.Equal(&read, &asRead) {
				t.Errorf("%x: front %v, node %v", data, &read, &asRead)
			}
		}
		var query, asQuery nodepb.ToRepository
		if proto.Unmarshal(data, &query) != nil || query.GetAsk() == nil {
			return
		}
		again := &nodepb.AskRequest{BudgetUs: 7, Attempt: 1}
		merged(t, data, &nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: again}}, &asQuery)
		query.GetAsk().BudgetUs, query.GetAsk().Attempt = 7, 1
		if !proto.Equal(&query, &asQuery) {
			t.Errorf("%x: front %v, node %v", data, &query, &asQuery)
		}
	})
}
