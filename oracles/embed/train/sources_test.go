package train

import (
	"os"
	"strings"
	"testing"

	"patina/oracles/embed"
)

func TestCommittedSources(t *testing.T) {
	sources, err := Sources()
	if err != nil {
		t.Fatal(err)
	}
	held, repositories := 0, 0
	for _, s := range sources {
		for id := range strings.SplitSeq(s.Licence, ",") {
			if !permissive[id] {
				t.Errorf("%s: licence %q is not permissive", s.Name, id)
			}
		}
		if s.Held {
			held++
		}
		if s.Repository() {
			repositories++
		}
	}
	if repositories < 100 || held < 5 {
		t.Errorf("%d repositories, %d sources held out", repositories, held)
	}
}

// The manifest describes the committed table. It must name every committed source as listed, and no
// other.
func TestManifestIsComplete(t *testing.T) {
	manifest, err := os.ReadFile("../base.table.manifest")
	if err != nil {
		t.Fatal(err)
	}
	if id := embed.Base().Model(); !strings.Contains(string(manifest), "# Table "+id+":") {
		t.Errorf("the manifest is not of table %s", id)
	}
	listed := map[Source]bool{}
	for line := range strings.Lines(string(manifest)) {
		f := strings.Fields(line)
		if len(f) == 7 && f[0] != "source" && f[0] != "#" {
			listed[Source{f[0], f[1], f[2], f[6] == "held"}] = true
		}
	}
	sources, err := Sources()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		if !listed[s] {
			t.Errorf("%+v is not in the manifest", s)
		}
		delete(listed, s)
	}
	for s := range listed {
		t.Errorf("%+v is in the manifest alone", s)
	}
}

func TestReadSources(t *testing.T) {
	const full = "0123456789abcdef0123456789abcdef01234567"
	list := "# a comment\n\nowner/name " + full + " MIT\ngolang.org/x/sync v0.24.0 BSD-3-Clause held\n"
	sources, err := readSources(list)
	if err != nil {
		t.Fatal(err)
	}
	want := []Source{{"owner/name", full, "MIT", false}, {"golang.org/x/sync", "v0.24.0", "BSD-3-Clause", true}}
	if len(sources) != 2 || sources[0] != want[0] || sources[1] != want[1] {
		t.Errorf("got %+v", sources)
	}
	if !sources[0].Repository() || sources[1].Repository() {
		t.Error("a commit makes a repository")
	}
	for list, reason := range map[string]string{
		"owner/name " + full:                                       "want name, version, licence",
		"owner/name " + full + " MIT kept":                         "want name, version, licence",
		"a/b v1 MIT\nA/B v2 MIT":                                   "twice",
		"a/b v1 MIT\nSomebody/Cobra " + full + " Apache-2.0":       "line 2: \"Somebody/Cobra\" is \"spf13/cobra\"",
		"github.com/prometheus/client_golang v1.17.0 Apache-2.0\n": "must not be trained on",
	} {
		if _, err := readSources(list); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: error %v, want %q", list, err, reason)
		}
	}
}

func TestRefused(t *testing.T) {
	for name, want := range map[string]string{
		"spf13/cobra": "spf13/cobra", "SPF13/Cobra": "spf13/cobra", "fork-of/cobra": "spf13/cobra",
		"cobra":                              "spf13/cobra",
		"https://github.com/spf13/cobra.git": "spf13/cobra", "git@github.com:spf13/cobra.git": "spf13/cobra",
		"github.com/spf13/cobra/doc@v1.10.2": "spf13/cobra", "spf13+cobra": "spf13/cobra",
		"github.com/spf13/cobra/": "spf13/cobra",
		"go.etcd.io/bbolt":        "etcd-io/bbolt", "@colinhacks/zod": "colinhacks/zod",
		"@vitest/runner": "vitest-dev/vitest",
		"date_fns":       "date-fns/date-fns", "pypi/Requests@2.32.0": "psf/requests",
		"newtonsoft.json": "JamesNK/Newtonsoft.Json",
		"go.opentelemetry.io/otel/exporters/prometheus": "prometheus/prometheus", "nvm-sh/nvm": "nvm-sh/nvm",
	} {
		if got, ok := Refused(name); got != want || !ok {
			t.Errorf("%q is refused for %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{
		"", "std", "spf13/pflag", "golang.org/x/tools", "etcd-io/etcd", "go-git/go-git", "a/cobralike", "@",
	} {
		if line, ok := Refused(name); ok {
			t.Errorf("%q is refused for %q", name, line)
		}
	}
}

// The project must not be trained on anything on which it is measured.
func TestEvaluationIsRefused(t *testing.T) {
	sources, err := evaluationSources()
	if err != nil || len(sources) < 20 {
		t.Fatalf("%d evaluation sources, error %v", len(sources), err)
	}
	for _, s := range sources {
		if _, ok := Refused(s.Name); !ok {
			t.Errorf("%q is measured on and not refused", s.Name)
		}
	}
}

func FuzzRefused(f *testing.F) {
	f.Add("https://github.com/spf13/cobra.git")
	f.Fuzz(func(t *testing.T, name string) {
		line, ok := Refused(name)
		if ok != (line != "") {
			t.Errorf("%q: %q, %v", name, line, ok)
		}
		if _, ok := Refused("x/" + strings.ReplaceAll(name, "/", "") + "/cobra"); !ok {
			t.Errorf("cobra below %q is not refused", name)
		}
	})
}
