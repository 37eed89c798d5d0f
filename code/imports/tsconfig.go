package imports

import (
	"path"
	"slices"
	"strings"

	"patina/code/manifest"
)

// A scriptPath is one line of "paths" in a tsconfig.json or jsconfig.json: the places of imports
// with a prefix and a suffix.
type scriptPath struct {
	folder          string // of the configuration, which applies to files below
	prefix, suffix  string // around the "*"; without one, suffix is "" and exact is set
	exact           bool
	places          []string // with their "*"
	folderOfBaseURL string
}

// tsconfig adds the places in a configuration.
func (m *Manifests) tsconfig(folder, body string) {
	config, ok := manifest.ReadTSConfig(body)
	if !ok {
		return
	}
	base := path.Join(folder, config.BaseURL)
	for written, places := range config.Paths {
		if len(places) == 0 {
			continue
		}
		prefix, suffix, star := strings.Cut(written, "*")
		m.scripts = append(m.scripts, scriptPath{folder, prefix, suffix, !star, places, base})
	}
	if config.BaseURL != "" { // names without a line are relative to it
		m.scripts = append(m.scripts, scriptPath{folder, "", "", false, []string{"*"}, base})
	}
	// The nearest configuration comes first, then the longest prefix, then names.
	slices.SortStableFunc(m.scripts, func(a, b scriptPath) int {
		if n := len(b.folder) - len(a.folder); n != 0 {
			return n
		}
		if n := len(b.prefix) - len(a.prefix); n != 0 {
			return n
		}
		return strings.Compare(a.prefix+"\x00"+a.suffix, b.prefix+"\x00"+b.suffix)
	})
}

// placesOf returns the places of an import in the configurations above a file. Names without a line
// are relative to baseUrl.
func (m *Manifests) placesOf(from, imported string) (places []string) {
	for _, p := range m.scripts {
		if p.folder != "" && !strings.HasPrefix(from, p.folder+"/") {
			continue
		}
		rest, ok := strings.CutPrefix(imported, p.prefix)
		middle, fits := strings.CutSuffix(rest, p.suffix)
		if p.exact && imported != p.prefix || !ok || !fits {
			continue
		}
		for _, place := range p.places[:min(len(p.places), maxPlaces)] {
			places = append(places, path.Join(p.folderOfBaseURL, strings.Replace(place, "*", middle, 1)))
		}
		if p.prefix != "" || p.exact {
			break
		}
	}
	return places
}
