package store

// joined is an error that is also another one.
type joined struct{ kind, cause error }

func (j joined) Error() string   { return j.kind.Error() + ": " + j.cause.Error() }
func (j joined) Unwrap() []error { return []error{j.kind, j.cause} }
