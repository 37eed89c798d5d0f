package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// initTrace matches the line that GODEBUG=inittrace=1 prints for a package with an initialiser.
var initTrace = regexp.MustCompile(`^init (\S+) @.*, (\d+) bytes, (\d+) allocs$`)

// tablesAtStart are the packages that may allocate more than maxTables at the start of a command,
// with the reason. All others must make their tables, sets and expressions when they are asked
// (internal/lazyregexp, text.Set, sync.OnceValue).
var tablesAtStart = map[string]string{
	"patina/wire/nodepb": "the generated code registers its messages",
}

const (
	maxTables    = 32 << 10  // bytes that one package of ours may allocate
	maxAllTables = 320 << 10 // bytes of all packages of ours
)

// Every start of a command runs the initialisers of all linked packages. Ours make no tables there:
// 1.28 MB were allocated before, and each command paid for them. Bytes are counted, not time.
func TestStartMakesNoTables(t *testing.T) {
	c := exec.Command("patina", "version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	c.Stderr = &trace
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	all, packages := 0, 0
	for lines := bufio.NewScanner(&trace); lines.Scan(); {
		m := initTrace.FindStringSubmatch(lines.Text())
		if m == nil || !strings.HasPrefix(m[1], "patina/") || m[1] == "patina/cmd/patina" {
			continue // the command's own package holds the tests here
		}
		size, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		packages++
		all += size
		if size > maxTables && tablesAtStart[m[1]] == "" {
			t.Errorf("%s allocates %d bytes (%s times) at every start, want at most %d", m[1], size, m[3], maxTables)
		}
	}
	t.Logf("%d packages allocate %d bytes", packages, all)
	if packages < 10 || all > maxAllTables {
		t.Errorf("%d packages allocate %d bytes at every start, want at most %d", packages, all, maxAllTables)
	}
}
