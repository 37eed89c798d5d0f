package mother_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"patina/registry"
	"patina/registry/mother"
)

// Variables that tell TestMain to run as a child process instead of running the tests.
const (
	roleOf = "MOTHER_TEST_ROLE" // "each" runs a number of rounds, "endless" until it is killed
	homeOf = "MOTHER_TEST_HOME"
	idsOf  = "MOTHER_TEST_IDS"
	rootOf = "MOTHER_TEST_ROOT"
)

// TestMain runs the test binary as one of many processes that write at once.
func TestMain(m *testing.M) {
	role := os.Getenv(roleOf)
	if role == "" {
		os.Exit(m.Run())
	}
	for i := 0; role == "endless" || i < rounds; i++ {
		if err := round(i); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("done", i)
	}
}

// rounds is the number of rounds of each process.
const rounds = 5

// round adds a repository, links it with the first one in both directions, counts uses and learns.
func round(i int) error {
	ctx, home, ids := context.Background(), os.Getenv(homeOf), strings.Split(os.Getenv(idsOf), ",")
	root := filepath.Join(os.Getenv(rootOf), fmt.Sprint("r", i))
	if err := os.MkdirAll(filepath.Join(root, ".patina"), 0o700); err != nil {
		return err
	}
	p, err := registry.Register(home, root, filepath.Join(root, ".patina"))
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error {
			name := filepath.Base(filepath.Dir(root)) + fmt.Sprint(i)
			return mother.Put(ctx, home, mother.Repository{ID: p.ID, Name: name})
		},
		func() error {
			return mother.Link(ctx, home, mother.Edge{From: ids[0], To: p.ID, Relation: mother.Uses, Evidence: root})
		},
		func() error {
			return mother.Count(ctx, home, []mother.Use{{From: ids[0], To: ids[1], Asked: 1, Shown: 1, Used: 1}})
		},
		func() error {
			return mother.Link(ctx, home, mother.Edge{From: ids[1], To: ids[0], Relation: mother.Sibling, Weight: 0.8})
		},
		func() error { _, err := mother.Learn(ctx, home); return err },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// child returns a command that runs this program in a role.
func child(role, home, root string, ids []string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), roleOf+"="+role, homeOf+"="+home, rootOf+"="+root, idsOf+"="+strings.Join(ids, ","))
	return c
}

// Sixteen processes add, link, count and learn at once. Nothing may be lost.
func TestProcessesAtOnce(t *testing.T) {
	const processes = 16
	home, ctx, all := t.TempDir(), t.Context(), t.TempDir()
	ids := lay(t, home, "app", "lib")
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses}))
	var running sync.WaitGroup
	for i := range processes {
		running.Go(func() {
			if out, err := child("each", home, filepath.Join(all, fmt.Sprint(i)), ids).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	running.Wait()
	edges, err := mother.Edges(ctx, home, "")
	check(t, err)
	if len(edges) != 2+processes*rounds {
		t.Errorf("%d edges", len(edges))
	}
	for _, e := range edges {
		all := processes * rounds
		if e.From == ids[0] && e.To == ids[1] && (e.Asked != all || e.Shown != all || e.Used != all) {
			t.Errorf("uses were lost: %+v", e)
		}
	}
	known, err := mother.Repositories(ctx, home)
	check(t, err)
	if len(known) != 2+processes*rounds {
		t.Errorf("%d repositories", len(known))
	}
	check(t, registry.Check(home))
}

// A process is killed while it adds, links and learns. All changes that it reported must be there,
// the last one must be whole or absent, and the next process must work.
func TestKilledWhileLinking(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	ids := lay(t, home, "app", "lib")
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses}))
	said := 0
	for life := range 8 {
		root := t.TempDir()
		c := child("endless", home, root, ids)
		pipe, err := c.StdoutPipe()
		check(t, err)
		check(t, c.Start())
		out := bufio.NewReader(pipe)
		for i := range 1 + life {
			line, err := out.ReadString('\n')
			check(t, err)
			if want := fmt.Sprintln("done", i); line != want {
				t.Fatalf("life %d: %q", life, line)
			}
			said++
		}
		check(t, c.Process.Kill())
		_ = c.Wait() // it was killed
		check(t, registry.Check(home))
		edges, err := mother.Edges(ctx, home, ids[0])
		check(t, err)
		have := map[string]bool{}
		for _, e := range edges {
			have[e.Evidence] = true
			if e.To == ids[1] && (e.Asked < said || e.Asked > said+life+1 || e.Shown != e.Asked || e.Used != e.Asked) {
				t.Errorf("life %d: %+v after %d uses", life, e, said)
			}
			histories, err := mother.Histories(ctx, home)
			history := histories[e.Way()]
			if check(t, err); len(history) == 0 || history[len(history)-1].Weight != e.Weight {
				t.Errorf("life %d: weight %v, history %+v", life, e.Weight, history)
			}
		}
		for i := range 1 + life {
			if !have[filepath.Join(root, fmt.Sprint("r", i))] {
				t.Errorf("life %d: edge %d was lost", life, i)
			}
		}
	}
}
