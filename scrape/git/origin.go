package git

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

// Origin returns the address that the repository is fetched from, as in its settings: that of the
// remote "origin". It returns "" for a repository without one. The address may hold a password.
func (t Tree) Origin() string { return t.config()["remote.origin.url"] }

// NameOfURL returns the name by which machines know the repository that git fetches from an
// address: host/org/name, without the user, the password, the port and ".git". The host is in lower
// case. The path is not, because servers may tell its cases apart. NameOfURL returns "" for an
// address without a host, such as a path, because such a repository needs a given name.
func NameOfURL(address string) string {
	host, p, ok := splitAddress(strings.TrimSpace(address))
	if !ok {
		return ""
	}
	p = strings.Trim(path.Clean("/"+p), "/")
	p = strings.TrimSuffix(p, ".git")
	p = strings.TrimSuffix(p, "/") // of "name/.git"
	odd := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\\' || r == unicode.ReplacementChar
	}
	if host == "" || p == "" || strings.ContainsFunc(host+p, odd) {
		return ""
	}
	return strings.ToLower(host) + "/" + p
}

// splitAddress cuts an address into its host, without user and port, and its path. It knows URLs,
// and the form user@host:path of scp.
func splitAddress(address string) (host, p string, ok bool) {
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.Scheme == "file" {
			return "", "", false
		}
		return u.Hostname(), u.Path, u.Hostname() != ""
	}
	if user, rest, bracket := strings.Cut(address, "["); bracket && (user == "" || strings.HasSuffix(user, "@")) {
		host, p, ok = strings.Cut(rest, "]:") // [host:port]:path, or an IPv6 address
		if name, port, both := strings.Cut(host, ":"); both && strings.Trim(port, "0123456789") == "" {
			host = name
		}
		return host, p, ok && !strings.Contains(user+host, "/")
	}
	host, p, ok = strings.Cut(address, ":")
	at := strings.LastIndexByte(host, '@')
	drive := len(host) < 2 // of Windows
	return host[at+1:], p, ok && !drive && !strings.Contains(host, "/")
}
