package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// A workflow has the keys of GitHub's published schema that the file in deploy/github uses.
type workflow struct {
	Name string `json:"name"`
	On   struct {
		PullRequest struct {
			Types []string `json:"types"`
		} `json:"pull_request"`
		Push struct {
			Branches []string `json:"branches"`
		} `json:"push"`
	} `json:"on"`
	Permissions map[string]string `json:"permissions"`
	Concurrency struct {
		Group  string `json:"group"`
		Cancel bool   `json:"cancel-in-progress"`
	} `json:"concurrency"`
	Jobs map[string]workflowJob `json:"jobs"`
}

type workflowJob struct {
	Needs       string            `json:"needs"`
	If          string            `json:"if"`
	RunsOn      string            `json:"runs-on"`
	Timeout     int               `json:"timeout-minutes"`
	Permissions map[string]string `json:"permissions"`
	Steps       []workflowStep    `json:"steps"`
}

type workflowStep struct {
	ID   string            `json:"id"`
	Name string            `json:"name"`
	Uses string            `json:"uses"`
	With map[string]any    `json:"with"`
	Env  map[string]string `json:"env"`
	Run  string            `json:"run"`
}

func parseWorkflow(text []byte) (w workflow, faults []error, err error) {
	text, err = yaml.YAMLToJSONStrict(text)
	if err == nil {
		faults, err = kjson.UnmarshalStrict(text, &w)
	}
	return w, faults, err
}

func readWorkflow(t *testing.T) workflow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "github", "impact.yml"))
	if err != nil {
		t.Fatal(err)
	}
	w, faults, err := parseWorkflow(text)
	if err != nil || len(faults) > 0 {
		t.Fatalf("%v, %v", err, faults)
	}
	for _, wrong := range [][2]string{{"timeout-minutes:", "timeout:"}, {"  pull_request:", "  pull_request_target:"}, {"name: impact\n", "name: impact\nname: b\n"}} {
		_, faults, err := parseWorkflow([]byte(strings.Replace(string(text), wrong[0], wrong[1], 1)))
		if err == nil && len(faults) == 0 {
			t.Errorf("%q is accepted", wrong[1])
		}
	}
	return w
}

// The job that reads the pull request has no right to write, and the one that writes has no
// checkout. No text of the pull request becomes part of a script.
func TestWorkflowIsSafe(t *testing.T) {
	w := readWorkflow(t)
	if len(w.Permissions) > 0 || w.Permissions == nil {
		t.Errorf("permissions of all jobs: %v", w.Permissions)
	}
	want := map[string]map[string]string{"impact": {"contents": "read"}, "comment": {"pull-requests": "write"}}
	if len(w.Jobs) != len(want) {
		t.Errorf("%d jobs", len(w.Jobs))
	}
	for name, job := range w.Jobs {
		if len(job.Permissions) != 1 || job.Timeout == 0 {
			t.Errorf("%s: permissions %v, timeout %d", name, job.Permissions, job.Timeout)
		}
		for scope, right := range want[name] {
			if job.Permissions[scope] != right {
				t.Errorf("%s: permissions %v", name, job.Permissions)
			}
		}
		for _, s := range job.Steps {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s: an expression in a script: %s", name, s.Run)
			}
			if s.Uses != "" && !strings.HasPrefix(s.Uses, "actions/") {
				t.Errorf("%s uses %s", name, s.Uses)
			}
			isCheckout := strings.HasPrefix(s.Uses, "actions/checkout@")
			if isCheckout && (name != "impact" || s.With["persist-credentials"] != false || s.With["fetch-depth"] != float64(0) && s.With["fetch-depth"] != int64(0)) {
				t.Errorf("%s checks out with %v", name, s.With)
			}
			if s.Run != "" {
				if out, err := exec.Command("sh", "-n", "-c", s.Run).CombinedOutput(); err != nil {
					t.Errorf("%s: %v: %s", name, err, out)
				}
			}
		}
	}
	ask := w.Jobs["impact"].Steps[1].Run
	for _, guard := range []string{"--network none", "--cap-drop ALL", "no-new-privileges", "--read-only", "$PWD:/src:ro"} {
		if !strings.Contains(ask, guard) {
			t.Errorf("the container runs without %s", guard)
		}
	}
	if !strings.Contains(w.Jobs["comment"].If, "head.repo.full_name == github.repository") {
		t.Error("a fork is asked to comment")
	}
}

// The script writes a comment, and the next time changes that one: by a gh that only notes its
// arguments.
func TestWorkflowKeepsOneComment(t *testing.T) {
	steps := readWorkflow(t).Jobs["comment"].Steps
	script := steps[len(steps)-1].Run
	marker, err := os.ReadFile(filepath.Join("..", "..", "cmd", "internal", "deliver", "impacts", "markdown.go"))
	if err != nil {
		t.Fatal(err)
	}
	if first := "<!-- patina impact -->"; !strings.Contains(script, first) || !strings.Contains(string(marker), `"`+first+`"`) {
		t.Error("the script looks for another first line than patina writes")
	}
	for earlier, want := range map[string]string{
		"": "--method POST repos/o/r/issues/7/comments", "11\n12": "--method PATCH repos/o/r/issues/comments/11",
	} {
		dir := t.TempDir()
		fake := "#!/bin/sh\ncase \"$*\" in\n*--paginate*) printf '" + earlier + "' ;;\n*) echo \"$*\" >>" + dir + "/calls ;;\nesac\n"
		if err := os.WriteFile(filepath.Join(dir, "gh"), []byte(fake), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "REPOSITORY=o/r", "NUMBER=7"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		calls, err := os.ReadFile(filepath.Join(dir, "calls"))
		if err != nil || strings.Count(string(calls), "\n") != 1 || !strings.Contains(string(calls), want+" --field body=@impact.md") {
			t.Errorf("with %q: %q, %v", earlier, calls, err)
		}
	}
}

// The container that reads the repository has no network, and the key and the login are gone when
// the job ends. No text of the repository becomes part of a script.
func TestIndexWorkflowIsSafe(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "github", "index.yml"))
	if err != nil {
		t.Fatal(err)
	}
	w, faults, err := parseWorkflow(text)
	if err != nil || len(faults) > 0 {
		t.Fatalf("%v, %v", err, faults)
	}
	job := w.Jobs["index"]
	if w.Permissions == nil || len(w.Permissions) > 0 || len(w.Jobs) != 1 || job.Timeout == 0 || len(job.Permissions) != 2 ||
		job.Permissions["contents"] != "read" || job.Permissions["packages"] != "write" {
		t.Errorf("permissions %v, of the job %v", w.Permissions, job.Permissions)
	}
	if len(job.Steps) != 3 || job.Steps[0].With["persist-credentials"] != false {
		t.Fatalf("%d steps", len(job.Steps))
	}
	for _, s := range job.Steps[1:] {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression in a script: %s", s.Run)
		}
		if out, err := exec.Command("sh", "-n", "-c", s.Run).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		for _, guard := range []string{"--cap-drop ALL", "no-new-privileges", "--read-only", "$PWD:/src:ro"} {
			if !strings.Contains(s.Run, guard) {
				t.Errorf("%s: the container runs without %s", s.Name, guard)
			}
		}
	}
	if !strings.Contains(job.Steps[1].Run, "--network none") || len(job.Steps[1].Env) != 1 {
		t.Error("what reads the repository has a network, or secrets")
	}
	if push := job.Steps[2].Run; !strings.Contains(push, "umask 077") || !strings.Contains(push, "trap 'rm -rf") {
		t.Error("the key stays")
	}
}
