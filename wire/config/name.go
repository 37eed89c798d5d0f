package config

import (
	"net/url"
	"path"
	"strings"
)

// NameOfURL returns the name on the wire of a repository that git fetches from an address:
// host/org/name, without the user, the port and ".git". It returns "" for an address without a
// host, such as a path, because such a repository needs a given name.
func NameOfURL(address string) string {
	host, p, ok := splitAddress(strings.TrimSpace(address))
	if !ok {
		return ""
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if h, port, ok := strings.Cut(host, ":"); ok && strings.Trim(port, "0123456789") == "" {
		host = h
	}
	p = strings.TrimSuffix(strings.Trim(path.Clean("/"+p), "/"), ".git")
	if host == "" || p == "" || p == "." || strings.ContainsAny(host+p, " \t\r\n\\\x00") {
		return ""
	}
	return strings.ToLower(host) + "/" + p
}

// splitAddress cuts an address into its host, perhaps with a user and a port, and its path. It
// knows URLs, and the form user@host:path of scp.
func splitAddress(address string) (host, p string, ok bool) {
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.Scheme == "file" {
			return "", "", false
		}
		return u.Host, u.Path, u.Host != ""
	}
	host, p, ok = strings.Cut(address, ":")
	if !ok || strings.Contains(host, "/") || len(host) < 2 { // a path, or a drive of Windows
		return "", "", false
	}
	return host, p, true
}
