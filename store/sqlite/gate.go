package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// recursive is SQLITE_RECURSIVE, which the driver does not define.
const recursive = 33

// A gate decides which steps of a statement a sandbox permits, while SQLite prepares the statement.
type gate struct {
	tables  []string
	modules []string // tables that SQLite creates when a statement names them
	read    []string // tables that the statement reads
	refused string   // the first thing refused
}

// harmless lists the functions that a query may call. They must reach no file and no setting, and
// their time must grow only with the length of their text. Functions that make long values from
// short ones are absent because of that.
var harmless = []string{
	"abs", "avg", "coalesce", "count", "date", "datetime", "glob", "group_concat", "ifnull", "iif", "instr",
	"json_array_length", "json_extract", "json_type", "json_valid", "julianday", "length", "like", "lower",
	"ltrim", "max", "min", "nullif", "replace", "round", "rtrim", "sign", "strftime", "string_agg", "substr",
	"substring", "sum", "time", "total", "trim", "typeof", "unixepoch", "upper",
	"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead",
	"first_value", "last_value", "nth_value",
	"->", "->>",
}

// authorize is SQLite's authorizer: it decides on each step of a statement. A query may select,
// read the sandbox's tables, recurse, and call harmless functions.
func (g *gate) authorize(action int, first, second, _ string) int {
	switch {
	case action == sqlite3.SQLITE_SELECT, action == recursive:
		return sqlite3.SQLITE_OK
	case action == sqlite3.SQLITE_READ && slices.Contains(g.tables, first):
		if !slices.Contains(g.read, first) {
			g.read = append(g.read, first)
		}
		return sqlite3.SQLITE_OK
	case action == sqlite3.SQLITE_READ && (first == "json_each" || first == "json_tree"):
		return sqlite3.SQLITE_OK
	case action == sqlite3.SQLITE_READ && second == "" && !g.builtIn(first):
		return sqlite3.SQLITE_OK // only the number of rows is read, as in a WITH of this name
	case action == sqlite3.SQLITE_FUNCTION && slices.Contains(harmless, strings.ToLower(second)):
		return sqlite3.SQLITE_OK
	}
	if g.refused == "" {
		g.refused = refusalOf(action, first, second)
	}
	return sqlite3.SQLITE_DENY
}

// builtIn reports whether SQLite provides a table of this name in every database.
func (g *gate) builtIn(table string) bool {
	table = strings.ToLower(table)
	return strings.HasPrefix(table, "sqlite_") || strings.HasPrefix(table, "pragma_") ||
		slices.Contains(g.modules, table)
}

func refusalOf(action int, first, second string) string {
	switch action {
	case sqlite3.SQLITE_READ:
		return fmt.Sprintf("reading the table %q", first)
	case sqlite3.SQLITE_FUNCTION:
		return fmt.Sprintf("calling %s()", second)
	case sqlite3.SQLITE_PRAGMA:
		return fmt.Sprintf("the setting %q", first)
	case sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH:
		return "attaching a database"
	case sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT:
		return "a transaction"
	}
	return "anything but SELECT"
}

// isSelect reports whether a statement begins with a keyword for reading. The gate must check this,
// because SQLite does not call the authorizer for VACUUM and REINDEX.
func isSelect(statement string) bool {
	word := statement
	if i := strings.IndexFunc(statement, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		word = statement[:i]
	}
	switch strings.ToUpper(word) {
	case "SELECT", "WITH", "VALUES":
		return true
	}
	return false
}

// cutStatement cuts a text after its first statement. The statement is empty if only comments come
// before the semicolon, which belongs to neither result.
func cutStatement(query string) (statement, rest string) {
	begin := -1
	for i := 0; i < len(query); {
		n := tokenAt(query[i:])
		switch {
		case n == 1 && query[i] == ';':
			if begin < 0 {
				return "", query[i+1:]
			}
			return query[begin:i], query[i+1:]
		case begin < 0 && !beginsBlank(query[i:]):
			begin = i
		}
		i += n
	}
	if begin < 0 {
		return "", ""
	}
	return query[begin:], ""
}

// beginsBlank reports whether a text begins with white space or a comment. The text must not be
// empty.
func beginsBlank(s string) bool {
	return strings.HasPrefix(s, "--") || strings.HasPrefix(s, "/*") || strings.ContainsRune(" \t\n\f\r", rune(s[0]))
}

// tokenAt returns the length of the comment, string or quoted name at the beginning of a text,
// otherwise 1. A token without an end extends to the end of the text. The text must not be empty.
func tokenAt(s string) int {
	end := ""
	switch {
	case strings.HasPrefix(s, "--"):
		end = "\n"
	case strings.HasPrefix(s, "/*"):
		if i := strings.Index(s[2:], "*/"); i >= 0 {
			return i + 4
		}
		return len(s)
	case s[0] == '\'', s[0] == '"', s[0] == '`': // a doubled quote begins another token at once
		end = s[:1]
	case s[0] == '[':
		end = "]"
	default:
		return 1
	}
	if i := strings.Index(s[1:], end); i >= 0 {
		return i + 2
	}
	return len(s)
}
