package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/code/describe"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// cutReader names the store for a child in TestCutUnderReader.
const cutReader = "PATINA_TEST_CUT_READER"

// A file that others may write is cut while a process asks. Its answers are then right or errors,
// and no signal ends it.
func TestCutUnderReader(t *testing.T) {
	if dir := os.Getenv(cutReader); dir != "" {
		askUntilTold(dir)
		return
	}
	c := storetest.NewCorpus(21)
	c.Fill()
	for range 5 {
		c.Commit()
	}
	for _, suffix := range []string{".db", ".vec"} {
		for _, left := range []func(size int64) int64{
			func(int64) int64 { return 0 }, func(size int64) int64 { return size / 2 }, func(int64) int64 { return 4096 },
		} {
			dir := t.TempDir()
			c.Build(t, dir)
			names, err := filepath.Glob(filepath.Join(dir, "index-*"))
			storetest.Check(t, err)
			for _, n := range names {
				storetest.Check(t, os.Chmod(n, 0o666))
			}
			path := strings.TrimSuffix(names[0], filepath.Ext(names[0])) + suffix
			info, err := os.Stat(path)
			storetest.Check(t, err)
			to := left(info.Size())
			said := cutWhileAsked(t, dir, func() { storetest.Check(t, os.Truncate(path, to)) })
			for _, line := range said {
				if line != "right" && line != "error" {
					t.Errorf("%s cut to %d bytes: %s", suffix, to, line)
				}
			}
			if len(said) == 0 {
				t.Errorf("%s cut to %d bytes: nothing was said", suffix, to)
			}
		}
	}
}

// cutWhileAsked starts a child that asks a store all the time and runs cut. It returns the child's
// answers to some later questions.
func cutWhileAsked(t *testing.T, dir string, cut func()) (said []string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCutUnderReader$", "-test.v=false")
	child.Env = append(os.Environ(), cutReader+"="+dir)
	var errs strings.Builder
	child.Stderr = &errs
	in, err := child.StdinPipe()
	storetest.Check(t, err)
	out, err := child.StdoutPipe()
	storetest.Check(t, err)
	storetest.Check(t, child.Start())
	lines := bufio.NewScanner(out)
	ask := func() string {
		_, _ = io.WriteString(in, "ask\n")
		lines.Scan()
		return lines.Text()
	}
	for range 3 {
		if s := ask(); s != "right" {
			t.Errorf("before the cut: %q", s)
		}
	}
	cut()
	for range 6 {
		said = append(said, ask())
	}
	storetest.Check(t, in.Close())
	for lines.Scan() {
	}
	if err := child.Wait(); err != nil {
		first, _, _ := strings.Cut(errs.String(), "\n")
		t.Errorf("the reader ended with %v: %s", err, first)
	}
	return said
}

// askUntilTold answers each line on its standard input, from a store that stays open and from a new
// one. It asks continuously in between.
func askUntilTold(dir string) {
	stays, err := store.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	first, err := answerOf(stays)
	if err != nil {
		fmt.Println(err)
		return
	}
	judge := func() string {
		again, err := answerOf(stays)
		s, failed := store.Open(dir)
		other := first
		if failed == nil {
			other, failed = answerOf(s)
			_ = s.Close()
		}
		switch {
		case err == nil && again != first, failed == nil && other != first:
			return "wrong: " + again + " and " + other + ", not " + first
		case err != nil || failed != nil:
			return "error"
		}
		return "right"
	}
	go func() {
		for {
			if s := judge(); strings.HasPrefix(s, "wrong") {
				fmt.Println(s)
			}
		}
	}()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(judge())
	}
}

// answerOf returns a store's answers to some questions.
func answerOf(s *store.Store) (string, error) {
	ctx := context.Background()
	p, err := s.Pin(ctx, 1)
	if err != nil {
		return "", err
	}
	defer p.Close()
	r, q := p.Readers[0], text.ParseQuestion("server merge alpha")
	words, err := oracles.BM25(ctx, r, q, doc.Filter{}, 5)
	if err != nil {
		return "", err
	}
	near, err := oracles.Nearest(ctx, r, question("server merge alpha"), doc.Filter{}, 5)
	if err != nil {
		return "", err
	}
	_, body, err := describe.Body(ctx, r, words[doc.Code][0].DocID)
	return fmt.Sprint(words, near, body), err
}
