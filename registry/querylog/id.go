package querylog

import (
	"crypto/rand"
	"strings"
	"time"

	"patina/internal/lazyregexp"
)

// A query id has two parts. The first is the second of the question, in UTC, so that the id
// determines its file. The second part is three letters, which tell questions of one second apart.
const (
	secondForm = "060102150405"
	dayForm    = "060102"
	letters    = "abcdefghijklmnopqrstuvwxyz"
)

var queryID = lazyregexp.New(`^q_([0-9]{12})_[a-z]{3}$`)

// NewID returns an id for a question asked at t: q_yymmddhhmmss_abc.
func NewID(t time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return "q_" + t.UTC().Format(secondForm) + "_" + string(b[:])
}

// NewSession returns the beginning of a session's id, for a server started at t.
func NewSession(t time.Time) string { return "s" + strings.TrimPrefix(NewID(t), "q") + "_" }

// IsID reports whether s has the form of a query id.
func IsID(s string) bool {
	_, ok := timeOfID(s)
	return ok
}

// timeOfID returns the time in a query id. It reports false if id is not a query id.
func timeOfID(id string) (time.Time, bool) {
	m := queryID().FindStringSubmatch(id)
	if m == nil {
		return time.Time{}, false
	}
	t, err := time.Parse(secondForm, m[1])
	return t, err == nil
}
