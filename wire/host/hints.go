package host

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"patina/wire/config"
)

// maxHint bounds a hint, in bytes. A forge sends all commits of a push with it.
const maxHint = 8 << 20

// The headers that hold the signature of a hint: that of patina, and that of GitHub, Gitea and
// Forgejo.
var signatureHeaders = []string{"X-Patina-Signature", "X-Hub-Signature-256"}

// Hints returns the handler of POST /hint. A hint says that a repository has something new, and is
// believed in nothing else: the repository is fetched from where it always is. Its body is JSON,
// {"repository": NAME} or what a forge sends about a push, and a header holds the HMAC-SHA256 of
// the body under hint_secret of nodes.toml, as sha256=HEX. Without a hint_secret every hint is
// refused.
func (h *Host) Hints() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hint", h.takeHint)
	return mux
}

func (h *Host) takeHint(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	c := h.config
	h.mu.Unlock()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxHint))
	if err != nil {
		http.Error(w, "the hint is too long", http.StatusRequestEntityTooLarge)
		return
	}
	if !isSigned(r.Header, body, c.HintSecret) {
		http.Error(w, "the signature is not of this body under hint_secret of nodes.toml", http.StatusForbidden)
		return
	}
	known := false
	for _, name := range hintedNames(body) {
		if x := h.findRepository(name); x != nil {
			known = true
			signal(x.hinted)
		}
	}
	if !known {
		http.Error(w, "the hint names no repository of this node", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// isSigned reports whether a header holds the signature of a body. It takes as long for a wrong one
// as for a right one.
func isSigned(header http.Header, body []byte, secret string) bool {
	if secret == "" {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	want := mac.Sum(nil)
	ok := false
	for _, name := range signatureHeaders {
		given, _ := strings.CutPrefix(header.Get(name), "sha256=")
		sum, err := hex.DecodeString(given)
		ok = hmac.Equal(sum, want) && err == nil || ok
	}
	return ok
}

// hintedNames returns the names on the wire that a hint may mean.
func hintedNames(body []byte) (names []string) {
	var plain struct {
		Repository string `json:"repository"`
	}
	if json.Unmarshal(body, &plain) == nil && plain.Repository != "" {
		return []string{plain.Repository}
	}
	var pushed struct {
		Repository struct {
			Clone string `json:"clone_url"`
			SSH   string `json:"ssh_url"`
			HTML  string `json:"html_url"`
		} `json:"repository"`
	}
	if json.Unmarshal(body, &pushed) != nil {
		return nil
	}
	for _, address := range []string{pushed.Repository.Clone, pushed.Repository.SSH, pushed.Repository.HTML} {
		if name := config.NameOfURL(address); name != "" {
			names = append(names, name)
		}
	}
	return names
}
