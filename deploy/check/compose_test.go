package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func loadCompose(t *testing.T, file string) (*types.Project, error) {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{file}, cli.WithEnv([]string{"PATINA_CLUSTER=/srv/cluster"}))
	if err != nil {
		t.Fatal(err)
	}
	return o.LoadProject(t.Context())
}

// The loader of Compose, which checks the published schema, accepts the file, and refuses it with
// one unknown key.
func TestComposeFollowsItsSchema(t *testing.T) {
	file := filepath.Join("..", "compose.yaml")
	if _, err := loadCompose(t, file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	faulty := filepath.Join(t.TempDir(), "compose.yaml")
	if err := os.WriteFile(faulty, []byte(strings.Replace(string(text), "read_only:", "readonly:", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadCompose(t, faulty); err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("an unknown key: %v", err)
	}
}

// Three nodes and a front run, each with a folder of its own, and without a right that it does not
// need. Only the front is reached from outside, and by default from this machine alone.
func TestComposeServices(t *testing.T) {
	p, err := loadCompose(t, filepath.Join("..", "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if names := p.ServiceNames(); !slices.Equal(names, []string{"front-0", "node-0", "node-1", "node-2"}) {
		t.Fatalf("services %q", names)
	}
	for name, s := range p.Services {
		role := "serve"
		if name == "front-0" {
			role = "front"
		}
		if len(s.Command) < 2 || s.Command[0] != "node" || s.Command[1] != role {
			t.Errorf("%s: command %q", name, s.Command)
		}
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0 || s.Privileged ||
			!slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) || s.User != "65532:65532" {
			t.Errorf("%s may too much: %+v", name, s)
		}
		if s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) != 40*time.Second {
			t.Errorf("%s: grace %v", name, s.StopGracePeriod)
		}
		own := 0
		for _, v := range s.Volumes {
			switch {
			case v.Source == "/srv/cluster/"+name && v.Target == "/data" && !v.ReadOnly:
				own++
			case v.Source == "/srv/cluster/cluster" && v.ReadOnly, v.Source == "/srv/cluster/ca" && role == "front":
			case v.Source == "/srv/cluster/example" && v.ReadOnly && role == "serve":
			default:
				t.Errorf("%s: volume %+v", name, v)
			}
		}
		if own != 1 {
			t.Errorf("%s has no folder of its own", name)
		}
		if (len(s.Ports) > 0) != (role == "front") {
			t.Errorf("%s: ports %v", name, s.Ports)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s is reached at %q", name, port.HostIP)
			}
		}
	}
}
