package ui

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// asking sends a request as it is written, and returns the answer.
func (s *site) asking(request string) string {
	s.t.Helper()
	c, err := net.Dial("tcp", s.server.Address)
	must(s.t, err)
	defer func() { _ = c.Close() }()
	must(s.t, c.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(c, request)
	must(s.t, err)
	b, _ := io.ReadAll(c)
	return string(b)
}

// request returns a request with the cookie of the pages, unless a line names another.
func (s *site) request(method, path string, lines ...string) string {
	out := method + " " + path + " HTTP/1.1\r\nConnection: close\r\n"
	all := strings.Join(lines, "\r\n")
	if !strings.Contains(all, "Host:") {
		out += "Host: " + s.server.Address + "\r\n"
	}
	if !strings.Contains(all, "Cookie:") {
		out += "Cookie: " + s.server.guard.cookie() + "=" + s.server.guard.session() + "\r\n"
	}
	if all != "" {
		out += all + "\r\n"
	}
	return out + "\r\n"
}

// Nobody may read a page or change something without the token, by another host, or from another
// site.
func TestForeignRequestsAreRefused(t *testing.T) {
	s := siteOf(t, kettle, true)
	g := s.server.guard
	token := url.QueryEscape(g.token)
	_, port, _ := net.SplitHostPort(s.server.Address)
	form := "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
	sent := func(body string) string { return fmt.Sprintf("%s%d\r\n\r\n%s", form, len(body), body) }
	for name, x := range map[string]struct {
		want    string
		request string
	}{
		"with the cookie":        {"200", s.request("GET", "/")},
		"by the name localhost":  {"200", s.request("GET", "/", "Host: localhost:"+port)},
		"without a cookie":       {"403", s.request("GET", "/", "Cookie: x=y")},
		"an empty cookie":        {"403", s.request("GET", "/", "Cookie: "+g.cookie()+"=")},
		"the token as a cookie":  {"403", s.request("GET", "/", "Cookie: "+g.cookie()+"="+g.token)},
		"the form as a cookie":   {"403", s.request("GET", "/", "Cookie: "+g.cookie()+"="+g.formToken())},
		"a static file without":  {"403", s.request("GET", "/static/page.js", "Cookie: x=y")},
		"the right token":        {"303", s.request("GET", "/?token="+token, "Cookie: x=y")},
		"a wrong token":          {"403", s.request("GET", "/?token=wrong", "Cookie: x=y")},
		"an empty token":         {"403", s.request("GET", "/?token=", "Cookie: x=y")},
		"two tokens":             {"403", s.request("GET", "/?token=wrong&token="+token, "Cookie: x=y")},
		"a token in a POST":      {"403", s.request("POST", "/?token="+token, "Cookie: x=y")},
		"another host":           {"403", s.request("GET", "/", "Host: example.org")},
		"another host, our port": {"403", s.request("GET", "/", "Host: example.org:"+port)},
		"another port":           {"403", s.request("GET", "/", "Host: 127.0.0.1:1")},
		"a name that ends so":    {"403", s.request("GET", "/", "Host: localhost.example.org:"+port)},
		"another host, token":    {"403", s.request("GET", "/?token="+token, "Host: example.org", "Cookie: x=y")},
		"another origin":         {"403", s.request("GET", "/", "Origin: http://example.org")},
		"no origin":              {"403", s.request("GET", "/", "Origin: null")},
		"the origin with TLS":    {"403", s.request("GET", "/", "Origin: https://"+s.server.Address)},
		"two origins":            {"403", s.request("GET", "/", "Origin: http://"+s.server.Address, "Origin: http://example.org")},
		"a picture elsewhere":    {"403", s.request("GET", "/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image")},
		"a frame elsewhere":      {"403", s.request("GET", "/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")},
		"a script of this host":  {"403", s.request("GET", "/", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty")},
		"a link elsewhere":       {"200", s.request("GET", "/?token="+token, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Cookie: x=y")},
		"another method":         {"405", s.request("DELETE", "/")},
		"a tunnel":               {"405", s.request("OPTIONS", "/")},
		"a POST without a form":  {"403", s.request("POST", "/", "Origin: http://"+s.server.Address)},
		"a POST without origin":  {"403", s.request("POST", "/", sent("form="+g.formToken()))},
		"a POST, wrong form":     {"403", s.request("POST", "/", "Origin: http://"+s.server.Address, sent("form="+g.session()))},
		"a POST, other origin":   {"403", s.request("POST", "/", "Origin: http://example.org", sent("form="+g.formToken()))},
		"a long POST":            {"403", s.request("POST", "/", "Origin: http://"+s.server.Address, sent("form="+g.formToken()+"&x="+strings.Repeat("x", mostBody)))},
		"a long header":          {"431", s.request("GET", "/", "X: "+strings.Repeat("x", 2*headerBytes))},
	} {
		answer := s.asking(x.request)
		if !strings.HasPrefix(answer, "HTTP/1.1 "+x.want+" ") {
			t.Errorf("%s: %.200q, want %s", name, answer, x.want)
		}
		if x.want == "403" && (strings.Contains(answer, "kettle") || strings.Contains(answer, "Set-Cookie")) {
			t.Errorf("%s: %q", name, answer)
		}
	}
}

// The link works each time, and the address that it leads to does not hold the token.
func TestLinkBecomesCookie(t *testing.T) {
	s := siteOf(t, kettle, true)
	for range 2 {
		bare := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		r, err := bare.Get(s.server.Link() + "&q=water")
		must(t, err)
		_, _ = body(t, r)
		if got := r.Header.Get("Location"); r.StatusCode != http.StatusSeeOther || got != "/?q=water" {
			t.Errorf("status %d, to %q", r.StatusCode, got)
		}
		c := r.Cookies()
		if len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Value == s.server.guard.token {
			t.Errorf("cookies %v", c)
		}
	}
	answer := s.asking(s.request("GET", "//example.org/x?token="+url.QueryEscape(s.server.guard.token), "Cookie: x=y"))
	if !strings.Contains(answer, "\r\nLocation: /example.org/x\r\n") {
		t.Errorf("%q", answer)
	}
}

// Each answer forbids what a page does not need, also one that refuses.
func TestSecurityHeaders(t *testing.T) {
	s := siteOf(t, kettle, true)
	for _, path := range []string{"/", "/thing?id=boil.go", "/thing?id=none", "/none", "/static/page.css", "/part/answers?q=water", "/?token=x"} {
		r, err := s.client.Get("http://" + s.server.Address + path)
		must(t, err)
		_, text := body(t, r)
		for name, want := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if strings.Contains(text, s.server.guard.token) || strings.Contains(text, s.server.guard.session()) {
			t.Errorf("%s: it holds the secret", path)
		}
	}
}

// A request that does not come whole must end.
func TestHalfRequestEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the time of a header")
	}
	s := siteOf(t, kettle, true)
	half, err := net.Dial("tcp", s.server.Address)
	must(t, err)
	defer func() { _ = half.Close() }()
	_, err = io.WriteString(half, "GET / HTTP/1.1\r\nHost: ")
	must(t, err)
	must(t, half.SetReadDeadline(time.Now().Add(10*headerWithin)))
	if _, err := bufio.NewReader(half).ReadString('\n'); err != nil && !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "reset") {
		t.Errorf("half a header: %v", err)
	}
	if answer := s.asking(s.request("GET", "/")); !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
		t.Errorf("afterwards: %.200q", answer)
	}
}

// A GET may change nothing that the user has written.
func TestGetChangesNothing(t *testing.T) {
	s := siteOf(t, kettle, true)
	before := s.authored()
	for pattern := range routes {
		method, path, _ := strings.Cut(pattern, " ")
		path = strings.TrimSuffix(path, "{$}")
		if method == http.MethodPost {
			if status, _ := s.get(path + "?id=boil.go&text=x"); status != http.StatusMethodNotAllowed {
				t.Errorf("GET %s: status %d", path, status)
			}
			continue
		}
		if method != http.MethodGet {
			t.Errorf("a page for the method %q", method)
		}
		for _, q := range []string{"", "?q=water", "?q=water&id=boil.go", "?id=boil.go::Boil&line=4&blame=1&from=1&done=x&pin=1&end=1&text=x", "?id=belief:no-dry-boil"} {
			if status, text := s.get(path + q); status >= 500 {
				t.Errorf("GET %s%s: status %d\n%s", path, q, status, text)
			}
		}
	}
	after := s.authored()
	for name, text := range after {
		if before[name] != text {
			t.Errorf("%s was changed", name)
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d files, then %d", len(before), len(after))
	}
}

// Secrets are compared by equal alone, whose time does not depend on them.
func TestSecretsAreComparedInConstantTime(t *testing.T) {
	for _, test := range []struct {
		got, want string
		same      bool
	}{{"secret", "secret", true}, {"secreT", "secret", false}, {"secre", "secret", false}, {"", "secret", false}, {"", "", true}} {
		if equal(test.got, test.want) != test.same {
			t.Errorf("%q and %q: not %v", test.got, test.want, test.same)
		}
	}
	b, err := os.ReadFile("guard.go")
	must(t, err)
	if !regexp.MustCompile(`func equal\([^}]*subtle\.ConstantTimeCompare`).Match(b) {
		t.Error("equal does not compare in constant time")
	}
	if bad := regexp.MustCompile(`(token|session\(\)|formToken\(\)|Get\("(token|form)"\)|c\.Value)\s*[!=]=|[!=]=\s*g\.(token|session|formToken)`).Find(b); bad != nil {
		t.Errorf("a secret is compared by %q", bad)
	}
}
