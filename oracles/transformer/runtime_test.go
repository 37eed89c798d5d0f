package transformer_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
)

// TestOpenInAnotherProcess is no test of its own: TestRuntime runs it in processes that have opened
// no library. It opens the models of OPEN_RUNTIMES in one folder, and prints what comes of it.
func TestOpenInAnotherProcess(t *testing.T) {
	runtimes, ok := os.LookupEnv("OPEN_RUNTIMES")
	if !ok {
		t.Skip("only TestRuntime runs it")
	}
	dir, _ := write(t, graphtest.Tiny)
	for _, path := range strings.Split(runtimes, ",") {
		m, err := transformer.Open(transformer.Options{Dir: dir, Runtime: path})
		if err != nil {
			fmt.Printf("error %t %v\n", errors.Is(err, transformer.ErrNoRuntime), err)
			continue
		}
		used, version := transformer.RuntimeInUse()
		fmt.Printf("opened %s %s\n", used, version)
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The library must be the one of the options, of the environment, or of a usual folder, and the
// only one of a process. A wrong one is an error that names it and the way out.
func TestRuntime(t *testing.T) {
	library, err := filepath.Abs(graphtest.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(library)
	home, other := t.TempDir(), t.TempDir()
	wrong := filepath.Join(t.TempDir(), name)
	put(t, filepath.Dir(wrong), name, "no library")
	put(t, home, "lib/keep", "")
	same := filepath.Join(other, name)
	for _, err := range []error{os.Symlink(library, filepath.Join(home, "lib", name)), os.Symlink(library, same)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(t.TempDir(), name)
	data, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Dir(copied), name, string(data))
	isOne := func(path string) string { return "opened " + path + " 1." }
	cases := []struct {
		runtimes, variable, home string
		want                     []string
	}{
		{library, wrong, "", []string{isOne(library)}},
		{"", library, "", []string{isOne(library)}},
		{"", "", home, []string{isOne(filepath.Join(home, "lib", name))}},
		{library + "," + same + "," + copied + ",", "", "", []string{
			isOne(library), isOne(library), "can open only one", isOne(library),
		}},
		{"", "lib/" + name, "", []string{`error true`, `(from PATINA_ONNXRUNTIME) is not an absolute path`}},
		{wrong + "," + library, "", "", []string{"error true", wrong, isOne(library)}},
		{other, "", "", []string{"error true", "not a file"}},
		{filepath.Join(other, "none"), "", "", []string{"error true", "no such file"}},
	}
	if libraries, _ := filepath.Glob("/lib/*/libm.so.6"); len(libraries) > 0 {
		cases = append(cases, struct {
			runtimes, variable, home string
			want                     []string
		}{libraries[0], "", "", []string{"error true", "OrtGetApiBase"}})
	}
	for _, c := range cases {
		child := exec.Command(os.Args[0], "-test.run=^TestOpenInAnotherProcess$")
		child.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
			return strings.HasPrefix(v, "PATINA_")
		}), "OPEN_RUNTIMES="+c.runtimes, "PATINA_ONNXRUNTIME="+c.variable, "PATINA_HOME="+c.home)
		out, err := child.CombinedOutput()
		if err != nil {
			t.Errorf("%+v: %v\n%s", c, err, out)
		}
		rest := string(out)
		for _, want := range c.want {
			at := strings.Index(rest, want)
			if at < 0 {
				t.Errorf("%q, %q, %q printed\n%swant %q", c.runtimes, c.variable, c.home, out, want)
				break
			}
			rest = rest[at+len(want):]
		}
	}
}

// Without a library anywhere the error must say where it was looked for, and the ways out.
func TestNoRuntime(t *testing.T) {
	empty, wrong := t.TempDir(), t.TempDir()
	name := map[bool]string{true: "libonnxruntime.1.2.dylib", false: "libonnxruntime.so.1.2"}[runtime.GOOS == "darwin"]
	put(t, wrong, name, "no library")
	for want, folders := range map[string][]string{
		"there is none in " + empty + ", /none": {empty, "/none"},
		filepath.Join(wrong, name) + ": ":       {empty, wrong},
	} {
		err := transformer.OpenUsual(folders)
		if !errors.Is(err, transformer.ErrNoRuntime) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "--runtime or PATINA_ONNXRUNTIME") || !strings.Contains(err.Error(), "onnxruntime-node") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A library near the working folder must never be opened: only the user's home and the system
// count.
func TestUsualFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATINA_HOME", "relative")
	t.Setenv("HOME", ".")
	for _, folder := range transformer.UsualFolders() {
		if !strings.HasPrefix(folder, "/usr/") && !strings.HasPrefix(folder, "/opt/") {
			t.Errorf("folder %q", folder)
		}
	}
	t.Setenv("PATINA_HOME", "/homes/ann/.patina")
	t.Setenv("HOME", "/homes/ann")
	got := transformer.UsualFolders()
	if want := []string{"/homes/ann/.patina/lib", "/homes/ann/.local/lib"}; !slices.Equal(got[:2], want) {
		t.Errorf("folders %q, want %q first", got, want)
	}
}

// The newest library of a folder must come first.
func TestLibrariesIn(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("the names are those of Linux")
	}
	dir := t.TempDir()
	for _, name := range []string{
		"libonnxruntime.so", "libonnxruntime.so.1.9.0", "libonnxruntime.so.1.24.3", "libonnxruntime.so.1",
		"libonnxruntime_providers_shared.so", "onnxruntime.so", "libonnxruntime.soap",
	} {
		put(t, dir, name, "")
	}
	var got []string
	for _, path := range transformer.LibrariesIn([]string{dir, "/none"}) {
		got = append(got, filepath.Base(path))
	}
	want := []string{"libonnxruntime.so.1.24.3", "libonnxruntime.so.1.9.0", "libonnxruntime.so.1", "libonnxruntime.so"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A static program for musl opens no library, and must say which program does.
func TestStaticProgramOpensNoRuntime(t *testing.T) {
	for message, want := range map[string]string{
		`Platform-specific initialization failed: Error loading ONNX shared library "/l.so": Dynamic loading not supported`: "needs the one for glibc",
		`Platform-specific initialization failed: Error setting ORT API base: 1`:                                            "too old",
		`Platform-specific initialization failed: Error loading ONNX shared library "/l.so": no such file`:                  "no such file",
	} {
		if got := transformer.ExplainFailure(message).Error(); !strings.Contains(got, want) || strings.Contains(got, "Platform-specific") {
			t.Errorf("%s: %s", message, got)
		}
	}
}
