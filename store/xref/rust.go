package xref

import (
	"path"
	"strings"
)

// followRust walks down the modules that a path names, from the own crate, the own module or
// another crate.
func (r *Resolver) followRust(from, imported string) Target {
	parts := strings.Split(strings.TrimPrefix(imported, "::"), "::")
	folder, crate := rustFolder(from), r.crateOf(from)
	switch first := parts[0]; {
	case first == "crate":
		folder, parts = crate, parts[1:]
	case first == "self":
		parts = parts[1:]
	case first == "super":
		for len(parts) > 0 && parts[0] == "super" {
			folder, parts = FolderOf(folder), parts[1:]
		}
	case len(r.at("Rust", path.Join(folder, first))) > 0:
	default:
		if source, ok := r.crate(first); ok {
			folder, parts = source, parts[1:]
			break
		}
		if folder = crate; len(r.at("Rust", path.Join(folder, first))) == 0 {
			return Target{}
		}
	}
	at := r.rustModule(folder)
	for len(parts) > 0 {
		next := r.at("Rust", path.Join(folder, parts[0]))
		if len(next) == 0 {
			break
		}
		folder, parts, at = path.Join(folder, parts[0]), parts[1:], next
	}
	return Target{files: at, names: parts, found: len(at) > 0}
}

// crate finds the sources of a crate, by its manifest or by the name of its folder.
func (r *Resolver) crate(name string) (folder string, ok bool) {
	if folder, ok = r.manifests.crates[name]; ok {
		return folder, true
	}
	for _, i := range r.byBase["lib.rs"] {
		folder = FolderOf(r.files[i].Path)
		if strings.ReplaceAll(path.Base(strings.TrimSuffix(folder, "/src")), "-", "_") == name {
			return folder, true
		}
	}
	return "", false
}

// rustModule is the file of the module whose children lie in a folder.
func (r *Resolver) rustModule(folder string) []int {
	for _, name := range []string{"lib.rs", "main.rs", "mod.rs"} {
		if i, ok := r.byPath[path.Join(folder, name)]; ok {
			return []int{i}
		}
	}
	return r.at("Rust", folder)
}

// rustFolder is where the children of a file's module lie.
func rustFolder(p string) string {
	switch path.Base(p) {
	case "mod.rs", "lib.rs", "main.rs":
		return FolderOf(p)
	}
	return withoutExtension(p)
}

// crateOf is the folder with the root of a file's crate: the nearest above with lib.rs or main.rs,
// else the file's own.
func (r *Resolver) crateOf(from string) string {
	for folder := FolderOf(from); ; folder = FolderOf(folder) {
		for _, name := range []string{"lib.rs", "main.rs"} {
			if _, ok := r.byPath[path.Join(folder, name)]; ok {
				return folder
			}
		}
		if folder == "" {
			return FolderOf(from)
		}
	}
}
