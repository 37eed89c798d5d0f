package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"patina/actors/api"
	"patina/store/doc"
	"patina/wire/nodepb"
)

// seeds are messages as peers send them.
func seeds(t testing.TB) map[string][]proto.Message {
	t.Helper()
	must := func(m proto.Message, err error) proto.Message {
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	ask, err := EncodeAsk("host/org/name", full[api.Ask](), MaxBudget)
	must(ask, err)
	describe, err := EncodeDescribe(full[api.Describe](), MaxBudget)
	must(describe, err)
	lists, err := EncodeLists(full[api.Lists]())
	must(lists, err)
	descriptions, err := EncodeDescriptions(full[api.Descriptions]())
	must(descriptions, err)
	out := map[string][]proto.Message{
		"to": {
			&nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: ask}},
			&nodepb.ToRepository{Of: &nodepb.ToRepository_Describe{Describe: describe}},
		},
		"from": {
			&nodepb.FromRepository{Of: &nodepb.FromRepository_Lists{Lists: lists}},
			&nodepb.FromRepository{Of: &nodepb.FromRepository_Descriptions{Descriptions: descriptions}},
		},
		"reply": {&nodepb.ReadReply{Failure: EncodeFailure(full[api.Failure]())}},
	}
	read, err := EncodeRead("host/org/name", *full[api.DetailRequest](), MaxBudget)
	out["read"] = append(out["read"], must(read, err))
	answer, err := EncodeAnswer(full[api.DetailAnswer](), nil)
	out["reply"] = append(out["reply"], must(answer, err))
	return out
}

func addSeeds(f *testing.F, of string) {
	f.Helper()
	for _, m := range seeds(f)[of] {
		data, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// marshals checks that a value that was let in can be passed on, and shown.
func marshals(t *testing.T, v any, m proto.Message, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%+v cannot be sent: %v", v, err)
	}
	if _, err := proto.Marshal(m); err != nil {
		t.Fatalf("%+v cannot be sent: %v", v, err)
	}
	if _, err := json.Marshal(v); err != nil {
		t.Fatalf("%+v cannot be shown: %v", v, err)
	}
}

// Whatever an asker sends is refused, or is a question that can be passed on.
func FuzzToRepository(f *testing.F) {
	addSeeds(f, "to")
	f.Fuzz(func(t *testing.T, data []byte) {
		var m nodepb.ToRepository
		if proto.Unmarshal(data, &m) != nil {
			return
		}
		ask, err := DecodeAsk(m.GetAsk(), "q")
		if err == nil {
			if ask.Budget <= 0 || ask.Budget > MaxBudget || ask.Limit < 0 || strings.TrimSpace(ask.Text) == "" {
				t.Errorf("%+v", ask)
			}
			again, err := EncodeAsk("r", ask, ask.Budget)
			marshals(t, ask, again, err)
		} else if !errors.Is(err, ErrInvalid) {
			t.Error(err)
		}
		if d, err := DecodeDescribe(m.GetDescribe(), "q"); err == nil {
			again, err := EncodeDescribe(d, d.Budget)
			marshals(t, d, again, err)
		} else if !errors.Is(err, ErrInvalid) {
			t.Error(err)
		}
	})
}

// Whatever a repository answers is refused, or is an answer that can be ranked and shown.
func FuzzFromRepository(f *testing.F) {
	addSeeds(f, "from")
	f.Fuzz(func(t *testing.T, data []byte) {
		var m nodepb.FromRepository
		if proto.Unmarshal(data, &m) != nil {
			return
		}
		if l, err := DecodeLists(m.GetLists(), "q", "p"); err == nil {
			for _, c := range l.Channels {
				if c.Status != api.OK && c.Status != api.Empty && !c.Status.OfFailure() || c.Elapsed < 0 || c.Project != "p" {
					t.Errorf("%+v", c)
				}
			}
			again, err := EncodeLists(l)
			marshals(t, l, again, err)
		}
		if d, err := DecodeDescriptions(m.GetDescriptions(), "q", "p"); err == nil {
			again, err := EncodeDescriptions(d)
			marshals(t, d, again, err)
		}
	})
}

// Whatever look-up an asker sends is refused, or is one that a project may answer.
func FuzzReadRequest(f *testing.F) {
	addSeeds(f, "read")
	f.Add([]byte("\x12\x06verify\x1a\x02{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m nodepb.ReadRequest
		if proto.Unmarshal(data, &m) != nil {
			return
		}
		r, err := DecodeRead(&m)
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Error(err)
			}
			return
		}
		if o := r.Options(); o.Project != "" || o.Timeout <= 0 || o.Timeout > MaxBudget || api.StaysHome(r) != "" {
			t.Errorf("%+v", r)
		}
		again, err := EncodeRead("r", r, r.Options().Timeout)
		marshals(t, r, again, err)
	})
}

// Whatever a repository answers to a look-up is its answer, or a failure.
func FuzzReadReply(f *testing.F) {
	for _, m := range seeds(f)["reply"] {
		data, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		for i := range len(lookups) {
			f.Add(data, byte(i))
		}
	}
	verbs := []string{}
	for verb := range lookups {
		verbs = append(verbs, verb)
	}
	slices.Sort(verbs)
	f.Fuzz(func(t *testing.T, data []byte, of byte) {
		var m nodepb.ReadReply
		if proto.Unmarshal(data, &m) != nil {
			return
		}
		r, err := DecodeRead(&nodepb.ReadRequest{Verb: verbs[int(of)%len(verbs)]})
		if err != nil {
			t.Fatal(err)
		}
		a, err := DecodeAnswer(&m, r, "p")
		if err != nil {
			if failure, ok := errors.AsType[*api.Failure](err); !ok || !failure.Status.OfFailure() || failure.Project != "p" {
				t.Errorf("%+v", err)
			}
			return
		}
		again, err := EncodeAnswer(a, nil)
		marshals(t, a, again, err)
	})
}

// JSON beyond the bounds is refused before it is read.
func TestJSONIsBounded(t *testing.T) {
	for name, data := range map[string]string{
		"values":  "[" + strings.Repeat("{},", mostRequestValues) + "{}]",
		"zeros":   "[" + strings.Repeat("0,", mostRequestValues) + "0]",
		"nesting": strings.Repeat("[", mostDepth+1) + strings.Repeat("]", mostDepth+1),
		"bytes":   `[{"DocID":"` + strings.Repeat("x", MaxRequest) + `"}]`,
	} {
		m := &nodepb.DescribeRequest{Wants: []byte(data)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := DecodeDescribe(m, "q")
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "more than") {
			t.Errorf("%s: %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
	quoted := `[{"DocID":"` + strings.Repeat(`[{,\"`, mostRequestValues) + `"}]`
	if d, err := DecodeDescribe(&nodepb.DescribeRequest{Wants: []byte(quoted)}, "q"); err != nil || len(d.Wants) != 1 {
		t.Errorf("brackets in a string: %v", err)
	}
	for text, want := range map[string][2]int{"7": {1, 0}, `{"a":[1,2],"b":"],["}`: {5, 2}, "": {1, 0}, `"\\"`: {1, 0}, `"\"["`: {1, 0}} {
		if values, depth := measureJSON([]byte(text)); values != want[0] || depth != want[1] {
			t.Errorf("%s: %d values, %d deep; want %v", text, values, depth, want)
		}
	}
}

// A number that cannot be ranked costs its repository its lists, and no other.
func TestListsThatCannotBeRanked(t *testing.T) {
	for name, change := range map[string]func(*nodepb.Lists){
		"raw":      func(m *nodepb.Lists) { m.Lists[0].Hits[1].Raw = math.NaN() },
		"chance":   func(m *nodepb.Lists) { m.Lists[1].Hits[0].Chance = math.Inf(1) },
		"near":     func(m *nodepb.Lists) { m.Exact[0].Near[1] = math.Inf(-1) },
		"evidence": func(m *nodepb.Lists) { m.Evidence["x"] = &nodepb.Evidence{Lone: math.NaN()} },
	} {
		m, err := EncodeLists(full[api.Lists]())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeLists(m, "q", "p"); err != nil {
			t.Fatal(err)
		}
		change(m)
		if _, err := DecodeLists(m, "q", "p"); err == nil || !strings.Contains(err.Error(), "no number") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Questions that no replica would answer are refused by name.
func TestInvalidAsks(t *testing.T) {
	for want, m := range map[string]*nodepb.AskRequest{
		"empty":      nil,
		"limit -1":   {Text: "dial", Limit: -1},
		`"[a"`:       {Text: "dial", Filter: []byte(`{"Paths":["[a"]}`)},
		"doc.Filter": {Text: "dial", Filter: []byte(`{"Paths":7}`)},
	} {
		if _, err := DecodeAsk(m, "q"); !errors.Is(err, ErrInvalid) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := DecodeRead(&nodepb.ReadRequest{Verb: "verify", Request: []byte("{}")}); !errors.Is(err, ErrInvalid) {
		t.Errorf("verify: %v", err)
	}
	_, err := EncodeRead("r", api.VerifyRequest{}, MaxBudget)
	if f, ok := errors.AsType[*api.Failure](err); !ok || f.Status != api.Unavailable {
		t.Errorf("verify: %v", err)
	}
}

// Paths of git may be of any bytes. They cost no answer.
func TestTextThatIsNoUTF8(t *testing.T) {
	l := &api.Lists{Exact: []doc.Ranked{{DocID: "caf\xe9.go", Path: "caf\xe9.go"}}, Evidence: map[string]doc.Evidence{"caf\xe9.go": {Share: 1}}}
	m, err := EncodeLists(l)
	got, err := DecodeLists(sent(t, m, err), "", "")
	if err != nil || got.Exact[0].DocID != "caf\uFFFD.go" || got.Evidence["caf\uFFFD.go"].Share != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
