package ui

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/loopback"
	"patina/cmd/internal/serve"
	"patina/scrape"
	"patina/scrape/scrapetest"
)

// A site is a server on a project, as it runs, and a browser that has opened its link.
type site struct {
	t      *testing.T
	server *Server
	root   string
	home   string
	client *http.Client
}

// siteOf starts a server on a project with some files, all of them in one commit. Without an index
// it serves an unread folder.
func siteOf(t *testing.T, files map[string]string, indexed bool) *site {
	t.Helper()
	home := t.TempDir()
	t.Setenv("PATINA_HOME", home)
	t.Setenv("PATINA_TIMEOUT", "5m") // long enough for a busy machine
	t.Setenv("PATINA_REFRESH", "5m")
	repo := t.TempDir()
	scrapetest.Tree(t, repo, files)
	scrapetest.Git(t, repo, "init", "-q")
	if len(files) > 0 {
		scrapetest.Git(t, repo, "add", "-A")
		scrapetest.Git(t, repo, "commit", "-q", "-m", "feat: the kettle boils", "-m", "Water is heated by litres, because a full kettle must not take longer than an empty one.")
	}
	place, err := project.At(repo, "")
	must(t, err)
	if indexed {
		_, err = project.Scrape(t.Context(), place, scrape.Options{}, func(error) {})
		must(t, err)
		place, err = project.At(repo, "")
		must(t, err)
	}
	place.From = place.Root
	chosen, _, err := place.Settings(nil)
	must(t, err)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	life, cancel := context.WithCancel(context.Background())
	pool := serve.NewPool(life, slog.New(slog.DiscardHandler), chosen)
	app := &cli.App{In: strings.NewReader(""), Out: io.Discard, Errs: io.Discard}
	s, err := NewServer(Options{App: app, Place: place, Address: l.Addr().String(), Secret: newSecret(), Pool: pool})
	must(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(life, loopback.Yield(l, mostConnections)) }()
	t.Cleanup(func() {
		cancel()
		must(t, <-ended)
		pool.Close()
	})
	jar, err := cookiejar.New(nil)
	must(t, err)
	out := &site{t: t, server: s, root: place.Root, home: home, client: &http.Client{Jar: jar}}
	if status, _ := out.get(strings.TrimPrefix(s.Link(), "http://"+s.Address)); status != http.StatusOK {
		t.Fatalf("the link: status %d", status)
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// get returns the status and the text of a page.
func (s *site) get(path string) (status int, text string) {
	s.t.Helper()
	r, err := s.client.Get("http://" + s.server.Address + path)
	must(s.t, err)
	return body(s.t, r)
}

// post sends a form of a change, with the value that forms send.
func (s *site) post(path string, form url.Values) (status int, text string) {
	s.t.Helper()
	form.Set("form", s.server.guard.formToken())
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.server.Address+path, strings.NewReader(form.Encode()))
	must(s.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+s.server.Address)
	got, err := s.client.Do(r)
	must(s.t, err)
	return body(s.t, got)
}

func body(t *testing.T, r *http.Response) (status int, text string) {
	t.Helper()
	defer func() { _ = r.Body.Close() }()
	b, err := io.ReadAll(r.Body)
	must(t, err)
	return r.StatusCode, string(b)
}

// contains checks that a page has some texts.
func (s *site) contains(path string, wants ...string) string {
	s.t.Helper()
	status, text := s.get(path)
	if status != http.StatusOK {
		s.t.Errorf("%s: status %d\n%s", path, status, text)
	}
	for _, want := range wants {
		if !strings.Contains(text, want) {
			s.t.Errorf("%s: no %q in\n%s", path, want, text)
		}
	}
	return text
}

// authored returns the content of every file that a user has written: the notes and the tree.
func (s *site) authored() map[string]string {
	out := map[string]string{}
	for _, root := range []string{s.home, s.root} {
		must(s.t, filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == ".git" || d.Name() == ".patina") {
				return filepath.SkipDir
			}
			if strings.Contains(name, "queries") || !d.Type().IsRegular() || strings.HasPrefix(filepath.Base(name), "mother.db") {
				return nil
			}
			b, err := os.ReadFile(name)
			out[name] = string(b)
			return err
		}))
	}
	return out
}

// kettle is a small project.
var kettle = map[string]string{
	"go.mod":                                "module kettle\n\ngo 1.26\n",
	"boil.go":                               "package kettle\n\n// Boil heats water until it boils.\nfunc Boil(litres int) int {\n\treturn heat(litres)\n}\n\n// heat adds energy to water.\nfunc heat(litres int) int { return litres * 100 }\n",
	"tea/tea.go":                            "package tea\n\nimport \"kettle\"\n\n// Brew makes tea with boiling water.\nfunc Brew() int { return kettle.Boil(1) }\n",
	"layer/sessions/20260102-090000-abc.md": "# The kettle whistles\n\nWe heard that the whistle wakes the house, and took it off.\n",
	"docs/kettle.md":                        "# Kettle\n\nThe kettle heats water.\n\n## Safety\n\nNever boil it dry.\n",
	"layer/surface/epistemic/beliefs/no-dry-boil.md": "---\ntype: belief\nid: no-dry-boil\nentrenchment: high\nstatus: active\n---\n\n# no-dry-boil\n\nThe kettle is never boiled without water.\n\n## Evidence\n\n- [[boil.go::Boil]] - it takes litres\n\n## Verification\n\n```verify type=\"sql\" label=\"No boiling\" expect=\"= 0\"\nSELECT COUNT(*) FROM import_facts WHERE import_path = 'kettle'\n```\n",
}
