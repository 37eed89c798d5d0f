package train

import (
	"bufio"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed sources.txt
var sourceList string

// A Source is a repository at a commit, a Go module at a version, or Go's standard library.
type Source struct {
	Name    string // owner/name on github.com, a module path, or "std"
	Version string // full commit, module version, or Go version
	Licence string // SPDX, several with commas; must be the detected one
	Held    bool   // kept out of training, for evaluation
}

// standard is the name of Go's standard library in the list.
const standard = "std"

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// Repository reports whether the source is a git repository.
func (s Source) Repository() bool { return commit.MatchString(s.Version) }

// Sources returns the committed list.
func Sources() ([]Source, error) { return readSources(sourceList) }

// readSources reads a list with one source a line: name, version and licence, then "held" if it is
// kept for evaluation. It returns an error for a refused name or a name that is listed twice.
func readSources(list string) ([]Source, error) {
	var out []Source
	seen := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(list))
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 3 || len(fields) > 4 || len(fields) == 4 && fields[3] != "held" {
			return nil, fmt.Errorf("read sources: line %d: want name, version, licence and perhaps \"held\", not %q",
				n, lines.Text())
		}
		s := Source{Name: fields[0], Version: fields[1], Licence: fields[2], Held: len(fields) == 4}
		if refused, ok := Refused(s.Name); ok {
			return nil, fmt.Errorf("read sources: line %d: %q is %q, which must not be trained on", n, s.Name, refused)
		}
		if seen[strings.ToLower(s.Name)] {
			return nil, fmt.Errorf("read sources: line %d: %q is there twice", n, s.Name)
		}
		seen[strings.ToLower(s.Name)] = true
		out = append(out, s)
	}
	return out, lines.Err()
}
