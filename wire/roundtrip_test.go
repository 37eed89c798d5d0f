package wire

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"patina/actors/api"
	"patina/wire/nodepb"
)

// fill gives every exported field below v a value that no other has.
func fill(v reflect.Value, at string, n *int) {
	*n++
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Unix(int64(*n), 0).UTC()
		return
	case *time.Duration:
		*x = time.Duration(*n) * time.Microsecond
		return
	case *api.Status:
		*x = []api.Status{api.OK, api.Failed, api.Deadline, api.Overloaded, api.Unavailable, api.Unreachable}[*n%6]
		if strings.HasPrefix(at, "Failure") {
			*x = api.Overloaded
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 3)
	case reflect.String:
		v.SetString(fmt.Sprint(at, *n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), at, n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, at, n)
		fill(value, at, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), at, n)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fill(v.Field(i), at+"."+f.Name, n)
			}
		}
	default:
		panic(fmt.Sprintf("%s is a %s", at, v.Type()))
	}
}

// full returns a value with every field filled.
func full[T any]() *T {
	v, n := new(T), 1
	fill(reflect.ValueOf(v).Elem(), reflect.TypeFor[T]().Name(), &n)
	return v
}

// differences collects the paths of the fields that differ. Elements of lists share a path.
func differences(a, b reflect.Value, at string, out map[string]bool) {
	if a.Type() == reflect.TypeFor[time.Time]() {
		if !a.Interface().(time.Time).Equal(b.Interface().(time.Time)) {
			out[at] = true
		}
		return
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.IsExported() {
				differences(a.Field(i), b.Field(i), at+"."+f.Name, out)
			}
		}
	case reflect.Pointer:
		if a.IsNil() != b.IsNil() {
			out[at] = true
		} else if !a.IsNil() {
			differences(a.Elem(), b.Elem(), at, out)
		}
	case reflect.Slice:
		if a.Len() != b.Len() {
			out[at] = true
			return
		}
		for i := range a.Len() {
			differences(a.Index(i), b.Index(i), at, out)
		}
	case reflect.Map:
		if a.Len() != b.Len() {
			out[at] = true
			return
		}
		for _, k := range a.MapKeys() {
			if x := b.MapIndex(k); x.IsValid() {
				differences(a.MapIndex(k), x, at, out)
			} else {
				out[at] = true
			}
		}
	default:
		if !a.Equal(b) {
			out[at] = true
		}
	}
}

// sent is a message as its receiver gets it.
func sent[M proto.Message](t *testing.T, m M, err error) M {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	out := m.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(data, out); err != nil {
		t.Fatal(err)
	}
	return out.(M)
}

// unset collects the fields of a message, and of those in it, that are not set.
func unset(m protoreflect.Message, at string, out map[string]bool) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		path := at + "." + string(f.Name())
		switch {
		case !m.Has(f):
			out[path] = true
		case f.IsMap() && f.MapValue().Message() != nil:
			m.Get(f).Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool { unset(v.Message(), path, out); return true })
		case f.IsList() && f.Message() != nil:
			for j := range m.Get(f).List().Len() {
				unset(m.Get(f).List().Get(j).Message(), path, out)
			}
		case f.Message() != nil && !f.IsMap():
			unset(m.Get(f).Message(), path, out)
		}
	}
}

// Fields that do not cross the wire, with the reason of each. Nothing else may be lost.
var lost = map[string]string{
	"Ask.Query":                    "the stream is the query",
	"Describe.Query":               "the stream is the query",
	"Lists.Query":                  "the stream is the query",
	"Descriptions.Query":           "the stream is the query",
	"Lists.From":                   "each side has its own name for the project",
	"Lists.Index.Project":          "each side has its own name for the project",
	"Lists.Lists.Detail":           "the channel's state says it",
	"Lists.Lists.Random":           "the machine of the index has turned its cosines into evidence",
	"Lists.Channels.Project":       "each side has its own name for the project",
	"Descriptions.From":            "each side has its own name for the project",
	"Descriptions.Problem.Project": "each side has its own name for the project",
	"Failure.Project":              "each side has its own name for the project",
	"Failure.Read":                 "the asker knows what it asked",
	"Lists.Index.Root":             "a folder of the machine",
	"Descriptions.Found.Description.Stat.ModTime":    "a state on the machine",
	"Descriptions.Found.Description.Stat.ChangeTime": "a state on the machine",
	"Descriptions.Found.Description.Stat.Inode":      "a state on the machine",
	"DetailAnswer.Description.Stat.ModTime":          "a state on the machine",
	"DetailAnswer.Description.Stat.ChangeTime":       "a state on the machine",
	"DetailAnswer.Description.Stat.Inode":            "a state on the machine",
	"TreeAnswer.Tree.Files.Stat.ModTime":             "a state on the machine",
	"TreeAnswer.Tree.Files.Stat.ChangeTime":          "a state on the machine",
	"TreeAnswer.Tree.Files.Stat.Inode":               "a state on the machine",
}

// losing returns the entry of lost for a path, in any answer.
func losing(path string) string {
	head, rest, _ := strings.Cut(path, ".")
	switch {
	case strings.HasSuffix(head, "Answer") && rest == "Index.Project":
		return "each side has its own name for the project"
	case strings.HasSuffix(head, "Answer") && rest == "Index.Root":
		return "a folder of the machine"
	case strings.HasSuffix(head, "Request") && rest == "ReadOptions.Project":
		return "the message names the repository"
	}
	return lost[path]
}

// Every field of every message comes back as it was, except those that are listed as lost.
func TestEveryFieldCrosses(t *testing.T) {
	found, empty := map[string]bool{}, map[string]bool{}
	compare := func(want, got any, m proto.Message) {
		v := reflect.ValueOf(want).Elem()
		differences(v, reflect.ValueOf(got).Elem(), v.Type().Name(), found)
		if m != nil {
			unset(m.ProtoReflect(), string(m.ProtoReflect().Descriptor().Name()), empty)
		}
	}
	ask := full[api.Ask]()
	m, err := EncodeAsk("host/org/name", ask, ask.Budget)
	m = sent(t, m, err)
	gotAsk, err := DecodeAsk(m, "")
	if err != nil {
		t.Fatal(err)
	}
	compare(ask, gotAsk, m)

	lists := full[api.Lists]()
	ml, err := EncodeLists(lists)
	ml = sent(t, ml, err)
	gotLists, err := DecodeLists(ml, "", "")
	if err != nil {
		t.Fatal(err)
	}
	compare(lists, gotLists, ml)

	describe := full[api.Describe]()
	md, err := EncodeDescribe(describe, describe.Budget)
	md = sent(t, md, err)
	gotDescribe, err := DecodeDescribe(md, "")
	if err != nil {
		t.Fatal(err)
	}
	compare(describe, gotDescribe, md)

	ds := full[api.Descriptions]()
	mds, err := EncodeDescriptions(ds)
	mds = sent(t, mds, err)
	gotDs, err := DecodeDescriptions(mds, "", "")
	if err != nil {
		t.Fatal(err)
	}
	compare(ds, gotDs, mds)

	failure := full[api.Failure]()
	mf := sent(t, EncodeFailure(failure), nil)
	compare(failure, DecodeFailure(mf), mf)

	for _, verb := range slices.Sorted(maps.Keys(lookups)) {
		of, n := lookups[verb], 1
		request, answer := reflect.New(of.request), reflect.New(of.answer)
		fill(request.Elem(), of.request.Name(), &n)
		fill(answer.Elem(), of.answer.Name(), &n)
		r := request.Interface().(api.Lookup)
		mr, err := EncodeRead("host/org/name", r, r.Options().Timeout)
		mr = sent(t, mr, err)
		got, err := DecodeRead(mr)
		if err != nil {
			t.Fatal(err)
		}
		at := reflect.New(of.request)
		at.Elem().Set(reflect.ValueOf(got))
		compare(request.Interface(), at.Interface(), mr)
		ma, err := EncodeAnswer(answer.Interface(), nil)
		ma = sent(t, ma, err)
		back, err := DecodeAnswer(ma, r, "")
		if err != nil {
			t.Fatal(err)
		}
		compare(answer.Interface(), back, nil)
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if losing(path) == "" {
			t.Errorf("%s does not cross", path)
		}
	}
	for path := range lost {
		if !found[path] {
			t.Errorf("%s crosses, and is listed as lost", path)
		}
	}
	delete(empty, "AskRequest.attempt") // of the one who asks several replicas
	for path := range empty {
		t.Errorf("%s is never set", path)
	}
}

// No value that must stay at home is in a message.
func TestNothingPrivateLeaves(t *testing.T) {
	const root = "/home/ann/src/secret"
	lists := full[api.Lists]()
	lists.Index.Root, lists.Notes = root, []string{"git of " + root + " is old"}
	lists.Channels[0].Detail = "open " + root + "/store/db: permission denied"
	ds := full[api.Descriptions]()
	ds.Problem.Detail = `read "/srv/patina/index.db": no space`
	messages := []proto.Message{
		EncodeFailure(&api.Failure{Status: api.Failed, Detail: "no index in /srv/patina/x"}),
		EncodeFailure(fmt.Errorf("no index in (/srv/patina/x)")),
	}
	m, err := EncodeLists(lists)
	messages = append(messages, sent(t, m, err))
	md, err := EncodeDescriptions(ds)
	messages = append(messages, sent(t, md, err))
	for _, of := range lookups {
		answer, n := reflect.New(of.answer), 1
		fill(answer.Elem(), "Answer", &n)
		index := api.IndexOf(answer.Interface())
		index.Root = root
		if note := answer.Elem().FieldByName("Note"); note.IsValid() && note.Kind() == reflect.String {
			note.SetString("git of " + root + " failed")
		}
		before := fmt.Sprintf("%+v", answer.Elem().Interface())
		ma, err := EncodeAnswer(answer.Interface(), nil)
		messages = append(messages, sent(t, ma, err))
		if after := fmt.Sprintf("%+v", answer.Elem().Interface()); after != before {
			t.Errorf("%s: the answer was changed", of.verb)
		}
	}
	for _, m := range messages {
		data, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, private := range []string{root, "/srv/patina"} {
			if strings.Contains(string(data), private) {
				t.Errorf("%s is in %s: %.200s", private, m.ProtoReflect().Descriptor().Name(), data)
			}
		}
	}
	if got := messages[0].(*nodepb.Failure).GetDetail(); got != "no index in …/x" {
		t.Errorf("%q", got)
	}
	for _, same := range []string{"and/or", "12 ms / 3", "its model is not fitted yet: patina scrape", "a/b/c", "https://go.dev/x"} {
		if got := withoutPaths(same); got != same {
			t.Errorf("%q becomes %q", same, got)
		}
	}
}

// Each look-up of a Service is in the table with its answer, or stays at home.
func TestEveryLookupIsInTheTable(t *testing.T) {
	service, n := reflect.TypeFor[api.Service](), 0
	for i := range service.NumMethod() {
		m := service.Method(i)
		r, ok := reflect.Zero(m.Type.In(1)).Interface().(api.Lookup)
		if !ok || m.Name == "Scry" || m.Name == "Why" {
			continue
		}
		n++
		of, ok := lookups[r.Verb()]
		switch {
		case api.StaysHome(r) != "":
			if ok {
				t.Errorf("%s stays at home, and is in the table", m.Name)
			}
		case !ok || of.request != m.Type.In(1) || of.answer != m.Type.Out(0).Elem():
			t.Errorf("%s: %+v", m.Name, of)
		}
	}
	if n != len(lookups)+1 {
		t.Errorf("%d look-ups of a Service, %d in the table", n, len(lookups))
	}
}
