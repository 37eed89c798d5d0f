package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// A FieldError is about one field of an entry in a file that a person wrote.
type FieldError struct {
	Field string // as spelled in the file
	Text  string // the whole message
}

// Error implements error.
func (e *FieldError) Error() string { return e.Text }

// AtLine returns an error with the line of err before it, as "line 3: …". Errors of package json
// are reworded for people who know files, not Go types. b must be the whole file, and began the
// offset in it at which the text that was read begins, because offsets in err count from there. A
// FieldError is at its field, if the entry at began has it. Any other error is at began. err must
// not be nil.
func AtLine(b []byte, began int64, err error) error {
	at := began
	if f, ok := errors.AsType[*FieldError](err); ok {
		at += keyOffset(b[began:], f.Field)
	} else if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		at += s.Offset
		if s.Error() == "unexpected end of JSON input" { // the text of package json
			err = errEnds
		}
	} else if u, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at += u.Offset
		err = mistyped(u)
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = int64(len(b)), errEnds
	}
	return fmt.Errorf("line %d: %w", lineOf(b, at), err)
}

var errEnds = errors.New("the text ends in the middle")

// mistyped describes a value that has the wrong type.
func mistyped(u *json.UnmarshalTypeError) error {
	want := "text"
	switch u.Type.Kind() {
	case reflect.Slice, reflect.Array:
		want = "a list"
	case reflect.Struct, reflect.Map:
		want = "an object"
	case reflect.Bool:
		want = "true or false"
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		want = "a number"
	}
	if u.Field == "" {
		return fmt.Errorf("%s where %s belongs", u.Value, want)
	}
	return fmt.Errorf("field %q: %s where %s belongs", u.Field, u.Value, want)
}

// keyOffset returns the offset of the value of a key in the object at the beginning of b. It
// returns 0 if there is no such key.
func keyOffset(b []byte, name string) int64 {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return 0
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return 0
		}
		if key == name {
			return d.InputOffset()
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return 0
		}
	}
	return 0
}

// lineOf returns the line of the byte at an offset, from 1.
func lineOf(b []byte, at int64) int {
	return 1 + bytes.Count(b[:min(max(0, at), int64(len(b)))], []byte("\n"))
}
