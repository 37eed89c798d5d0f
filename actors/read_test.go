package actors

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/impact"
	"patina/code/lookup"
	"patina/fusion"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

// A read is one method of a Service with a request that the corpus answers.
type aRead struct {
	name string
	ask  func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error)
}

// reads are all look-ups of a Service. TestEveryReadIsTried checks that they are complete.
func reads() []aRead {
	return []aRead{
		{"Detail", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Detail(ctx, api.DetailRequest{ReadOptions: o, DocID: "net/dial.go::Dial"})
		}},
		{"Resolve", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Resolve(ctx, api.ResolveRequest{ReadOptions: o, Names: []string{"none.go", "GUIDE.md"}, Symbols: true})
		}},
		{"Links", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Links(ctx, api.LinksRequest{ReadOptions: o, Path: "net/dial.go", Reasons: 2, Commits: 5, Neighbours: 5})
		}},
		{"NearNames", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.NearNames(ctx, api.NearNamesRequest{ReadOptions: o, Name: "Lisetn", Limit: 3, Paths: true})
		}},
		{"Assay", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Assay(ctx, api.AssayRequest{ReadOptions: o, Query: assay.Query{Type: "functions", Pattern: "net"}})
		}},
		{"Recent", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Recent(ctx, api.RecentRequest{ReadOptions: o, Since: time.Unix(0, 0), Filter: doc.Filter{}, Limit: 5})
		}},
		{"Overview", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Overview(ctx, api.OverviewRequest{ReadOptions: o, Folder: "", Filter: doc.Filter{}})
		}},
		{"Brief", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Brief(ctx, api.BriefRequest{ReadOptions: o, Topic: "dial", Now: time.Unix(0, 0)})
		}},
		{"Tree", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Tree(ctx, api.TreeRequest{ReadOptions: o, Limit: 3})
		}},
		{"Packages", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Packages(ctx, api.PackagesRequest{ReadOptions: o})
		}},
		{"Symbols", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Symbols(ctx, api.SymbolsRequest{ReadOptions: o, Symbols: []lookup.Symbol{{Path: "net/dial.go", Name: "Dial"}}})
		}},
		{"Lines", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Lines(ctx, api.LinesRequest{ReadOptions: o, Lines: []api.Line{{Path: "net/dial.go", Number: 1}, {Path: "net/dial.go", Number: 99}}})
		}},
		{"Matches", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Matches(ctx, api.MatchesRequest{ReadOptions: o, Regex: `^func [A-Z]`, Limit: 1})
		}},
		{"Closest", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Closest(ctx, api.ClosestRequest{ReadOptions: o, Question: "retry a connection", DocID: "net/dial.go", Limit: 3})
		}},
		{"Verify", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Verify(ctx, api.VerifyRequest{ReadOptions: o, IDs: []string{"none"}})
		}},
		{"Reach", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Reach(ctx, api.ReachRequest{ReadOptions: o, Path: "net/dial.go"})
		}},
		{"Standing", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Standing(ctx, api.StandingRequest{ReadOptions: o, ID: "dial-once"})
		}},
		{"Beliefs", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Beliefs(ctx, api.BeliefsRequest{ReadOptions: o, IDs: []string{"dial-once"}})
		}},
		{"Proposals", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Proposals(ctx, api.ProposalsRequest{ReadOptions: o, Limit: 20})
		}},
		{"Audit", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Audit(ctx, api.AuditRequest{ReadOptions: o})
		}},
		{"Impact", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Impact(ctx, api.ImpactRequest{ReadOptions: o, Query: impact.Query{Changes: []impact.Change{{Path: "net/dial.go"}}}})
		}},
		{"Freshness", func(s api.Service, ctx context.Context, o api.ReadOptions) (any, error) {
			return s.Freshness(ctx, api.FreshnessRequest{ReadOptions: o})
		}},
	}
}

// patient waits on a busy machine too.
var patient = api.ReadOptions{Timeout: ample}

// ranked are the methods that the router answers, with statuses of their own.
var ranked = []string{"Scry", "Why"}

func TestEveryReadIsTried(t *testing.T) {
	var tried []string
	for _, r := range reads() {
		tried = append(tried, r.name)
	}
	service := reflect.TypeFor[api.Service]()
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
		if index := reflect.ValueOf(a).Elem().FieldByName("Index").Interface().(api.IndexState); index.Project != "app" || index.Generation.Number != 1 {
			t.Errorf("%s: index %+v", r.name, index)
		}
	}
	for name, ok := range map[string]bool{
		"Detail":    strings.Contains(got["Detail"].(*api.DetailAnswer).Body, "func Dial"),
		"Resolve":   got["Resolve"].(*api.ResolveAnswer).DocID == "GUIDE.md",
		"Links":     got["Links"].(*api.LinksAnswer).Commits == 1,
		"NearNames": slices.Equal(got["NearNames"].(*api.NearNamesAnswer).Names, []string{"Listen"}),
		"Assay":     len(got["Assay"].(*api.AssayAnswer).Facts.Facts) == 2 && got["Assay"].(*api.AssayAnswer).Index.Behind == 2,
		"Recent":    got["Recent"].(*api.RecentAnswer).Total == 1 && got["Recent"].(*api.RecentAnswer).Index.Behind == 2,
		"Overview":  got["Overview"].(*api.OverviewAnswer).Files == 5 && got["Overview"].(*api.OverviewAnswer).Index.Behind == 2,
		"Brief":     len(got["Brief"].(*api.BriefAnswer).Central) > 0 && got["Brief"].(*api.BriefAnswer).Index.Behind == 2,
		"Tree":      len(got["Tree"].(*api.TreeAnswer).Files) == 3 && got["Tree"].(*api.TreeAnswer).Files[2].Size > 0 && !got["Tree"].(*api.TreeAnswer).Listed.IsZero(),
		"Reach":     got["Reach"].(*api.ReachAnswer).Beliefs[0].ID == "dial-once",
		"Beliefs":   len(got["Beliefs"].(*api.BeliefsAnswer).Beliefs) == 1,
		"Audit":     got["Audit"].(*api.AuditAnswer).Beliefs == 1,
		"Standing":  got["Standing"].(*api.StandingAnswer).Score == 0.5 && strings.HasPrefix(got["Standing"].(*api.StandingAnswer).Belief.Statement, "Dial once"),
		"Verify":    slices.Equal(got["Verify"].(*api.VerifyAnswer).Missing, []string{"none"}),
		"Symbols":   got["Symbols"].(*api.SymbolsAnswer).Symbols[0].Line == 4,
		"Lines":     slices.Equal(got["Lines"].(*api.LinesAnswer).Texts, []string{"package net", ""}),
		"Matches":   len(got["Matches"].(*api.MatchesAnswer).Matches) == 1 && got["Matches"].(*api.MatchesAnswer).Lines > 1,
		"Closest":   len(got["Closest"].(*api.ClosestAnswer).Pairs) > 0,
		"Freshness": got["Freshness"].(*api.FreshnessAnswer).Index.Behind == 2 && got["Freshness"].(*api.FreshnessAnswer).Note == "a note",
	} {
		if !ok {
			t.Errorf("%s: %+v", name, got[name])
		}
	}
}

// failureOf returns the failure in an error.
func failureOf(t *testing.T, name string, err error) *api.Failure {
	t.Helper()
	f, ok := errors.AsType[*api.Failure](err)
	if !ok {
		t.Fatalf("%s: %v is no failure", name, err)
	}
	return f
}

// A disk that hangs while an index is opened must cost a read only its time.
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
			_, err := r.ask(e, t.Context(), api.ReadOptions{Timeout: 20 * time.Millisecond})
			f := failureOf(t, r.name, err)
			if f.Status != api.Deadline || !strings.Contains(err.Error(), `of "p": deadline 20 ms: the index was not open in time`) || !errors.Is(err, context.DeadlineExceeded) {
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

// If questions hold every slot, a read waits for one until its deadline. If too many wait, it is
// refused. A read that is cancelled stops waiting.
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
			_, err := e.Scry(context.Background(), api.Request{Text: "dial", Timeout: ample})
			answers <- err
		}()
	}
	// Slots-1 oracle calls run at once; the other question holds its slot and waits for the oracle.
	<-entered
	for held := false; !held; {
		_, err := e.Packages(t.Context(), api.PackagesRequest{ReadOptions: api.ReadOptions{Timeout: time.Millisecond}})
		held = err != nil && strings.HasSuffix(err.Error(), "other queries held every slot")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Packages(ctx, api.PackagesRequest{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	late := regexp.MustCompile(`^deadline 5 ms(, and \d+ ms without a processor)?: other queries held every slot$`)
	for _, r := range reads() {
		_, err := r.ask(e, t.Context(), api.ReadOptions{Timeout: 5 * time.Millisecond})
		if f := failureOf(t, r.name, err); f.Status != api.Deadline || !late.MatchString(f.Detail) {
			t.Errorf("%s: %v", r.name, err)
		}
	}
	crowd := make(chan error, waiting+1)
	for range waiting + 1 {
		go func() {
			_, err := e.Freshness(context.Background(), api.FreshnessRequest{ReadOptions: patient})
			crowd <- err
		}()
	}
	refused := failureOf(t, "the last", <-crowd) // nobody else can be answered before the release
	if refused.Status != api.Overloaded || refused.Detail != "256 questions wait already" {
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

// A panic in a read must only be its error, and its slot must come back.
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
		_, err := e.Freshness(t.Context(), api.FreshnessRequest{ReadOptions: patient})
		if f := failureOf(t, "freshness", err); f.Status != api.Failed || f.Error() != `freshness of "app": panic: torn page` {
			t.Errorf("%v", err)
		}
	}
	torn = false
	if _, err := e.Freshness(t.Context(), api.FreshnessRequest{ReadOptions: patient}); err != nil {
		t.Error(err)
	}
}

// An opening that panics must fail every read and nothing else.
func TestReadOfAnIndexThatPanics(t *testing.T) {
	bare := Project{Name: "bare", Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "none")}
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app"), bare}, load: func(p Project) (*store.Store, error) {
		if p.Name == "bare" {
			panic("torn page")
		}
		return loadIndex(p)
	}})
	for _, r := range reads() {
		_, err := r.ask(e, t.Context(), api.ReadOptions{Project: "bare", Timeout: ample})
		if f := failureOf(t, r.name, err); f.Status != api.Failed || !strings.HasSuffix(f.Detail, "panic: torn page") {
			t.Errorf("%s: %v", r.name, err)
		}
		if _, err := r.ask(e, t.Context(), api.ReadOptions{Project: "app", Timeout: ample}); err != nil {
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
		if _, err := r.ask(e, t.Context(), patient); !errors.Is(err, api.ErrClosed) {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}

// The errors by which a caller decides must survive a connection.
func TestFailureKeepsItsCause(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	_, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: patient, DocID: "none.go"})
	f := failureOf(t, "detail", err)
	sent, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var got api.Failure
	if err := json.Unmarshal(sent, &got); err != nil || !errors.Is(&got, lookup.ErrNoDocument) || errors.Is(&got, store.ErrNoIndex) || got.Error() != f.Error() {
		t.Errorf("%s: %v", sent, err)
	}
}

// messages returns all types that cross the border of an engine or of a project.
func messages() []any {
	var all []any
	service := reflect.TypeFor[api.Service]()
	for i := range service.NumMethod() {
		m := service.Method(i).Type
		all = append(all, reflect.Zero(m.In(1)).Interface(), reflect.Zero(m.Out(0).Elem()).Interface())
	}
	all = append(all, Read{}, ReadReply{}, CancelRead{}, api.Failure{})
	return append(all, api.Ask{}, api.Lists{}, api.Describe{}, api.Descriptions{})
}

// Every message must be plain data: filled to the last field, it must come back unchanged from gob
// and JSON.
func TestMessagesArePlain(t *testing.T) {
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

// fill gives every field below v a unique value, and fails for fields that cannot be sent.
func fill(t *testing.T, v reflect.Value, at string, n *int) {
	t.Helper()
	*n++
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Unix(int64(*n), 0).UTC()
		return
	case *any: // of Read and ReadReply
		*x = api.DetailRequest{DocID: "net/dial.go"}
		if at == "ReadReply.Answer" {
			*x = &api.DetailAnswer{Body: "package net"}
		}
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
	case reflect.Float32, reflect.Float64:
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
			// A marker is an empty struct.
			if !f.IsExported() && (f.Type.Kind() != reflect.Struct || f.Type.NumField() > 0) {
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
