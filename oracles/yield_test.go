package oracles_test

import (
	"testing"

	"patina/code/lookup"
	"patina/oracles"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

var testedFiles = map[string]string{
	"src/db.rs": "/// Opens the file.\npub fn open_file(path: &str) -> bool {\n    path.len() > 0\n}\n\n" +
		"#[cfg(test)]\nmod tests {\n    #[test]\n    fn test_sqlite_database_creation() {\n" +
		"        ask(\"how does moment detection work\");\n        ask(\"nothing else says that\");\n" +
		"    }\n}\n",
	"pool/pool.go": "package pool\n\n// Take takes a connection.\nfunc Take() {}\n",
	"pool/pool_test.go": "package pool\n\nimport \"testing\"\n\nfunc TestTakePool(t *testing.T) { sqlite() }\n\n" +
		"func sqlite() {}\n",
}

// The full name of a test names it. A plain word does not, unless it is in backticks.
func TestNamesOfTests(t *testing.T) {
	r := pinned(t, testedFiles)
	for question, want := range map[string]string{
		"TestTakePool":                             "pool/pool_test.go::TestTakePool",
		"test_sqlite_database_creation":            "src/db.rs::test_sqlite_database_creation",
		"what does `TestTakePool` do":              "pool/pool_test.go::TestTakePool",
		"where is test_sqlite_database_creation()": "src/db.rs::test_sqlite_database_creation",
		"sqlite":       "",
		"why sqlite":   "",
		"why `sqlite`": "pool/pool_test.go::sqlite",
		"Take":         "pool/pool.go::Take",
	} {
		found, err := lookup.Exact(t.Context(), r, text.ParseQuestion(question))
		storetest.Check(t, err)
		got := ""
		if len(found) > 0 {
			got = found[0].DocID
		}
		if got != want || len(found) > 1 {
			t.Errorf("%q names %+v, want %q", question, found, want)
		}
	}
}

// A plain question that only a test holds is no literal, unless it asks for tests.
func TestLiteralsInTests(t *testing.T) {
	r := pinned(t, testedFiles)
	for question, want := range map[string]string{
		"how does moment detection work":   "",
		`"how does moment detection work"`: "src/db.rs",
		"nothing else says that":           "src/db.rs",
	} {
		c, err := oracles.Literals(t.Context(), r, text.ParseQuestion(question), doc.Filter{})
		storetest.Check(t, err)
		got := ""
		if len(c.Found) > 0 {
			got = c.Found[0].DocID
		}
		if got != want {
			t.Errorf("%q: %+v, want %q", question, c.Found, want)
		}
	}
}
