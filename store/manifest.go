package store

import (
	"context"
	"encoding/json"
	"path"
	"strings"
	"sync"
)

// lazyModules is what imports are resolved by, made by the first question about calls or imports.
type lazyModules struct {
	mu     sync.Mutex
	all    *modules
	probed bool // a question has been answered without
}

// maxManifest is how many bytes of a manifest a question reads; what is larger was not written by hand.
const maxManifest = 256 << 10

// modules reads which files there are and what manifests call their folders, once a generation.
func (r *Reader) modules(ctx context.Context, snap *snapshot) (*modules, error) {
	lazy := memoOf[lazyModules](&snap.memo)
	lazy.mu.Lock()
	defer lazy.mu.Unlock()
	if lazy.all != nil {
		return lazy.all, nil
	}
	listed, err := r.files(ctx, snap)
	if err != nil {
		return nil, err
	}
	var files []listedFile
	named := packages{crates: make(map[string]string), scripts: make(map[string]string)}
	for _, f := range listed {
		if !snap.members.has(f.key) {
			continue
		}
		files = append(files, f)
		read := named.manifest(f.path)
		if read == nil {
			continue
		}
		if body, err := r.body(ctx, f.key); err == nil && len(body) <= maxManifest { // else it is known by its path alone
			read(folderOf(f.path), body)
		}
	}
	lazy.all = newModules(files, named)
	return lazy.all, nil
}

// manifest returns what reads a file that names packages; nil for others.
func (p *packages) manifest(name string) func(folder, body string) {
	switch path.Base(name) {
	case "go.mod":
		return p.goMod
	case "Cargo.toml":
		return p.cargo
	case "package.json":
		return p.script
	}
	return nil
}

func (p *packages) goMod(folder, body string) {
	for line := range strings.Lines(body) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			name, _, _ = strings.Cut(name, "//")
			if name = strings.Trim(name, " \t\""); name == "std" {
				name = ""
			}
			p.goModules = append(p.goModules, goModule{folder, name})
			return
		}
	}
}

// cargo reads the name of a crate, in [package] or [lib]; its sources are in src.
func (p *packages) cargo(folder, body string) {
	section := ""
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "name" || section != "package" && section != "lib" {
			continue
		}
		if name := strings.Trim(strings.TrimSpace(value), `"'`); name != "" {
			p.crates[strings.ReplaceAll(name, "-", "_")] = path.Join(folder, "src")
		}
	}
}

func (p *packages) script(folder, body string) {
	var manifest struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(body), &manifest) == nil && manifest.Name != "" {
		p.scripts[manifest.Name] = folder
	}
}

// site is where the calls of a file stand.
func (r *Reader) site(ctx context.Context, f factRow, m *modules) *site {
	return newSite(f, m, func(i int) []Binding { return r.bindings(ctx, m, i) })
}

// bindings are those of another file. One that cannot be read hands nothing on.
func (r *Reader) bindings(ctx context.Context, m *modules, i int) []Binding {
	m.mu.Lock()
	defer m.mu.Unlock()
	list, ok := m.bound[i]
	if ok {
		return list
	}
	var blob []byte
	if r.queryRow(ctx, `SELECT facts FROM file WHERE key = ?`, m.files[i].key).Scan(&blob) == nil {
		if f, err := decodeFacts(blob); err == nil {
			list = make([]Binding, len(f.bindings))
			for i, b := range f.bindings {
				list[i] = Binding{strings.Clone(b.Name), strings.Clone(b.Import), strings.Clone(b.Of)}
			}
		}
		m.bound[i] = list
	}
	return list
}
