package actors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"patina/code/lookup"
	"patina/store"
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

// causesOf returns the names of the known errors behind an error.
func causesOf(err error) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(knownErrors)) {
		if errors.Is(err, knownErrors[name]) {
			names = append(names, name)
		}
	}
	return names
}

// knownErrors are the errors callers decide by, under their names in a message.
var knownErrors = map[string]error{
	"no document": lookup.ErrNoDocument,
	"no index":    store.ErrNoIndex,
	"newer":       store.ErrNewer,
	"older":       store.ErrOlder,
	"damaged":     store.ErrDamaged,
	"foreign":     store.ErrForeign,
	"unsafe":      store.ErrUnsafe,
	"not a store": store.ErrNotStore,
	"not open":    errSlow,
	"deadline":    context.DeadlineExceeded,
	"cancelled":   context.Canceled,
	"closed":      ErrClosed,
}
