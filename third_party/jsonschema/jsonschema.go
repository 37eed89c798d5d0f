// Package jsonschema stands in for the validator that mcp-go links, and refuses to compile any
// schema.
//
// The validator compiles the meta-schemas of five drafts when a program starts: 5 ms of processor
// time, for every command. Nobody asks it here: mcp-go validates only on request, and
// cmd/internal/mcp reads arguments itself, with errors for a model to read. If a schema cannot be
// compiled, mcp-go checks nothing.
package jsonschema

import (
	"encoding/json"
	"errors"
	"io"
)

// ErrUnavailable is the error of every compilation.
var ErrUnavailable = errors.New("this build validates no JSON schema")

// A Schema would be a compiled schema. There is none.
type Schema struct{}

// Validate reports that nothing was validated.
func (*Schema) Validate(any) error { return ErrUnavailable }

// A ValidationError would say what does not fit a schema.
type ValidationError struct {
	Causes           []*ValidationError
	InstanceLocation []string
	ErrorKind        any
}

// Error implements error.
func (*ValidationError) Error() string { return ErrUnavailable.Error() }

// A Compiler compiles no schema.
type Compiler struct{}

// NewCompiler returns one.
func NewCompiler() *Compiler { return &Compiler{} }

// AddResource implements the interface of the validator.
func (*Compiler) AddResource(string, any) error { return nil }

// Compile fails.
func (*Compiler) Compile(string) (*Schema, error) { return nil, ErrUnavailable }

// UnmarshalJSON reads one value. Numbers keep their digits.
func UnmarshalJSON(r io.Reader) (any, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
