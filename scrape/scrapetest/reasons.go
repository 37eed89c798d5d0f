package scrapetest

import (
	"fmt"
	"testing"
)

const reasonedFile = `package app

// Take locks a row. It must not be copied, because its locks are shared.
func (t *Table) Take() {
	// We must take the lock before the list is read, because another
	// process may change the list.
	lock()
	a()
	b()
	c()
	d()
	e()
	f()
	g()
	h()
	// The order of calls is never changed here, because rows know their number.
	count()
}
`

// Reasoned makes a repository in root whose commits and comments give reasons.
func Reasoned(t *testing.T, root string) {
	t.Helper()
	Git(t, root, "init", "-q")
	commit := func(subject, body string, files map[string]string) {
		Tree(t, root, files)
		Git(t, root, "add", "-A")
		Git(t, root, "commit", "-q", "-m", subject, "-m", body)
	}
	many := map[string]string{"lock.go": reasonedFile}
	for i := range 7 {
		many[fmt.Sprintf("part%d.go", i)] = "package app\n"
	}
	commit("feat: all", "All of it is Go rather than C, because nobody wants to free memory.", many)
	commit("feat: gone", "It lies in a file rather than in memory, because it is large.",
		map[string]string{"gone.txt": "x"})
	commit("fix: take", "Take waits rather than fails, because most locks are short.",
		map[string]string{"lock.go": reasonedFile + "\n"})
}
