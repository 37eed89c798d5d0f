package actors

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"
	"time"
)

// crossing are the messages between a front-end and an engine, and between an engine and a project
// that is somewhere else.
var crossing = []any{Request{}, Answer{}, Ask{}, Lists{}, Describe{}, Descriptions{}}

// Messages are plain data: no pointer, function, channel or interface in them, and nothing that an
// encoder would leave out.
func TestMessagesArePlain(t *testing.T) {
	for _, m := range crossing {
		plainType(t, reflect.TypeOf(m), reflect.TypeOf(m).Name())
	}
}

func plainType(t *testing.T, of reflect.Type, path string) {
	t.Helper()
	switch of.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Uintptr:
		t.Errorf("%s is a %s", path, of)
	case reflect.Slice, reflect.Array:
		plainType(t, of.Elem(), path+"[]")
	case reflect.Map:
		plainType(t, of.Key(), path+" key")
		plainType(t, of.Elem(), path+"[]")
	case reflect.Struct:
		if of == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range of.NumField() {
			f := of.Field(i)
			switch {
			case f.Type == reflect.TypeFor[expected]():
			case !f.IsExported():
				t.Errorf("%s.%s is not exported", path, f.Name)
			default:
				plainType(t, f.Type, path+"."+f.Name)
			}
		}
	}
}

// Messages come out of an encoder as they went in.
func TestMessagesSurviveEncoding(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, m := range crossing {
		for range 100 {
			sent := filled(t, reflect.TypeOf(m), r)
			var b bytes.Buffer
			got := reflect.New(reflect.TypeOf(m))
			if err := gob.NewEncoder(&b).EncodeValue(sent); err != nil {
				t.Fatal(err)
			}
			if err := gob.NewDecoder(&b).DecodeValue(got); err != nil || !reflect.DeepEqual(got.Elem().Interface(), sent.Interface()) {
				t.Fatalf("gob: %v\nsent %+v\ngot  %+v", err, sent, got.Elem())
			}
			text, err := json.Marshal(sent.Interface())
			if err != nil {
				t.Fatal(err)
			}
			got = reflect.New(reflect.TypeOf(m))
			if err := json.Unmarshal(text, got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), sent.Interface()) {
				t.Fatalf("json: %v\nsent %+v\ngot  %+v", err, sent, got.Elem())
			}
		}
	}
}

// filled makes a value of a plain type. Slices and maps have something in them, for encoders make
// nil of an empty one; times are of this second, and texts are UTF-8, as JSON has no others.
func filled(t *testing.T, of reflect.Type, r *rand.Rand) reflect.Value {
	t.Helper()
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Struct:
		if of == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(r.Int63n(1<<31), 0).UTC()))
			return v
		}
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				v.Field(i).Set(filled(t, of.Field(i).Type, r))
			}
		}
	case reflect.Slice:
		for range 1 + r.Intn(3) {
			v = reflect.Append(v, filled(t, of.Elem(), r))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		for range 1 + r.Intn(3) {
			v.SetMapIndex(filled(t, of.Key(), r), filled(t, of.Elem(), r))
		}
	default:
		x, ok := quick.Value(of, r)
		if !ok {
			t.Fatalf("no value of %s", of)
		}
		if of.Kind() == reflect.String {
			x = reflect.ValueOf(string([]rune(x.String()))).Convert(of)
		}
		v.Set(x)
	}
	return v
}
