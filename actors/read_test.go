package actors

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"patina/code/assay"
	"patina/code/lookup"
	"patina/fusion"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

// A read is one method of a Service with a request that the corpus answers.
type aRead struct {
	name string
	ask  func(s Service, ctx context.Context, o ReadOptions) (any, error)
}

// reads are all look-ups of a Service; TestEveryReadIsTried holds that none is missing.
func reads() []aRead {
	return []aRead{
		{"Detail", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Detail(ctx, DetailRequest{ReadOptions: o, DocID: "net/dial.go::Dial"})
		}},
		{"Resolve", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Resolve(ctx, ResolveRequest{o, []string{"none.go", "GUIDE.md"}, true})
		}},
		{"Links", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Links(ctx, LinksRequest{ReadOptions: o, Path: "net/dial.go", Reasons: 2, Commits: 5, Neighbours: 5})
		}},
		{"NearNames", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.NearNames(ctx, NearNamesRequest{o, "Lisetn", 3, true})
		}},
		{"Assay", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Assay(ctx, AssayRequest{o, assay.Query{Type: "functions", Pattern: "net"}})
		}},
		{"Recent", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Recent(ctx, RecentRequest{o, time.Unix(0, 0), doc.Filter{}, 5})
		}},
		{"Overview", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Overview(ctx, OverviewRequest{o, "", doc.Filter{}})
		}},
		{"Brief", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Brief(ctx, BriefRequest{ReadOptions: o, Topic: "dial", Now: time.Unix(0, 0)})
		}},
		{"Tree", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Tree(ctx, TreeRequest{o, 3})
		}},
		{"Packages", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Packages(ctx, PackagesRequest{o})
		}},
		{"Symbols", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Symbols(ctx, SymbolsRequest{o, []lookup.Symbol{{Path: "net/dial.go", Name: "Dial"}}})
		}},
		{"Lines", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Lines(ctx, LinesRequest{o, []Line{{"net/dial.go", 1}, {"net/dial.go", 99}}})
		}},
		{"Matches", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Matches(ctx, MatchesRequest{ReadOptions: o, Regex: `^func [A-Z]`, Limit: 1})
		}},
		{"Closest", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Closest(ctx, ClosestRequest{o, "retry a connection", "net/dial.go", 3})
		}},
		{"Verify", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Verify(ctx, VerifyRequest{o, []string{"none"}})
		}},
		{"Reach", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Reach(ctx, ReachRequest{ReadOptions: o, Path: "net/dial.go"})
		}},
		{"Standing", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Standing(ctx, StandingRequest{o, "dial-once"})
		}},
		{"Beliefs", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Beliefs(ctx, BeliefsRequest{o, []string{"dial-once"}})
		}},
		{"Proposals", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Proposals(ctx, ProposalsRequest{ReadOptions: o, Limit: 20})
		}},
		{"Audit", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Audit(ctx, AuditRequest{o})
		}},
		{"Freshness", func(s Service, ctx context.Context, o ReadOptions) (any, error) {
			return s.Freshness(ctx, FreshnessRequest{o})
		}},
	}
}

// patient waits on a busy machine too.
var patient = ReadOptions{Timeout: ample}

// ranked are the methods that the router answers, with statuses of their own.
var ranked = []string{"Scry", "Why"}

func TestEveryReadIsTried(t *testing.T) {
	var tried []string
	for _, r := range reads() {
		tried = append(tried, r.name)
	}
	service := reflect.TypeFor[Service]()
	for i := range service.NumMethod() {
		if name := service.Method(i).Name; !slices.Contains(ranked, name) && !slices.Contains(tried, name) {
			t.Errorf("%s is not tried", name)
		}
	}
}

func TestReads(t *testing.T) {
	p := newProject(t, "app")
	e := newEngine(t, Options{Projects: []Project{p}, Fresh: func(Project, doc.Generation) (int, string) { return 2, "a note" }})
	got := map[string]any{}
	for _, r := range reads() {
		a, err := r.ask(e, t.Context(), patient)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		got[r.name] = a
		if index := reflect.ValueOf(a).Elem().FieldByName("Index").Interface().(IndexState); index.Project != "app" || index.Generation.Number != 1 {
			t.Errorf("%s: index %+v", r.name, index)
		}
	}
	for name, ok := range map[string]bool{
		"Detail":    strings.Contains(got["Detail"].(*DetailAnswer).Body, "func Dial"),
		"Resolve":   got["Resolve"].(*ResolveAnswer).DocID == "GUIDE.md",
		"Links":     got["Links"].(*LinksAnswer).Commits == 1,
		"NearNames": slices.Equal(got["NearNames"].(*NearNamesAnswer).Names, []string{"Listen"}),
		"Assay":     len(got["Assay"].(*AssayAnswer).Facts.Facts) == 2 && got["Assay"].(*AssayAnswer).Index.Behind == 2,
		"Recent":    got["Recent"].(*RecentAnswer).Total == 1 && got["Recent"].(*RecentAnswer).Index.Behind == 2,
		"Overview":  got["Overview"].(*OverviewAnswer).Files == 5 && got["Overview"].(*OverviewAnswer).Index.Behind == 2,
		"Brief":     len(got["Brief"].(*BriefAnswer).Central) > 0 && got["Brief"].(*BriefAnswer).Index.Behind == 2,
		"Tree":      len(got["Tree"].(*TreeAnswer).Files) == 3 && got["Tree"].(*TreeAnswer).Files[2].Size > 0 && !got["Tree"].(*TreeAnswer).Listed.IsZero(),
		"Reach":     got["Reach"].(*ReachAnswer).Beliefs[0].ID == "dial-once",
		"Beliefs":   len(got["Beliefs"].(*BeliefsAnswer).Beliefs) == 1,
		"Audit":     got["Audit"].(*AuditAnswer).Beliefs == 1,
		"Standing":  got["Standing"].(*StandingAnswer).Score == 0.5 && strings.HasPrefix(got["Standing"].(*StandingAnswer).Belief.Statement, "Dial once"),
		"Verify":    slices.Equal(got["Verify"].(*VerifyAnswer).Missing, []string{"none"}),
		"Symbols":   got["Symbols"].(*SymbolsAnswer).Symbols[0].Line == 4,
		"Lines":     slices.Equal(got["Lines"].(*LinesAnswer).Texts, []string{"package net", ""}),
		"Matches":   len(got["Matches"].(*MatchesAnswer).Matches) == 1 && got["Matches"].(*MatchesAnswer).Lines > 1,
		"Closest":   len(got["Closest"].(*ClosestAnswer).Pairs) > 0,
		"Freshness": got["Freshness"].(*FreshnessAnswer).Index.Behind == 2 && got["Freshness"].(*FreshnessAnswer).Note == "a note",
	} {
		if !ok {
			t.Errorf("%s: %+v", name, got[name])
		}
	}
}

// failureOf is the failure that an error is.
func failureOf(t *testing.T, name string, err error) *Failure {
	t.Helper()
	f, ok := errors.AsType[*Failure](err)
	if !ok {
		t.Fatalf("%s: %v is no failure", name, err)
	}
	return f
}

// A disk that hangs while an index is opened costs a read its time and no more.
func TestReadEndsAtItsDeadline(t *testing.T) {
	p := newProject(t, "p")
	synctest.Test(t, func(t *testing.T) {
		hangs := make(chan struct{})
		e := inBubble(t, Options{
			Projects: []Project{p}, Within: time.Millisecond,
			load: loadAfter(hangs),
		})
		for _, r := range reads() {
			began := time.Now()
			_, err := r.ask(e, t.Context(), ReadOptions{Timeout: 20 * time.Millisecond})
			f := failureOf(t, r.name, err)
			if f.Status != Deadline || !strings.Contains(err.Error(), `of "p": deadline 20 ms: the index was not open in time`) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", r.name, err)
			}
			if d := time.Since(began); d != 20*time.Millisecond {
				t.Errorf("%s took %s", r.name, d)
			}
		}
		close(hangs)
		for _, r := range reads() {
			if _, err := r.ask(e, t.Context(), patient); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
		}
	})
}

// Where questions hold every slot, a read waits for one until its deadline. Where too many wait it
// is turned away. A reader that is cancelled waits no longer.
func TestReadWaitsForASlot(t *testing.T) {
	entered, release := make(chan struct{}, 2), make(chan struct{})
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}, Slots: 2, Oracles: []oracles.Oracle{
		script{"slow", func(context.Context, oracles.Question) ([]oracles.List, error) {
			entered <- struct{}{}
			<-release
			return nil, nil
		}},
	}})
	answers := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := e.Scry(context.Background(), Request{Text: "dial", Timeout: ample})
			answers <- err
		}()
	}
	// Slots-1 oracle calls run at once; the other question holds its slot and waits for the oracle.
	<-entered
	for held := false; !held; {
		_, err := e.Packages(t.Context(), PackagesRequest{ReadOptions{Timeout: time.Millisecond}})
		held = err != nil && strings.HasSuffix(err.Error(), "other queries held every slot")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Packages(ctx, PackagesRequest{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, r := range reads() {
		_, err := r.ask(e, t.Context(), ReadOptions{Timeout: 5 * time.Millisecond})
		if f := failureOf(t, r.name, err); f.Status != Deadline || f.Detail != "deadline 5 ms: other queries held every slot" {
			t.Errorf("%s: %v", r.name, err)
		}
	}
	crowd := make(chan error, waiting+1)
	for range waiting + 1 {
		go func() {
			_, err := e.Freshness(context.Background(), FreshnessRequest{patient})
			crowd <- err
		}()
	}
	refused := failureOf(t, "the last", <-crowd) // nobody else can be answered before the release
	if refused.Status != Overloaded || refused.Detail != "256 questions wait already" {
		t.Errorf("%+v", refused)
	}
	close(release)
	for range waiting {
		if err := <-crowd; err != nil {
			t.Error(err)
		}
	}
	for range 2 {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
}

// A panic in a read is its error; the engine lives on, and the slots come back.
func TestReadThatPanics(t *testing.T) {
	torn := true
	e := newEngine(t, Options{
		Projects: []Project{newProject(t, "app")}, Slots: 2,
		Fresh: func(Project, doc.Generation) (int, string) {
			if torn {
				panic("torn page")
			}
			return 0, ""
		},
	})
	for range 5 { // more than there are slots
		_, err := e.Freshness(t.Context(), FreshnessRequest{patient})
		if f := failureOf(t, "freshness", err); f.Status != Failed || f.Error() != `freshness of "app": panic: torn page` {
			t.Errorf("%v", err)
		}
	}
	torn = false
	if _, err := e.Freshness(t.Context(), FreshnessRequest{patient}); err != nil {
		t.Error(err)
	}
}

// An opening that panics fails every read, and nothing else.
func TestReadOfAnIndexThatPanics(t *testing.T) {
	bare := Project{Name: "bare", Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "none")}
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app"), bare}, load: func(p Project) (*store.Store, error) {
		if p.Name == "bare" {
			panic("torn page")
		}
		return loadIndex(p)
	}})
	for _, r := range reads() {
		_, err := r.ask(e, t.Context(), ReadOptions{Project: "bare", Timeout: ample})
		if f := failureOf(t, r.name, err); f.Status != Failed || !strings.HasSuffix(f.Detail, "panic: torn page") {
			t.Errorf("%s: %v", r.name, err)
		}
		if _, err := r.ask(e, t.Context(), ReadOptions{Project: "app", Timeout: ample}); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}

func TestReadsOfAClosedEngine(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, r := range reads() {
		if _, err := r.ask(e, t.Context(), patient); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}

// The errors that a caller decides by survive the way over a wire.
func TestFailureKeepsItsCause(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	_, err := e.Detail(t.Context(), DetailRequest{ReadOptions: patient, DocID: "none.go"})
	f := failureOf(t, "detail", err)
	sent, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var got Failure
	if err := json.Unmarshal(sent, &got); err != nil || !errors.Is(&got, lookup.ErrNoDocument) || errors.Is(&got, store.ErrNoIndex) || got.Error() != f.Error() {
		t.Errorf("%s: %v", sent, err)
	}
}

// messages are all that crosses the border of an engine or of a project.
func messages() []any {
	var all []any
	service := reflect.TypeFor[Service]()
	for i := range service.NumMethod() {
		m := service.Method(i).Type
		all = append(all, reflect.Zero(m.In(1)).Interface(), reflect.Zero(m.Out(0).Elem()).Interface())
	}
	all = append(all, Read{}, ReadReply{}, CancelRead{}, Failure{})
	return append(all, Ask{}, Lists{}, Describe{}, Descriptions{})
}

// Every message is plain data: filled to the last field it comes back from gob and from JSON as it
// was.
func TestMessagesArePlain(t *testing.T) {
	gob.Register(DetailRequest{}) // as a Read holds it, and a ReadReply
	gob.Register(&DetailAnswer{})
	for _, m := range messages() {
		typ := reflect.TypeOf(m)
		full := reflect.New(typ)
		n := 1
		fill(t, full.Elem(), typ.Name(), &n)
		var wire bytes.Buffer
		if err := gob.NewEncoder(&wire).Encode(full.Interface()); err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		got := reflect.New(typ)
		if err := gob.NewDecoder(&wire).Decode(got.Interface()); err != nil || !reflect.DeepEqual(got.Interface(), full.Interface()) {
			t.Errorf("%s by gob: %v\n%+v\n%+v", typ, err, got, full)
		}
		if typ == reflect.TypeFor[Read]() || typ == reflect.TypeFor[ReadReply]() {
			continue // its fields have a type that JSON does not name
		}
		text, err := json.Marshal(full.Interface())
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		got = reflect.New(typ)
		if err := json.Unmarshal(text, got.Interface()); err != nil || !reflect.DeepEqual(got.Interface(), full.Interface()) {
			t.Errorf("%s by JSON: %v\n%+v\n%+v", typ, err, got, full)
		}
	}
}

// fill gives every field below v a value that no other has, and refuses fields that cannot be sent.
func fill(t *testing.T, v reflect.Value, at string, n *int) {
	t.Helper()
	*n++
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Unix(int64(*n), 0).UTC()
		return
	case *any: // of Read and ReadReply
		*x = DetailRequest{DocID: "net/dial.go"}
		if at == "ReadReply.Answer" {
			*x = &DetailAnswer{Body: "package net"}
		}
		return
	case *expected:
		return
	case *fusion.Key: // a map's key too
		*x = fusion.Key{Project: "p", Kind: "code", ID: "i"}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) / 3)
	case reflect.String:
		v.SetString(strings.Repeat("x", *n%7) + at)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, v.Index(i), at, n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, at+" key", n)
		fill(t, value, at, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), at, n)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() && f.Type != reflect.TypeFor[expected]() {
				t.Errorf("%s.%s is not exported", at, f.Name)
				continue
			}
			if f.IsExported() {
				fill(t, v.Field(i), at+"."+f.Name, n)
			}
		}
	default:
		t.Errorf("%s is a %s", at, v.Type())
	}
}
