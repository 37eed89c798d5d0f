package host

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"patina/wire/config"
)

func sign(secret, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// A hint counts only if it is signed, and says no more than which repository is to be fetched.
func TestHints(t *testing.T) {
	const name = "git.example.com/team/app"
	h := &Host{config: &config.Config{HintSecret: "s"}, repos: map[string]*repository{}}
	hinted := func(method, header, signature, body string) (status int, taken bool) {
		r := &repository{name: name, hinted: make(chan struct{}, 1)}
		h.repos[name] = r
		request := httptest.NewRequest(method, "/hint", strings.NewReader(body))
		request.Header.Set(header, signature)
		w := httptest.NewRecorder()
		h.Hints().ServeHTTP(w, request)
		return w.Code, len(r.hinted) == 1
	}
	const plain, none = `{"repository": "git.example.com/team/app"}`, `{"repository": "git.example.com/team/other"}`
	const push = `{"ref": "refs/heads/main", "repository": {"clone_url": "https://git.example.com/team/app.git", "ssh_url": "git@git.example.com:team/app.git"}}`
	const own, forge = "X-Patina-Signature", "X-Hub-Signature-256"
	for what, test := range map[string]struct {
		method, header, signature, body string
		status                          int
	}{
		"plain":            {"POST", own, sign("s", plain), plain, http.StatusAccepted},
		"of a forge":       {"POST", forge, sign("s", push), push, http.StatusAccepted},
		"other secret":     {"POST", own, sign("x", plain), plain, http.StatusForbidden},
		"other body":       {"POST", own, sign("s", none), plain, http.StatusForbidden},
		"no signature":     {"POST", own, "", plain, http.StatusForbidden},
		"cut signature":    {"POST", own, sign("s", plain)[:20], plain, http.StatusForbidden},
		"no hex":           {"POST", own, "sha256=x", plain, http.StatusForbidden},
		"empty signature":  {"POST", own, "sha256=", plain, http.StatusForbidden},
		"other repository": {"POST", own, sign("s", none), none, http.StatusNotFound},
		"nonsense":         {"POST", own, sign("s", "x"), "x", http.StatusNotFound},
		"too long":         {"POST", own, "", strings.Repeat("x", maxHint+1), http.StatusRequestEntityTooLarge},
		"read":             {"GET", own, sign("s", plain), plain, http.StatusMethodNotAllowed},
	} {
		status, taken := hinted(test.method, test.header, test.signature, test.body)
		if status != test.status || taken != (test.status == http.StatusAccepted) {
			t.Errorf("%s: %d, taken %v, want %d", what, status, taken, test.status)
		}
	}
	h.config = &config.Config{}
	if status, taken := hinted("POST", own, sign("", plain), plain); status != http.StatusForbidden || taken {
		t.Errorf("without a secret: %d, taken %v", status, taken)
	}
}

// However many hints come, a repository is fetched once in a while.
func TestHintsAreFew(t *testing.T) {
	c := newCluster(t)
	c.commit(t, "app", "net: dial", dial)
	h := c.open(t, c.repositories(t, c.entry("app")))
	await(func() bool { return state(h, "app").Hosted && state(h, "app").Work == "" })
	head := c.commit(t, "app", "net: dial again", map[string]string{"net/again.go": "package net\n"})
	first := state(h, "app").Next
	fetched := 0
	for last := first; state(h, "app").Head != head; {
		signal(h.findRepository("app").hinted)
		if next := state(h, "app").Next; next != last {
			last = next
			fetched++
		}
	}
	if fetched > 1 {
		t.Errorf("%d fetches", fetched)
	}
}
