package ui

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"patina/cmd/internal/loopback"
)

// policy is the content security policy of every page: scripts, styles and parts from here alone.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// mostBody bounds the body of a POST, in bytes. A note has 64 KiB at most, and each byte of it may
// need three.
const mostBody = 256 << 10

// A guard answers a request only if it comes from somebody with the token, for this host, and from
// no other site.
type guard struct {
	host, port string
	token      string
	key        []byte // of the values that are derived from it
	next       http.Handler
}

// secretBytes is the length of a secret: half is the token, half the key.
const secretBytes = 64

// newSecret returns what the token and all values derived from it are made of.
func newSecret() []byte {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// tokenOf returns the token of a secret.
func tokenOf(secret []byte) string {
	return base64.RawURLEncoding.EncodeToString(secret[:secretBytes/2])
}

// newGuard returns a guard of an address. It returns an error if the secret has another length.
func newGuard(host, port string, secret []byte) (*guard, error) {
	if len(secret) != secretBytes {
		return nil, fmt.Errorf("the secret of pages has %d bytes, want %d", len(secret), secretBytes)
	}
	return &guard{host: host, port: port, token: tokenOf(secret), key: secret[secretBytes/2:]}, nil
}

// cookie is the name of the cookie. Cookies do not tell ports apart, so the name does.
func (g *guard) cookie() string { return "patina-" + g.port }

// derived returns a value that only this server can make. Different purposes have different values.
func (g *guard) derived(purpose string) string {
	m := hmac.New(sha256.New, g.key)
	_, _ = io.WriteString(m, purpose)
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// session returns the value of the cookie.
func (g *guard) session() string { return g.derived("session") }

// formToken returns the value that each form of a change must send.
func (g *guard) formToken() string { return g.derived("form") }

// equal compares secrets in a time that does not depend on them.
func equal(got, want string) bool {
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// connection is the key of a request's connection in its context.
type connection struct{}

// ServeHTTP implements http.Handler.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // with no-referrer, a form would send no origin
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	switch {
	case !g.mine(r.Host):
		sendRefusal(w, http.StatusForbidden, "the request is for another host")
	case !g.fromHere(r):
		sendRefusal(w, http.StatusForbidden, "the request comes from another site")
	case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
		h.Set("Allow", "GET, HEAD, POST")
		sendRefusal(w, http.StatusMethodNotAllowed, "want GET or POST")
	case r.Method != http.MethodPost && r.URL.Query().Has("token"):
		g.admit(w, r)
	case !g.admitted(r):
		sendRefusal(w, http.StatusForbidden, `open the link that "patina ui" has printed: it holds the token of these pages`)
	case r.Method == http.MethodPost && !g.meant(w, r):
		sendRefusal(w, http.StatusForbidden, "the form is not of these pages, or of an earlier start: reload the page and send it again")
	default:
		g.next.ServeHTTP(w, r)
	}
}

// sendRefusal answers with a text.
func sendRefusal(w http.ResponseWriter, status int, text string) {
	http.Error(w, "patina: "+text, status)
}

// mine reports whether a Host header is that of this server. Another name that leads here (DNS
// rebinding) is not.
func (g *guard) mine(host string) bool {
	return host == g.host+":"+g.port || host == "localhost:"+g.port
}

// fromHere reports whether a request has no origin, or that of these pages. A link on another site
// may lead here with the token, so a page may be opened from anywhere.
func (g *guard) fromHere(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host {
			return false
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	opens := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	return site != "cross-site" && site != "same-site" || r.Method != http.MethodPost && opens
}

// admitted reports whether a request has the cookie. Its connection then keeps its place.
func (g *guard) admitted(r *http.Request) bool {
	c, err := r.Cookie(g.cookie())
	ok := err == nil && equal(c.Value, g.session())
	if conn, has := r.Context().Value(connection{}).(net.Conn); ok && has {
		loopback.Keep(conn)
	}
	return ok
}

// meant reports whether a change was sent by a form of these pages. It reads the form.
func (g *guard) meant(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	return r.Header.Get("Origin") != "" && r.ParseForm() == nil && equal(r.PostForm.Get("form"), g.formToken())
}

// admit exchanges the token in the link for the cookie, and leads to the same page without the
// token.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !equal(q.Get("token"), g.token) {
		sendRefusal(w, http.StatusForbidden, `the token is not that of these pages: "patina ui" has a new one at each start`)
		return
	}
	q.Del("token")
	to := localPath(r.URL.Path, q)
	http.SetCookie(w, &http.Cookie{
		Name: g.cookie(), Value: g.session(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	if site := r.Header.Get("Sec-Fetch-Site"); site == "" || site == "none" || site == "same-origin" {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	// From another site, a browser would follow a redirect without the cookie.
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>patina</title><meta http-equiv="refresh" content="0; url=`+
		html.EscapeString(to)+`"><p><a href="`+html.EscapeString(to)+`">patina</a></p></html>`)
}

// localPath returns an address on this server. A path such as //host would lead elsewhere.
func localPath(path string, q url.Values) string {
	to := url.URL{Path: "/" + strings.TrimLeft(path, `/\`), RawQuery: q.Encode()}
	return to.String()
}
