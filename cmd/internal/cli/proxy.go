package cli

import (
	"net/url"
	"os"
)

// ProxyHint returns a hint that names the proxy of the environment, without its password. It is
// empty if there is no proxy.
func ProxyHint() string {
	for _, name := range []string{"https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"} {
		proxy := os.Getenv(name)
		if proxy == "" {
			continue
		}
		if u, err := url.Parse(proxy); err == nil && u.Host != "" {
			proxy = u.Scheme + "://" + u.Host
		} else {
			proxy = "that it holds"
		}
		return name + " names the proxy " + proxy + "; no_proxy names hosts that need none"
	}
	return ""
}
