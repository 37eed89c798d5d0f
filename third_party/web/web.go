// Package web holds the files of others that pages of patina need: a script, and the rules by which
// code is coloured. Make fetches and compresses them (third_party/web.mk).
package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

//go:embed all:built
var built embed.FS

// ErrNotBuilt means that the program was built without the files.
var ErrNotBuilt = errors.New("this patina was built without the files of its pages")

// Script returns the script of the pages, compressed by gzip. The error wraps ErrNotBuilt if this
// build has none.
func Script() ([]byte, error) { return compressed("htmx.js") }

// Lexers is a folder with the rules of each language, as chroma reads them: NAME.xml. The error of
// Open wraps fs.ErrNotExist for a language that is unknown.
type Lexers struct{}

// Open implements fs.FS.
func (Lexers) Open(name string) (fs.File, error) {
	b, err := compressed(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", name, err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", name, err)
	}
	return &file{bytes.NewReader(text), name, int64(len(text))}, nil
}

// Languages returns the names of the files in Lexers, sorted and without their endings.
func Languages() (names []string) {
	list, _ := built.ReadDir("built")
	for _, f := range list {
		if name, ok := strings.CutSuffix(f.Name(), ".xml.gz"); ok {
			names = append(names, name)
		}
	}
	return names
}

// compressed returns a file of the build as it is kept.
func compressed(name string) ([]byte, error) {
	b, err := built.ReadFile(path.Join("built", name) + ".gz")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %q: %w", name, ErrNotBuilt)
	}
	return b, err
}

// A file is one that was read whole. It implements fs.File and fs.FileInfo.
type file struct {
	*bytes.Reader
	name string
	size int64
}

// Stat implements fs.File.
func (f *file) Stat() (fs.FileInfo, error) { return info{f}, nil }

// Close implements fs.File.
func (f *file) Close() error { return nil }

type info struct{ *file }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
