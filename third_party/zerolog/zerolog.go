// Package zerolog stands in for the logger that gitleaks links, and logs nothing.
//
// Of gitleaks only the text of its rules is used (internal/secrets/rules.go), and no function that
// logs.
package zerolog

import "io"

// A Level would say what is logged.
type Level int8

// InfoLevel is the level that gitleaks sets.
const InfoLevel Level = 1

// A ConsoleWriter writes nothing.
type ConsoleWriter struct{ Out io.Writer }

// Write implements io.Writer.
func (ConsoleWriter) Write(b []byte) (int, error) { return len(b), nil }

// A Logger logs nothing.
type Logger struct{}

// New returns one.
func New(io.Writer) Logger { return Logger{} }

// Level returns the logger.
func (l Logger) Level(Level) Logger { return l }

// With returns no context.
func (Logger) With() Context { return Context{} }

// A Context has no fields.
type Context struct{}

// Timestamp returns the context.
func (c Context) Timestamp() Context { return c }

// Logger returns a logger.
func (Context) Logger() Logger { return Logger{} }

// An Event is never logged.
type Event struct{}

func (Logger) Trace() *Event    { return nil }
func (Logger) Debug() *Event    { return nil }
func (Logger) Info() *Event     { return nil }
func (Logger) Warn() *Event     { return nil }
func (Logger) Error() *Event    { return nil }
func (Logger) Fatal() *Event    { return nil }
func (Logger) Panic() *Event    { return nil }
func (Logger) Err(error) *Event { return nil }

// Str returns the event.
func (e *Event) Str(string, string) *Event { return e }

// Msg does nothing.
func (*Event) Msg(string) {}

// Msgf does nothing.
func (*Event) Msgf(string, ...any) {}
