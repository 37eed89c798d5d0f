package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// printTexts prints the licences of the modules and of what lies in folders.
func printTexts(folders []string) error {
	modules, err := listModules(".")
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	return writeTexts(os.Stdout, strings.TrimSpace(string(out)), modules, folders)
}

// writeTexts writes the licences and notices of everything linked into a release: of the Go that
// builds it, of the modules, and of what lies in folders, one for each C and C++ library. Equal
// texts stand once, under the names of all that they are of.
func writeTexts(w io.Writer, goRoot string, modules []module, folders []string) error {
	type text struct {
		names []string
		body  []byte
	}
	var texts []*text
	add := func(name, file string) error {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		b = bytes.TrimSpace(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
		i := slices.IndexFunc(texts, func(t *text) bool { return bytes.Equal(t.body, b) })
		if i < 0 {
			i, texts = len(texts), append(texts, &text{body: b})
		}
		if !slices.Contains(texts[i].names, name) {
			texts[i].names = append(texts[i].names, name)
		}
		return nil
	}
	if err := add("Go", filepath.Join(goRoot, "LICENSE")); err != nil {
		return err
	}
	for _, m := range modules {
		for _, file := range m.files {
			if err := add(m.path, file); err != nil {
				return err
			}
		}
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := add(e.Name(), filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	for _, t := range texts {
		if _, err := fmt.Fprintf(w, "======== %s\n\n%s\n\n", strings.Join(t.names, ", "), t.body); err != nil {
			return err
		}
	}
	return nil
}
