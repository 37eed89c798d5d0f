package main

import (
	"slices"
	"strings"
	"testing"
)

func TestTasksAreThirtyInThreeRepositories(t *testing.T) {
	sets, err := parse(tasks)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range sets {
		n += len(s.Tasks)
		for _, x := range s.Tasks {
			// A task must not name its file, because then there is nothing to look for.
			for _, f := range x.Files {
				if base := strings.ToLower(f[strings.LastIndexByte(f, '/')+
					1:]); strings.Contains(strings.ToLower(x.Text), base) {
					t.Errorf("%q names %s", x.Text, f)
				}
			}
		}
	}
	if len(sets) != 3 || n != 30 {
		t.Errorf("%d tasks in %d repositories", n, len(sets))
	}
	for _, bad := range []string{`{`, `[{"repo": "a/b", "tasks": [{"task": "where"}]}]`} {
		if _, err := parse([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func TestKeywordsAreWhatAProgrammerSearchesFor(t *testing.T) {
	got := keywords("Where are the conflicting ports found? Port mappings, ports and retries that should be rejected")
	if want := []string{"conflict", "port", "mapp", "retr", "reject"}; !slices.Equal(got, want) {
		t.Errorf("keywords %q, want %q", got, want)
	}
}

func TestFilesWithMoreKeywordsAreReadFirst(t *testing.T) {
	found := map[string]*hits{}
	collect(found, "lock", "a.go:3:lock\na.go:9:lock\nb.go:7:lock\nb_test.go:1:lock\nREADME.md:1:lock\n")
	collect(found, "expire", "b.go:2:expire\nb_test.go:2:expire\n")
	if got, want := best(found), []string{"b.go", "a.go", "b_test.go", "README.md"}; !slices.Equal(got, want) {
		t.Errorf("read in the order %q, want %q", got, want)
	}
	if found["a.go"].first != 3 || found["a.go"].count != 2 {
		t.Errorf("a.go: %+v", found["a.go"])
	}
}
