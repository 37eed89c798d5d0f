package local

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"
	"testing/quick"
	"time"

	"patina/actors/api"
)

// fill gives every field below v a value that no other has.
func fill(v reflect.Value, at string, n *int) {
	*n++
	if x, ok := v.Addr().Interface().(*time.Time); ok {
		*x = time.Unix(int64(*n), 7).In(time.FixedZone("", 60**n%80000))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 3)
	case reflect.String:
		v.SetString(fmt.Sprint(at, *n, "\xff"))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), at, n)
		}
	case reflect.Array:
		for i := range v.Len() {
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
			if f := v.Type().Field(i); !f.IsExported() {
				panic(fmt.Sprintf("%s.%s would not cross", at, f.Name))
			}
			fill(v.Field(i), at+"."+v.Type().Field(i).Name, n)
		}
	default:
		panic(fmt.Sprintf("%s is a %s", at, v.Type()))
	}
}

// crosses checks that a value comes out as it went in: as the zero value, with empty lists, and
// with every field filled.
func crosses(t *testing.T, of reflect.Type) {
	t.Helper()
	full, n := reflect.New(of), 0
	fill(full.Elem(), of.Name(), &n)
	for _, v := range []reflect.Value{full, reflect.New(of)} {
		back := reflect.New(of)
		if err := decode(encode(v.Elem().Interface()), back.Interface()); err != nil {
			t.Errorf("%s: %v", of, err)
		}
		if !reflect.DeepEqual(v.Interface(), back.Interface()) && !sameTimes(v, back) {
			t.Errorf("%s:\n%+v\n%+v", of, v.Elem(), back.Elem())
		}
	}
}

// sameTimes reports whether two values are printed alike: the zones of two equal times are other
// pointers.
func sameTimes(a, b reflect.Value) bool {
	return fmt.Sprintf("%#v", withoutZones(a)) == fmt.Sprintf("%#v", withoutZones(b))
}

// withoutZones returns a value as data in which a time is a text, with its zone.
func withoutZones(v reflect.Value) any {
	if at, ok := v.Interface().(time.Time); ok {
		return at.Format(time.RFC3339Nano)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return []any{withoutZones(v.Elem())}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return nil
		}
		out := []any{}
		for i := range v.Len() {
			out = append(out, withoutZones(v.Index(i)))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		out := map[string]any{}
		for _, k := range v.MapKeys() {
			out[fmt.Sprintf("%#v", withoutZones(k))] = withoutZones(v.MapIndex(k))
		}
		return out
	case reflect.Struct:
		out := []any{}
		for i := range v.NumField() {
			out = append(out, v.Type().Field(i).Name, withoutZones(v.Field(i)))
		}
		return out
	}
	return v.Interface()
}

// Every field of every request, of every answer and of a failure comes out as it went in. Every
// method of a Service is called at the server, except Verify.
func TestEveryFieldCrosses(t *testing.T) {
	crosses(t, reflect.TypeFor[api.Failure]())
	service := reflect.TypeFor[api.Service]()
	for i := range service.NumMethod() {
		m := service.Method(i)
		if m.Name == "Verify" {
			if handlers[m.Name] != nil {
				t.Error("Verify is called at the server")
			}
			continue
		}
		if handlers[m.Name] == nil {
			t.Errorf("no handler of %s", m.Name)
		}
		crosses(t, m.Type.In(1))
		crosses(t, m.Type.Out(0).Elem())
	}
	if want := service.NumMethod() - 1; len(handlers) != want {
		t.Errorf("%d handlers, want %d", len(handlers), want)
	}
}

// Each handler must be of the method of its name, and refuse a request that is cut.
func TestMethodsHaveTheirNames(t *testing.T) {
	lentType := reflect.TypeFor[*lent]()
	for name, h := range handlers {
		m, ok := lentType.MethodByName(name)
		if !ok {
			t.Errorf("no method %s", name)
			continue
		}
		call, _ := reflect.TypeOf(h).FieldByName("call")
		if call.Type.In(2) != m.Type.In(2) || call.Type.Out(0) != m.Type.Out(0) {
			t.Errorf("%s: %s and %s", name, call.Type, m.Type)
		}
	}
	if _, err := handlers["Scry"].handle(context.Background(), nil, []byte{1}); err == nil {
		t.Error("a cut request is answered")
	}
}

// Numbers and texts of every kind cross, also those that JSON changes.
func TestPlainData(t *testing.T) {
	type data struct {
		I   int64
		U   uint32
		F   float64
		S   string
		B   []byte
		M   map[string][]int
		P   *string
		E   []string
		Sub []struct{ X, Y *float64 }
	}
	same := func(v data) bool {
		var back data
		return decode(encode(v), &back) == nil && reflect.DeepEqual(v, back)
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
	if !same(data{F: math.Inf(-1), S: "\xff\x00", E: []string{}, M: map[string][]int{}}) {
		t.Error("a special value does not cross")
	}
}

// Data that is cut or changed must return an error or another value, and never panic or take memory
// without bound.
func FuzzDecode(f *testing.F) {
	v, n := reflect.New(reflect.TypeFor[api.Answer]()), 0
	fill(v.Elem(), "Answer", &n)
	whole := encode(v.Elem().Interface())
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		var a api.Answer
		if err := decode(b, &a); err == nil {
			var again api.Answer
			if err := decode(encode(a), &again); err != nil {
				t.Errorf("what was decoded is not decoded again: %v", err)
			}
		}
	})
}
