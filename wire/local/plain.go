package local

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

// encode returns the bytes of plain data: values of basic kinds, times, and structs, slices, maps
// and pointers of them. Unlike JSON it keeps bytes that are no UTF-8, which file names may hold,
// and tells an empty slice or map from nil. It panics for data of another kind.
func encode(v any) []byte { return appendValue(nil, reflect.ValueOf(v)) }

var timeType = reflect.TypeFor[time.Time]()

func appendValue(b []byte, v reflect.Value) []byte {
	if v.Type() == timeType {
		at, err := v.Interface().(time.Time).MarshalBinary()
		if err != nil {
			panic(fmt.Sprintf("encode a time: %v", err))
		}
		return append(binary.AppendUvarint(b, uint64(len(at))), at...)
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Float32, reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return append(b, 0)
		}
		b = binary.AppendUvarint(b, uint64(v.Len())+1)
		if v.Kind() == reflect.Map {
			for entries := v.MapRange(); entries.Next(); {
				b = appendValue(appendValue(b, entries.Key()), entries.Value())
			}
			return b
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
		return b
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
		return b
	}
	panic(fmt.Sprintf("encode a %s: it is no plain data", v.Type()))
}

var errCut = errors.New("the data ends too early")

// decode reads bytes of encode into the value that v points to.
func decode(b []byte, v any) error {
	d := decoder{b: b}
	d.decode(reflect.ValueOf(v).Elem())
	if d.err == nil && len(d.b) > 0 {
		d.err = fmt.Errorf("%d bytes too many", len(d.b))
	}
	if d.err != nil {
		return fmt.Errorf("decode %T: %w", v, d.err)
	}
	return nil
}

// A decoder holds the bytes that are not read yet, and the first error.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.b, d.err = nil, err
	}
}

func (d *decoder) uvarint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail(errCut)
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *decoder) varint() int64 {
	x, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail(errCut)
		return 0
	}
	d.b = d.b[n:]
	return x
}

// take returns the next n bytes, or nil if there are fewer.
func (d *decoder) takeBytes(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail(errCut)
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

// count returns the length of a slice or map, or -1 for nil. Each element has at least one byte, so
// a length beyond the data is an error and costs no memory.
func (d *decoder) takeLength() int {
	n := d.uvarint()
	if n > uint64(len(d.b))+1 {
		d.fail(errCut)
		return -1
	}
	return int(n) - 1
}

func (d *decoder) decode(v reflect.Value) {
	if d.err != nil {
		return
	}
	if v.Type() == timeType {
		if err := v.Addr().Interface().(*time.Time).UnmarshalBinary(d.takeBytes(d.uvarint())); err != nil {
			d.fail(err)
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		if b := d.takeBytes(1); b != nil {
			v.SetBool(b[0] != 0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(d.varint())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uvarint())
	case reflect.Float32, reflect.Float64:
		if b := d.takeBytes(8); b != nil {
			v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	case reflect.String:
		v.SetString(string(d.takeBytes(d.uvarint())))
	case reflect.Pointer:
		if b := d.takeBytes(1); b != nil && b[0] != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.decode(v.Elem())
		}
	case reflect.Slice:
		if n := d.takeLength(); n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			d.readElements(v)
		}
	case reflect.Array:
		d.readElements(v)
	case reflect.Map:
		d.readMap(v)
	case reflect.Struct:
		for i := range v.NumField() {
			d.decode(v.Field(i))
		}
	default:
		d.fail(fmt.Errorf("a %s is no plain data", v.Type()))
	}
}

func (d *decoder) readElements(v reflect.Value) {
	for i := 0; i < v.Len() && d.err == nil; i++ {
		d.decode(v.Index(i))
	}
}

func (d *decoder) readMap(v reflect.Value) {
	n := d.takeLength()
	if n < 0 {
		return
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), n))
	for range n {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		d.decode(key)
		d.decode(value)
		if d.err != nil {
			return
		}
		v.SetMapIndex(key, value)
	}
}
