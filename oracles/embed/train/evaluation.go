package train

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
)

//go:embed evaluation.txt
var evaluationList string

// evaluationSources returns the commits in the committed list.
func evaluationSources() ([]Source, error) {
	var out []Source
	for line := range strings.Lines(evaluationList) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		if len(fields) != 2 || !commit.MatchString(fields[1]) {
			return nil, fmt.Errorf("read evaluation sources: want name and commit, not %q", line)
		}
		out = append(out, Source{Name: fields[0], Version: fields[1]})
	}
	return out, nil
}

// ReadEvaluation returns the windows of everything on which the project is measured: the commits in
// the committed list, and some folders. folders may be nil.
func ReadEvaluation(ctx context.Context, folders []string, o Options) (*Windows, error) {
	w := NewWindows()
	for _, folder := range folders {
		if err := w.AddFolder(folder); err != nil {
			return nil, fmt.Errorf("read evaluation folder %q: %w", folder, err)
		}
	}
	sources, err := evaluationSources()
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		dir, err := repository(ctx, s, o.Cache, o.Mirrors)
		if err != nil {
			return nil, err
		}
		files, err := committed(ctx, dir, s.Version, anyText)
		if err != nil {
			return nil, fmt.Errorf("read evaluation source %q: %w", s.Name, err)
		}
		for _, f := range files {
			w.Add(f.text)
		}
	}
	fmt.Fprintf(o.Log, "%d windows of %d evaluation commits and %d folders\n", len(w.known), len(sources), len(folders))
	return w, nil
}
