package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Task asks which files must change for a described change. The answer is the files of the commit
// that made it.
type Task struct {
	ID       string   `json:"id"`
	Repo     string   `json:"repo"`     // owner/name
	Name     string   `json:"name"`     // folder of the clone
	Revision string   `json:"revision"` // full sha of the tree before the change
	Commit   string   `json:"commit"`   // the change itself, hidden from both agents
	Task     string   `json:"task"`
	Files    []string `json:"files"` // at the revision; wanted
	// RG holds arguments for ripgrep, one search each, as typed into a shell.
	RG []string `json:"rg"`
}

// LoadTasks reads a JSON list of tasks. An error names the file and the task.
func LoadTasks(path string) ([]Task, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	ts, err := parseTasks(b)
	if err != nil {
		return nil, fmt.Errorf("read tasks %q: %w", path, err)
	}
	return ts, nil
}

func parseTasks(b []byte) ([]Task, error) {
	var ts []Task
	if err := decode(b, &ts); err != nil {
		return nil, fmt.Errorf("not a JSON list of tasks: %w", err)
	}
	if len(ts) == 0 {
		return nil, errors.New("no tasks")
	}
	for i, t := range ts {
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("task %d: %w", i+1, err)
		}
		if slices.ContainsFunc(ts[:i], func(x Task) bool { return x.ID == t.ID }) {
			return nil, fmt.Errorf("task %d: field \"id\": %q stands there twice", i+1, t.ID)
		}
	}
	return ts, nil
}

func (t Task) check() error {
	switch {
	case strings.TrimSpace(t.ID) == "":
		return errors.New(`field "id" is missing or empty`)
	case strings.TrimSpace(t.Task) == "":
		return errors.New(`field "task" is missing or empty`)
	case !filepath.IsLocal(t.Name) || t.Name != filepath.Base(t.Name) || t.Name == ".":
		return fmt.Errorf("field \"name\": %q is not the name of a folder", t.Name)
	case !isSHA(t.Revision):
		return fmt.Errorf("field \"revision\": %q is not a full sha", t.Revision)
	case len(t.Files) == 0:
		return errors.New(`field "files" is missing or empty`)
	}
	for i, f := range t.Files {
		if !filepath.IsLocal(f) || slices.Contains(t.Files[:i], f) {
			return fmt.Errorf("field \"files\": %q is no path from the root, or stands there twice", f)
		}
	}
	for _, x := range t.RG {
		if _, err := RipgrepArgs(x); err != nil {
			return fmt.Errorf("field \"rg\": %w", err)
		}
	}
	return nil
}

// Files lists the paths in a commit's tree.
func Files(ctx context.Context, gitDir, commit string) ([]string, error) {
	out, err := runGit(ctx, gitDir, "ls-tree", "-r", "-z", "--name-only", commit)
	if err != nil {
		return nil, fmt.Errorf("list files of %q: %w", gitDir, err)
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), nil
}

// A Play is one agent's work on one task.
type Play struct {
	Calls  []Call `json:"calls"`
	Tokens int    `json:"tokens"` // printed by all calls
	Seen   int    `json:"seen"`   // wanted files printed
	All    bool   `json:"all"`    // all wanted files are
	Paths  int    `json:"paths"`  // files of the tree printed, wanted or not
}

// A Call is one use of a tool.
type Call struct {
	Made   string   `json:"made"`
	Tokens int      `json:"tokens"`         // bytes printed / 4
	Seen   []string `json:"seen,omitempty"` // wanted files, printed for the first time
}

const (
	mostCalls     = 8
	bytesPerToken = 4
)

// A nextCall makes an agent's next call. made is empty at the end of its script.
type nextCall func(ctx context.Context) (made, printed string, err error)

// play follows an agent until all wanted files were printed, or eight calls are spent. A file is
// seen when its path from the root stands in the output.
func (t Task) play(ctx context.Context, tree []string, next nextCall) (Play, error) {
	var p Play
	for _, f := range t.Files {
		if !slices.Contains(tree, f) {
			return p, fmt.Errorf("play task %q: no file %q in the tree", t.ID, f)
		}
	}
	seen := map[string]bool{}
	for len(p.Calls) < mostCalls && !p.All {
		made, printed, err := next(ctx)
		if err != nil {
			return p, fmt.Errorf("play task %q: %w", t.ID, err)
		}
		if made == "" {
			break
		}
		c := Call{Made: made, Tokens: len(printed) / bytesPerToken}
		for _, f := range tree {
			if seen[f] || !names(printed, f) {
				continue
			}
			seen[f] = true
			if slices.Contains(t.Files, f) {
				c.Seen = append(c.Seen, f)
			}
		}
		p.Calls = append(p.Calls, c)
		p.Tokens += c.Tokens
		p.Seen += len(c.Seen)
		p.All = p.Seen == len(t.Files)
	}
	p.Paths = len(seen)
	return p, nil
}

// names reports whether a path stands in a text by itself: not as the end of a longer path, nor as
// its beginning. "./" may stand before it, and the full stop of a sentence behind.
func names(text, path string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], path)
		if at < 0 {
			return false
		}
		at += from
		before, after := strings.TrimSuffix(text[:at], "./"), text[at+len(path):]
		after = strings.TrimPrefix(after, ".")
		if !endsInPath(before) && (after == "" || !inPath(after[0])) {
			return true
		}
		from = at + 1
	}
}

func endsInPath(s string) bool { return s != "" && inPath(s[len(s)-1]) }

// inPath reports whether a byte continues a path. Other characters of a path are rare, and they
// stand next to paths in tools' output.
func inPath(c byte) bool {
	return c == '/' || c == '.' || c == '_' || c == '-' || c >= 0x80 ||
		'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
