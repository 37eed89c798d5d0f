package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"net/http"
	"path"
	"strings"

	"patina/third_party/web"
)

//go:embed static
var staticFiles embed.FS

//go:embed templates
var templateFiles embed.FS

// An asset is a file that pages load: a script, a style, the icon.
type asset struct {
	kind    string // its content type
	packed  []byte // compressed by gzip
	version string // a hash of it, by which browsers keep it
}

// contentTypes are the types of assets, by their endings.
var contentTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// readStatic returns the assets by name.
func readStatic() (map[string]asset, error) {
	script, err := web.Script()
	if err != nil {
		return nil, err
	}
	all := map[string]asset{"htmx.js": newAsset("htmx.js", script)}
	list, err := staticFiles.ReadDir("static")
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		b, err := staticFiles.ReadFile("static/" + f.Name())
		if err != nil {
			return nil, err
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(b); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		all[f.Name()] = newAsset(f.Name(), packed.Bytes())
	}
	return all, nil
}

func newAsset(name string, packed []byte) asset {
	sum := sha256.Sum256(packed)
	return asset{contentTypes[path.Ext(name)], packed, hex.EncodeToString(sum[:6])}
}

// staticLink returns the address of an asset. It changes with its content.
func (s *Server) staticLink(name string) string {
	return "/static/" + name + "?v=" + s.static[name].version
}

// serveStatic serves an asset.
func (s *Server) serveStatic(w http.ResponseWriter, r *http.Request) {
	a, ok := s.static[r.PathValue("name")]
	if !ok {
		sendRefusal(w, http.StatusNotFound, "nothing is here")
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Vary", "Accept-Encoding")
	if r.URL.Query().Get("v") == a.version {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		_, _ = w.Write(a.packed)
		return
	}
	if unpacked, err := gzip.NewReader(bytes.NewReader(a.packed)); err == nil {
		_, _ = io.Copy(w, unpacked)
	}
}
