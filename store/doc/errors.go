package doc

import "errors"

// ErrDamaged says that stored bytes are not as written: only a rebuild helps.
var ErrDamaged = errors.New("index is damaged")

// DamagedBy returns an error that wraps ErrDamaged and its cause.
func DamagedBy(cause error) error { return damage{cause} }

type damage struct{ cause error }

func (d damage) Error() string   { return ErrDamaged.Error() + ": " + d.cause.Error() }
func (d damage) Unwrap() []error { return []error{ErrDamaged, d.cause} }
