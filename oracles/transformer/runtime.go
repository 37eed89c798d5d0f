package transformer

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// ErrNoRuntime means that libonnxruntime is not to be had, or cannot be used. The error that wraps
// it says where Open looked and what to do.
var ErrNoRuntime = errors.New("ONNX Runtime cannot be opened")

// RuntimeVariable is the environment variable that may name the file of libonnxruntime.
const RuntimeVariable = "PATINA_ONNXRUNTIME"

// oldestRuntime is the first version with the functions that the binding calls.
const oldestRuntime = "1.24"

// opened is the library of this process. The binding keeps one, and it is never closed: threads of
// the library may outlive its sessions.
var opened struct {
	sync.Mutex
	path string // "" before the first model
}

// openRuntime opens libonnxruntime, once for the process. path is absolute or "".
func openRuntime(path string) error {
	opened.Lock()
	defer opened.Unlock()
	if opened.path != "" {
		if path != "" && !sameFile(path, opened.path) {
			return fmt.Errorf("%w: %q asked for, but this process has opened %q, and can open only one",
				ErrNoRuntime, path, opened.path)
		}
		return nil
	}
	asked, from := path, "the model's setting"
	if asked == "" {
		asked, from = os.Getenv(RuntimeVariable), RuntimeVariable
	}
	if asked != "" {
		if !filepath.IsAbs(asked) {
			return fmt.Errorf("%w: %q (from %s) is not an absolute path", ErrNoRuntime, asked, from)
		}
		if err := tryRuntime(asked); err != nil {
			return fmt.Errorf("%w: %q (from %s): %w", ErrNoRuntime, asked, from, err)
		}
		return nil
	}
	return openUsual(usualFolders())
}

// FindRuntime returns the file of the library that Open would try first, without opening it. path
// is Options.Runtime. The error wraps ErrNoRuntime.
func FindRuntime(path string) (string, error) {
	if path == "" {
		path = os.Getenv(RuntimeVariable)
	}
	if path == "" {
		if found := librariesIn(usualFolders()); len(found) > 0 {
			return found[0], nil
		}
		return "", fmt.Errorf("%w: there is none in %s", ErrNoRuntime, strings.Join(usualFolders(), ", "))
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || !filepath.IsAbs(path) {
		return "", fmt.Errorf("%w: %q is not the absolute path of a file", ErrNoRuntime, path)
	}
	return path, nil
}

// openUsual tries the libraries in folders, in their order and the newest of each first.
func openUsual(folders []string) error {
	var tried []string
	for _, file := range librariesIn(folders) {
		err := tryRuntime(file)
		if err == nil {
			return nil
		}
		tried = append(tried, fmt.Sprintf("%s: %v", file, err))
	}
	if len(tried) == 0 {
		tried = []string{"there is none in " + strings.Join(folders, ", ")}
	}
	return fmt.Errorf("%w: %s. Name the file of libonnxruntime %s or newer by --runtime or %s; "+
		"npm's package onnxruntime-node holds one, below bin/", ErrNoRuntime, strings.Join(tried, "; "), oldestRuntime, RuntimeVariable)
}

// tryRuntime opens a library. The caller must hold opened.
func tryRuntime(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return errors.Unwrap(err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a file")
	}
	ort.SetSharedLibraryPath(path)
	// The library writes to standard error, also the errors that it returns.
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return explainFailure(err.Error())
	}
	opened.path = path
	return ort.DisableTelemetry()
}

// explainFailure returns what an error of the binding means for the user.
func explainFailure(message string) error {
	switch {
	case strings.Contains(message, "Error setting ORT API base"):
		return fmt.Errorf("too old: %s or newer is needed", oldestRuntime)
	case strings.Contains(message, "Dynamic loading not supported"): // musl, in a static program
		return errors.New("this patina is the static one for musl, which opens no libraries: a model needs the one for glibc")
	}
	return errors.New(strings.TrimPrefix(message, "Platform-specific initialization failed: "))
}

// RuntimeInUse returns the file and the version of the library that this process has opened, or
// empty strings.
func RuntimeInUse() (path, version string) {
	opened.Lock()
	defer opened.Unlock()
	if opened.path == "" {
		return "", ""
	}
	return opened.path, ort.GetVersion()
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// usualFolders returns where libraries are looked for: folders of the user's own home and of the
// system. A folder near the working folder is never among them, because opening a library runs it.
func usualFolders() []string {
	var all []string
	add := func(base string, below ...string) {
		if filepath.IsAbs(base) {
			all = append(all, filepath.Join(append([]string{base}, below...)...))
		}
	}
	home, _ := os.UserHomeDir()
	add(os.Getenv("PATINA_HOME"), "lib")
	if os.Getenv("PATINA_HOME") == "" {
		add(home, ".patina", "lib")
	}
	add(home, ".local", "lib")
	if runtime.GOOS == "darwin" {
		return append(all, "/opt/homebrew/lib", "/usr/local/lib")
	}
	triplet := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	return append(all, "/usr/local/lib", "/usr/lib", filepath.Join("/usr/lib", triplet), "/usr/lib64")
}

// librariesIn returns the files that may be libonnxruntime.
func librariesIn(folders []string) []string {
	var all []string
	for _, folder := range folders {
		entries, _ := os.ReadDir(folder) // one that is missing holds none
		var here []string
		for _, e := range entries {
			if isLibrary(e.Name()) {
				here = append(here, e.Name())
			}
		}
		slices.SortFunc(here, func(a, b string) int { return compareVersions(b, a) })
		for _, name := range here {
			all = append(all, filepath.Join(folder, name))
		}
	}
	return all
}

// isLibrary reports whether a name is that of libonnxruntime: with its version behind the suffix on
// Linux, before it on macOS.
func isLibrary(name string) bool {
	rest, ok := strings.CutPrefix(name, "libonnxruntime.")
	if !ok {
		return false
	}
	if runtime.GOOS == "darwin" {
		return rest == "dylib" || strings.HasSuffix(rest, ".dylib")
	}
	return rest == "so" || strings.HasPrefix(rest, "so.")
}

// compareVersions compares names by the numbers in them, from left to right.
func compareVersions(a, b string) int {
	return slices.CompareFunc(numbers(a), numbers(b), cmp.Compare[int])
}

func numbers(name string) []int {
	var all []int
	for _, part := range strings.Split(name, ".") {
		if n, err := strconv.Atoi(part); err == nil {
			all = append(all, n)
		}
	}
	return all
}
