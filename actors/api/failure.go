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

// These are the errors of an engine by which callers decide.
var (
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("engine is closed")
	// ErrNoProject is returned if an engine does not have a project that a request names.
	ErrNoProject = errors.New("no project")
	// ErrOwn means that a project on other machines is one that an engine has at home.
	ErrOwn = errors.New("it is a project of this machine")
	// ErrNotOpen is returned if an index was not open before the deadline.
	ErrNotOpen = errors.New("the index was not open in time")
)

// A Failure is the error of a look-up. It is plain data. errors.Is finds lookup.ErrNoDocument and
// the like in it, even after it was sent from another machine.
type Failure struct {
	Project string
	Read    string // verb of the request
	Status  Status
	Detail  string
	Causes  []string // names in knownErrors
}

// Error implements error. A failure that is of no project is said by its detail alone.
func (f *Failure) Error() string {
	if f.Project == "" {
		return f.Detail
	}
	return fmt.Sprintf("%s of %q: %s", f.Read, f.Project, f.Detail)
}

// Unwrap returns the known errors in Causes. It ignores other names.
func (f *Failure) Unwrap() []error {
	var errs []error
	for _, name := range f.Causes {
		if err, ok := knownErrors[name]; ok {
			errs = append(errs, err)
		}
	}
	return errs
}

// CausesOf returns the names of the known errors in err, for a Failure. It returns nil if err is
// nil.
func CausesOf(err error) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(knownErrors)) {
		if errors.Is(err, knownErrors[name]) {
			names = append(names, name)
		}
	}
	return names
}

// knownErrors maps names in a message to the errors by which callers decide.
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
