package check

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/subrequests/lint"
	"github.com/opencontainers/go-digest"
)

// offline answers for every base image that it sets nothing, because no registry is asked.
type offline struct{}

func (offline) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte, error) {
	return ref, "", []byte("{}"), nil
}

func lintDockerfile(t *testing.T, text []byte) *lint.LintResults {
	t.Helper()
	source := llb.NewSourceMap(nil, "Dockerfile", "Dockerfile", text)
	source.Definition = &llb.Definition{}
	o := dockerfile2llb.ConvertOpt{MetaResolver: offline{}, SourceMap: source}
	results, err := dockerfile2llb.DockerfileLint(t.Context(), text, o)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func readDockerfile(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The linter of "docker build --check" finds nothing in the Dockerfile, and finds a fault that is
// put into it.
func TestDockerfileIsLinted(t *testing.T) {
	text := readDockerfile(t)
	results := lintDockerfile(t, text)
	if results.Error != nil {
		t.Errorf("%+v", results.Error)
	}
	for _, w := range results.Warnings {
		t.Errorf("line %d: %s: %s", w.Location.Ranges[0].Start.Line, w.RuleName, w.Detail)
	}
	faulty := strings.Replace(string(text), "FROM golang:1.26-bookworm AS build", "FROM golang:1.26-bookworm as build", 1)
	if results := lintDockerfile(t, []byte(faulty)); len(results.Warnings) == 0 {
		t.Error("the linter accepts a fault")
	}
}

// The image has the Go that go.mod wants, and the process has no name, right or shell of root.
func TestDockerfileAgrees(t *testing.T) {
	text := string(readDockerfile(t))
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	if got := regexp.MustCompile(`(?m)^FROM golang:(\d+\.\d+)-`).FindStringSubmatch(text); want == nil || got == nil || got[1] != string(want[1]) {
		t.Errorf("the image is built with %q, go.mod wants %q", got, want)
	}
	for _, line := range []string{
		"USER 65532:65532", "VOLUME /data", "STOPSIGNAL SIGTERM", `ENTRYPOINT ["patina"]`, "ENV HOME=/data PATINA_HOME=/data",
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	if !strings.Contains(text, `CMD ["patina", "node", "status", "--self"]`) {
		t.Error("no check of health")
	}
}
