package verify

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"patina/store/sqlite"
)

// operators lists the comparisons. A longer one must come before its prefixes.
var operators = []string{">=", "<=", "!=", "<>", "==", "=", ">", "<"}

// errExpect names the forms of an expectation.
var errExpect = errors.New(`not an expectation; write one like "= 0", ">= 10", "!= done", "contains x", "empty" or "non-empty"`)

// compareExpected reports whether an answer is as expected, and returns the compared value: the
// first value of the first row. "empty" and "non-empty" are about rows, "contains" about every
// value. The error is errExpect if expect is invalid.
func compareExpected(expect string, t sqlite.Table) (got string, ok bool, err error) {
	expect = strings.TrimSpace(expect)
	if len(t.Rows) > 0 && len(t.Rows[0]) > 0 {
		got = formatValue(t.Rows[0][0])
	}
	switch word, rest, _ := strings.Cut(expect, " "); strings.ToLower(word) {
	case "empty":
		return got, len(t.Rows) == 0, nil
	case "non-empty", "nonempty":
		return got, len(t.Rows) > 0, nil
	case "contains":
		wanted := unquote(rest)
		if wanted == "" {
			return got, false, fmt.Errorf("%q: %w", expect, errExpect)
		}
		return got, cellsHold(t, wanted), nil
	}
	for _, operator := range operators {
		if rest, found := strings.CutPrefix(expect, operator); found {
			if len(t.Rows) == 0 {
				return "", false, errors.New("the query gives no row")
			}
			ok, err = compareValue(operator, t.Rows[0][0], unquote(rest))
			return got, ok, err
		}
	}
	return got, false, fmt.Errorf("%q: %w", expect, errExpect)
}

func cellsHold(t sqlite.Table, wanted string) bool {
	for _, row := range t.Rows {
		for _, v := range row {
			if strings.Contains(formatValue(v), wanted) {
				return true
			}
		}
	}
	return false
}

// compareValue compares a value with a text: as numbers if both are numbers, otherwise as texts.
func compareValue(operator string, value any, wanted string) (bool, error) {
	number, isNumber := numberOf(value)
	limit, err := strconv.ParseFloat(wanted, 64)
	numbers := isNumber && err == nil && !math.IsNaN(limit)
	order := strings.Compare(formatValue(value), wanted)
	if numbers {
		order = 0
		if number < limit {
			order = -1
		} else if number > limit {
			order = 1
		}
	}
	switch {
	case operator == "=", operator == "==":
		return order == 0, nil
	case operator == "!=", operator == "<>":
		return order != 0, nil
	case !numbers:
		return false, fmt.Errorf("%q and %q cannot be compared by %s: they are not both numbers", formatValue(value),
			wanted, operator)
	}
	return strings.HasPrefix(operator, ">") && order > 0 || strings.HasPrefix(operator, "<") && order < 0 ||
		strings.HasSuffix(operator, "=") && order == 0, nil
}

func numberOf(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return f, err == nil && !math.IsNaN(f)
	}
	return 0, false
}

// formatValue returns a value as text for people.
func formatValue(value any) string {
	switch v := value.(type) {
	case nil:
		return "NULL"
	case []byte:
		return string(v)
	case float64:
		return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// unquote removes white space around a text, and then one pair of quotes.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n >= 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}
