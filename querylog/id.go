package querylog

import (
	"crypto/rand"
	"regexp"
	"time"
)

// The parts of a query id: the second it was asked, in UTC, so that the id names the file that
// holds it, and three letters to tell questions of one second apart.
const (
	secondForm = "060102150405"
	dayForm    = "060102"
	letters    = "abcdefghijklmnopqrstuvwxyz"
)

var queryID = regexp.MustCompile(`^q_([0-9]{12})_[a-z]{3}$`)

// NewID makes the id of a question asked at t: q_yymmddhhmmss_abc.
func NewID(t time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return "q_" + t.UTC().Format(secondForm) + "_" + string(b[:])
}

// IsID reports whether s has the form of a query id.
func IsID(s string) bool {
	_, ok := asked(s)
	return ok
}

// asked returns the second that a query id names.
func asked(id string) (time.Time, bool) {
	m := queryID.FindStringSubmatch(id)
	if m == nil {
		return time.Time{}, false
	}
	t, err := time.Parse(secondForm, m[1])
	return t, err == nil
}
