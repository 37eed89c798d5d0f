package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"patina/ask/project"
)

// An interrupted first scrape may leave an index of words only. It must answer and name the missing
// channel, and a server must complete it.
func TestWordsAloneAreCompletedByAServer(t *testing.T) {
	fits(t)
	l := layWords(t)
	const missing = "not searched: semantic (its model is not fitted yet"
	ask := func() string { return l.a.call("scry", map[string]any{"query": "how are retries spread"}) }
	asked, err := l.terminal("scry", "how are retries spread").CombinedOutput()
	if err != nil || !strings.Contains(string(asked), "retry.py:") || !strings.Contains(string(asked), missing) {
		t.Errorf("in a terminal, %v:\n%s", err, asked)
	}
	release := l.hold() // the server cannot complete it yet
	l.a = connect(t)
	for range 2 {
		if got := ask(); !strings.Contains(got, "retry.py:") || !strings.Contains(got, missing) {
			t.Errorf("before it is completed:\n%s", got)
		}
	}
	release()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		got := ask()
		if !strings.Contains(got, missing) {
			if !strings.Contains(got, "retry.py:") || strings.Contains(got, "not searched") {
				t.Errorf("completed:\n%s", got)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("never completed:\n%s", got)
		}
	}
	type channel struct {
		Channel, Status string
		Hits            int
	}
	var answer struct{ Channels []channel }
	told, err := l.terminal("scry", "--json=full", "how are retries spread").Output()
	if err == nil {
		err = json.Unmarshal(told, &answer)
	}
	hasAnswered := func(c channel) bool { return c.Channel == "semantic" && c.Status == "OK" && c.Hits > 0 }
	if err != nil || !slices.ContainsFunc(answer.Channels, hasAnswered) {
		t.Errorf("the semantic channel has not answered, %v:\n%s", err, told)
	}
	if out, err := l.terminal("scrape").CombinedOutput(); err != nil || strings.Contains(string(out), "rebuilt") ||
		strings.Contains(string(out), " vectors") {
		t.Errorf("a scrape still finds work, %v:\n%s", err, out)
	}
}

// layWords returns a tree whose first scrape was interrupted after its words, and before the end of
// its fit.
func layWords(t *testing.T) *liveTree {
	l := &liveTree{t: t, root: layGoldens(t).root}
	for range 20 {
		if l.interruptTheFit() {
			return l
		}
		// The fit ended before the interrupt.
		if err := os.RemoveAll(filepath.Join(l.root, project.StoreName)); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no scrape was interrupted during its fit")
	return nil
}

// interruptTheFit reports whether a first scrape ended at an interrupt, after its words.
func (l *liveTree) interruptTheFit() bool {
	l.t.Helper()
	var out strings.Builder
	c := l.terminal("scrape")
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		l.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait()
	}()
	for published := false; !published; {
		_, err := os.Stat(filepath.Join(l.root, project.StoreName, "current"))
		published = err == nil
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
	_ = c.Process.Signal(os.Interrupt) // it may already have ended
	<-ended
	return strings.Contains(out.String(), "words and history answer")
}

// hold keeps all scrapes out of the tree until release is called.
func (l *liveTree) hold() (release func()) {
	l.t.Helper()
	lock, err := os.OpenFile(filepath.Join(l.root, project.StoreName, "lock"), os.O_RDWR, 0)
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return func() { _ = lock.Close() }
}
