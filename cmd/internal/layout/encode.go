package layout

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"patina/internal/printable"
)

// Schema is the version of the JSON in docs/json.md. A new field does not change it. No field
// changes its meaning or disappears without a new number.
const Schema = 2

// Encode writes any value as indented JSON without control sequences for a terminal. Hidden
// characters are escaped, even where JSON allows them. No value changes.
func Encode(w io.Writer, v any) error {
	text, err := EncodeString(v, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// EncodeString returns a value as JSON text without hidden characters.
func EncodeString(v any, indent string) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("write JSON: %w", err)
	}
	return printable.JSON(b.String()), nil
}

// Round rounds to six decimals. Infinity and NaN, which JSON does not have, become 0.
func Round(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return math.Round(f*1e6) / 1e6
}

// Milliseconds returns a duration for JSON, rounded.
func Milliseconds(d time.Duration) float64 { return Round(float64(d) / float64(time.Millisecond)) }

// NonNil returns s, or an empty list if s is nil. JSON would write nil as null.
func NonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Time returns a time in UTC for JSON, or nil if it is zero.
func Time(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// Day returns the day of a time in UTC.
func Day(t time.Time) string { return t.UTC().Format("2006-01-02") }
