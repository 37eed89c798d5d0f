package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"patina/cmd/internal/cli"
	"patina/scrape/scrapetest"
	"patina/wire/local"
)

// "patina ui" prints its link, lets the resident process serve the pages, serves them itself when
// that has ended, and ends by Ctrl-C.
func TestPagesOfAProcess(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"boil.go": "package kettle\n\n// Boil heats water.\nfunc Boil() {}\n"})
	scrapetest.Git(t, root, "init", "-q")
	home, err := os.MkdirTemp("", "") // a socket has a short path
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(home) }()
	env := append(os.Environ(), "PATINA_HOME="+home, "PATINA_TIMEOUT=5m", "GORACE="+raceOptions)
	scrape := exec.Command("patina", "scrape") // in PATH by TestMain
	scrape.Dir, scrape.Env = root, env
	if out, err := scrape.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := exec.Command("patina", "serve")
	server.Env = env
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill() }()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := local.Ask(t.Context(), home, cli.Version); err == nil {
			break
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	c := exec.Command("patina", "ui", "--no-open")
	c.Dir, c.Env = root, env
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill() }()
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar, Timeout: time.Minute}
	get := func(address string) error {
		r, err := client.Get(address)
		if err != nil {
			return err
		}
		_ = r.Body.Close()
		if r.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", address, r.Status)
		}
		return nil
	}
	link = strings.TrimSpace(link)
	answers := link[:strings.Index(link, "?")] + "part/answers?q=heats+water"
	// The resident process serves: the one that was asked to stands still.
	if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{link, answers} {
		if err := get(address); err != nil {
			t.Errorf("by patina serve: %v", err)
		}
	}
	if err := c.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	// When that ends, the other goes on, and the browser's cookie stays valid.
	if err := errors.Join(server.Process.Signal(os.Interrupt), server.Wait()); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); err == nil || time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if err = get(answers); err == nil {
			break
		}
	}
	if err != nil {
		t.Errorf("after the end of patina serve: %v", err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("%v: %s", err, errs.String())
	}
	if got := errs.String(); got != "patina: the link above opens the pages, on this machine alone; Ctrl-C ends them\n" {
		t.Errorf("standard error: %q", got)
	}
	if err := get(answers); err == nil {
		t.Error("the pages are there after Ctrl-C")
	}
}
