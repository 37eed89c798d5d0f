package main

import (
	"bufio"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"patina/cmd/internal/cli"
	"patina/scrape/scrapetest"
	"patina/wire/local"
)

// "patina ui" prints its link, serves the pages by the engine of the resident process, and ends by
// Ctrl-C.
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
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	}()
	lent := func() int {
		s, err := local.Ask(t.Context(), home, cli.Version)
		if err != nil {
			return -1
		}
		return s.Lent
	}
	for end := time.Now().Add(time.Minute); lent() < 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
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
	client := &http.Client{Jar: jar}
	link = strings.TrimSpace(link)
	for _, address := range []string{link, link[:strings.Index(link, "?")] + "part/answers?q=heats+water"} {
		r, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", address, r.Status)
		}
	}
	if n := lent(); n < 1 {
		t.Errorf("patina serve has lent %d engines to it", n)
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
}
