package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"patina/code/lookup"
	"patina/store"
	"patina/store/folder"
)

// The errors of an engine that callers decide by.
var (
	// ErrClosed is the error after Close.
	ErrClosed = errors.New("engine is closed")
	// ErrNoProject means that an engine does not answer for a project that a request names.
	ErrNoProject = errors.New("no project")
	// ErrNotOpen is the error of waiting for an index that was not open in time.
	ErrNotOpen = errors.New("the index was not open in time")
)

// A Failure is the error of a look-up. It is plain data, and still unwraps to the errors callers
// decide by. errors.Is finds ErrNoDocument and the like in it, wherever it comes from.
type Failure struct {
	Project string
	Read    string // the request
	Status  Status
	Detail  string
	Causes  []string // names of known errors
}

// Error implements error.
func (f *Failure) Error() string { return fmt.Sprintf("%s of %q: %s", f.Read, f.Project, f.Detail) }

// Unwrap returns the known errors behind the failure.
func (f *Failure) Unwrap() []error {
	var errs []error
	for _, name := range f.Causes {
		if err, ok := knownErrors[name]; ok {
			errs = append(errs, err)
		}
	}
	return errs
}

// CausesOf returns the names of the known errors behind an error, for a Failure. nil has none.
func CausesOf(err error) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(knownErrors)) {
		if errors.Is(err, knownErrors[name]) {
			names = append(names, name)
		}
	}
	return names
}

// knownErrors are the errors callers decide by, under their names in a message.
var knownErrors = map[string]error{
	"no project":  ErrNoProject,
	"no document": lookup.ErrNoDocument,
	"no index":    store.ErrNoIndex,
	"newer":       store.ErrNewer,
	"older":       store.ErrOlder,
	"damaged":     store.ErrDamaged,
	"foreign":     store.ErrForeign,
	"unsafe":      folder.ErrUnsafe,
	"not a store": folder.ErrNotStore,
	"not open":    ErrNotOpen,
	"deadline":    context.DeadlineExceeded,
	"cancelled":   context.Canceled,
	"closed":      ErrClosed,
}
