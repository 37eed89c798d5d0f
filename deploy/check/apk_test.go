package check

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/chainguard-dev/go-apk/pkg/apk"
	apkfs "github.com/chainguard-dev/go-apk/pkg/fs"
)

// The apk of a release must install into an empty root, with what it depends on, and start there.
// The resolver and the installer are those of apko, because no Debian has apk. PATINA_RELEASE names
// the folder of the release.
func TestApkInstalls(t *testing.T) {
	dist := os.Getenv("PATINA_RELEASE")
	if dist == "" {
		t.Skip("PATINA_RELEASE is not set: make release, then deploy/release/check.sh")
	}
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	found, _ := filepath.Glob(filepath.Join(dist, "patina-*-linux-"+runtime.GOARCH+"-musl.apk"))
	if len(found) != 1 {
		t.Fatalf("%q in %s", found, dist)
	}
	repository, root := t.TempDir(), t.TempDir()
	index := &apk.APKIndex{Description: "of a test"}
	add := func(text []byte) {
		t.Helper()
		p, err := apk.ParsePackage(t.Context(), bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(repository, arch, p.Filename()), text)
		index.Packages = append(index.Packages, p)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	add(text)
	if err := installApk(t.Context(), index, repository, root, arch); err == nil || !strings.Contains(err.Error(), "git") {
		t.Errorf("it installs without git: %v", err)
	}
	add(standIn(t, "git", arch))
	root = t.TempDir()
	if err := installApk(t.Context(), index, repository, root, arch); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(filepath.Join(root, "usr/bin/patina"), "version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "patina ") {
		t.Errorf("%v: %s", err, out)
	}
	for _, name := range []string{"man/man1/patina.1", "bash-completion/completions/patina", "zsh/site-functions/_patina", "doc/patina/copyright"} {
		if info, err := os.Stat(filepath.Join(root, "usr/share", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func writeFile(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// installApk installs patina from a repository into a root, as "apk add --initdb" does.
func installApk(ctx context.Context, index *apk.APKIndex, repository, root, arch string) error {
	archive, err := apk.ArchiveFromIndex(index)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(archive)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(repository, arch, "APKINDEX.tar.gz"), text, 0o644); err != nil {
		return err
	}
	a, err := apk.New(apk.WithFS(apkfs.DirFS(root)), apk.WithArch(arch), apk.WithNoSignatureIndexes(repository), apk.WithIgnoreMknodErrors(true))
	if err != nil {
		return err
	}
	if err := a.InitDB(ctx); err != nil {
		return err
	}
	if err := a.SetRepositories(ctx, []string{repository}); err != nil {
		return err
	}
	if err := a.SetWorld(ctx, []string{"patina"}); err != nil {
		return err
	}
	return a.FixateWorld(ctx, nil)
}

// standIn returns an apk without files.
func standIn(t *testing.T, name, arch string) []byte {
	t.Helper()
	var out bytes.Buffer
	about := fmt.Sprintf("pkgname = %s\npkgver = 1.0.0-r0\narch = %s\nsize = 0\n", name, arch)
	for _, file := range []string{".PKGINFO", "usr/"} { // control, then data
		z := gzip.NewWriter(&out)
		w := tar.NewWriter(z)
		h := &tar.Header{Name: file, Mode: 0o755, Typeflag: tar.TypeDir}
		if file == ".PKGINFO" {
			h = &tar.Header{Name: file, Mode: 0o644, Typeflag: tar.TypeReg, Size: int64(len(about))}
		}
		err := w.WriteHeader(h)
		if err == nil && h.Size > 0 {
			_, err = io.WriteString(w, about)
		}
		if file == ".PKGINFO" && err == nil {
			err = w.Flush() // the tars are one
		} else if err == nil {
			err = w.Close()
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}
