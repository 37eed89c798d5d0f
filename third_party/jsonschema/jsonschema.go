// Package jsonschema replaces the validator that mcp-go links. It compiles no schema.
//
// The package is replaced because the validator compiles the meta-schemas of five drafts when a
// program starts, which takes 5 ms of processor time in every command. patina does not need it:
// mcp-go validates only on request, and cmd/internal/mcp reads arguments itself, with errors for a
// model to read. If a schema cannot be compiled, mcp-go checks nothing.
package jsonschema

import (
	"encoding/json"
	"errors"
	"io"
)

// ErrUnavailable is returned by every compilation.
var ErrUnavailable = errors.New("this build validates no JSON schema")

// A Schema has the type of a compiled schema, and is never made.
type Schema struct{}

// Validate returns ErrUnavailable.
func (*Schema) Validate(any) error { return ErrUnavailable }

// A ValidationError has the type of a report about a value that does not fit a schema.
type ValidationError struct {
	Causes           []*ValidationError
	InstanceLocation []string
	ErrorKind        any
}

// Error implements error.
func (*ValidationError) Error() string { return ErrUnavailable.Error() }

// A Compiler compiles no schema.
type Compiler struct{}

// NewCompiler returns a Compiler.
func NewCompiler() *Compiler { return &Compiler{} }

// AddResource returns nil.
func (*Compiler) AddResource(string, any) error { return nil }

// Compile returns nil and ErrUnavailable.
func (*Compiler) Compile(string) (*Schema, error) { return nil, ErrUnavailable }

// UnmarshalJSON reads one value. Numbers keep their digits, because they become json.Numbers.
func UnmarshalJSON(r io.Reader) (any, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
