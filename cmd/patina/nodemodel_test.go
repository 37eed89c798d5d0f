package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"patina/oracles/transformer/graphtest"
)

// A node with the model of the asker takes the vector that the question brings. This one cannot
// embed a question, since its model's graph is gone, and says so of each that brings no vector or
// that of another model. With the graph it embeds by its own model whatever the asker has chosen.
func TestNodeTakesTheVectorOfAQuestion(t *testing.T) {
	library := graphtest.Library(t) // looked for from here
	dir := initCluster(t, "--nodes", "1", "--replicas", "1")
	node, user := filepath.Join(dir, "node-0"), filepath.Join(dir, "laptop")
	t.Setenv("PATINA_HOME", node)
	theirs := tinyModel(t, library, "tiny")
	choose(t, theirs.Name, "documents", "code")
	r := startCluster(t, dir)
	join := exec.Command("sh", "-ec", strings.Join(r.commands(), "\n"))
	join.Env = environment("none: the first command sets it")
	if out, err := join.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	graph := filepath.Join(theirs.Dir, theirs.Graph)
	embedded := func() bool {
		states, err := filepath.Glob(filepath.Join(node, "repos", "*", "courier", ".patina", "model-*.state"))
		return err == nil && len(states) == 1 && isByModel(askCluster(t, user))
	}
	awaitAnswer(t, "the node has made vectors", embedded)
	restart := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pidOf(t, dir, "node-0"), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	restart(graph, graph+".away")
	const said = "courier: code, doc by the built-in vectors: open model tiny"
	awaitAnswer(t, "the node cannot embed a question", func() bool { return strings.Contains(askCluster(t, user), said) })

	t.Setenv("PATINA_HOME", user)
	t.Chdir(filepath.Join(dir, "example", "till"))
	mine := tinyModel(t, library, "tiny")
	if mine.ID != theirs.ID || mine.Dir == theirs.Dir {
		t.Fatalf("%q in %q, and %q in %q", mine.ID, mine.Dir, theirs.ID, theirs.Dir)
	}
	choose(t, mine.Name, "documents", "code")
	a := connect(t)
	answer := func() string {
		return a.call("scry", map[string]any{"query": "how long is the pause between two attempts", "all_repos": true})
	}
	awaitAnswer(t, "the node takes the vector", func() bool { return isByModel(answer()) })

	other := tinyModel(t, library, "other")
	choose(t, other.Name, "documents", "code")
	awaitAnswer(t, "the node has another model", func() bool { return strings.Contains(answer(), said) })
	restart(graph+".away", graph)
	awaitAnswer(t, "the node embeds by its own", func() bool { return isByModel(answer()) })
	if err := r.interrupt(t); err != nil {
		t.Errorf("interrupted: %v\n%s", err, r.log)
	}
}

// isByModel reports whether a node has answered, and by its model.
func isByModel(answer string) bool {
	return strings.Contains(answer, "[courier:code] retry.go") && !strings.Contains(answer, "by the built-in vectors")
}

// askCluster asks a question as the user of a cluster, in a process without a model.
func askCluster(t *testing.T, home string) string {
	t.Helper()
	c := exec.Command("patina", "scry", "--all-repos", "how long is the pause between two attempts")
	c.Dir, c.Env = filepath.Join(filepath.Dir(home), "example", "till"), environment(home)
	out, _ := c.CombinedOutput() // without a node it ends with 3
	return string(out)
}

// awaitAnswer waits until an answer is as it must be.
func awaitAnswer(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(upTime); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", upTime, what)
		}
	}
}
