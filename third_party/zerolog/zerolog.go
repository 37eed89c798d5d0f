// Package zerolog replaces the logger that gitleaks links. It logs nothing.
//
// patina needs only the text of gitleaks' rules (internal/secrets/rules.go), and calls no function
// that logs.
package zerolog

import "io"

// A Level is the least level that a Logger logs. It has no effect here.
type Level int8

// InfoLevel is the level that gitleaks sets.
const InfoLevel Level = 1

// A ConsoleWriter writes nothing.
type ConsoleWriter struct{ Out io.Writer }

// Write implements io.Writer.
func (ConsoleWriter) Write(b []byte) (int, error) { return len(b), nil }

// A Logger logs nothing.
type Logger struct{}

// New returns a Logger.
func New(io.Writer) Logger { return Logger{} }

// Level returns the logger.
func (l Logger) Level(Level) Logger { return l }

// With returns an empty Context.
func (Logger) With() Context { return Context{} }

// A Context has no fields.
type Context struct{}

// Timestamp returns the context.
func (c Context) Timestamp() Context { return c }

// Logger returns a Logger.
func (Context) Logger() Logger { return Logger{} }

// An Event is never logged. Its methods may be called on nil.
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
