package sqlite

// #include "session.h"
import "C"

import (
	"bytes"
	"cmp"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unsafe"
)

// Scan copies the values of the current row to the pointers in to, by the rules of database/sql.
// There must be one pointer for each column. The error wraps ErrDamaged if a value does not fit. A
// sql.RawBytes is valid until the next step.
func (r *Rows) Scan(to ...any) error {
	if r.lapse(); r.of == nil {
		return cmp.Or(r.err, errors.New("scan: there is no row"))
	}
	values := unsafe.Slice(r.of.c.values, int(r.of.c.columns))
	if len(to) != len(values) {
		return fmt.Errorf("scan: %d values into %d places", len(values), len(to))
	}
	for i := range to {
		if err := (*value)(&values[i]).scanInto(to[i]); err != nil {
			return damage{fmt.Errorf("column %d of %q: %w", i+1, r.of.query, err)}
		}
	}
	return nil
}

// A value is one value of the current row. Its bytes are in SQLite's memory.
type value C.patina_value

// bytesOf returns the bytes of a text or blob. They are valid until the next step.
func (v *value) bytesOf() []byte { return unsafe.Slice((*byte)(v.bytes), int(v.length)) }

func (v *value) hasBytes() bool { return v._type == C.PATINA_TEXT || v._type == C.PATINA_BLOB }

// scanInto copies the value to the variable that to points to. The first cases cover nearly all
// calls.
func (v *value) scanInto(to any) error {
	switch to := to.(type) {
	case *int64:
		if v._type == C.PATINA_INTEGER {
			*to = int64(v.integer)
			return nil
		}
	case *int:
		if v._type == C.PATINA_INTEGER {
			*to = int(v.integer)
			return nil
		}
	case *string:
		if v.hasBytes() {
			*to = string(v.bytesOf())
			return nil
		}
	case *sql.RawBytes:
		if v.hasBytes() {
			*to = v.bytesOf()
			return nil
		}
	case *[]byte:
		if v.hasBytes() {
			*to = append([]byte{}, v.bytesOf()...)
			return nil
		}
	case *float64:
		if v._type == C.PATINA_REAL {
			*to = float64(v.real)
			return nil
		}
	case sql.Scanner:
		return to.Scan(v.owned())
	}
	return v.convert(reflect.ValueOf(to))
}

// owned returns a copy of the value with the type that drivers use. It returns nil for NULL.
func (v *value) owned() driver.Value {
	switch v._type {
	case C.PATINA_INTEGER:
		return int64(v.integer)
	case C.PATINA_REAL:
		return float64(v.real)
	case C.PATINA_TEXT:
		return string(v.bytesOf())
	case C.PATINA_BLOB:
		return bytes.Clone(v.bytesOf())
	}
	return nil
}

// asText returns the value as text, and false for NULL.
func (v *value) asText() (string, bool) {
	switch v._type {
	case C.PATINA_INTEGER:
		return strconv.FormatInt(int64(v.integer), 10), true
	case C.PATINA_REAL:
		return strconv.FormatFloat(float64(v.real), 'g', -1, 64), true
	case C.PATINA_TEXT, C.PATINA_BLOB:
		return string(v.bytesOf()), true
	}
	return "", false
}

// convert sets a variable of a type that scanInto does not handle, or converts a value of another
// type. to must be a pointer that is not nil.
func (v *value) convert(to reflect.Value) error {
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return fmt.Errorf("a %s is no place for a value", to.Type())
	}
	to = to.Elem()
	if v._type == C.PATINA_INTEGER && to.CanInt() && !to.OverflowInt(int64(v.integer)) {
		to.SetInt(int64(v.integer))
		return nil
	}
	text, ok := v.asText()
	if isBytes := to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.Uint8; isBytes {
		to.SetBytes(nil)
		if ok {
			to.SetBytes([]byte(text))
		}
		return nil
	}
	if !ok {
		return fmt.Errorf("NULL is no %s", to.Type())
	}
	var err error
	switch to.Kind() {
	case reflect.String:
		to.SetString(text)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var n int64
		if n, err = strconv.ParseInt(text, 10, to.Type().Bits()); err == nil {
			to.SetInt(n)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var n uint64
		if n, err = strconv.ParseUint(text, 10, to.Type().Bits()); err == nil {
			to.SetUint(n)
		}
	case reflect.Float32, reflect.Float64:
		var x float64
		if x, err = strconv.ParseFloat(text, to.Type().Bits()); err == nil {
			to.SetFloat(x)
		}
	case reflect.Bool:
		var b any
		if b, err = driver.Bool.ConvertValue(v.owned()); err == nil {
			to.SetBool(b.(bool))
		}
	default:
		err = fmt.Errorf("a %s is no place for a value", to.Type())
	}
	return err
}
