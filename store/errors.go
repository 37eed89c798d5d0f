package store

// joined is an error with a kind for errors.Is and a cause for the reader.
type joined struct{ kind, cause error }

func (j joined) Error() string   { return j.kind.Error() + ": " + j.cause.Error() }
func (j joined) Unwrap() []error { return []error{j.kind, j.cause} }
