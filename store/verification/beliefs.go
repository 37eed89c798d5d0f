package verification

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"patina/store"
)

// A Belief is a belief's file with the checks in it.
type Belief struct {
	ID, Path string
	Checks   []Check
	More     int // checks that were left out

	statement, text string
}

// A Verified is a belief with its outcomes, in the order of its checks.
type Verified struct {
	ID, Path string
	Outcomes []Outcome
	More     int // checks that were left out
}

// Verify runs the checks of beliefs: of those with the ids, or of all. It lists the ids without a
// belief. Checks that have not begun within the time are Broken.
func Verify(ctx context.Context, from Source, ids []string, within time.Duration) (out []Verified, missing []string, err error) {
	r, err := NewRunner(ctx, from)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	beliefs, missing, err := r.from.beliefs(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	end := time.Now().Add(within)
	for _, b := range beliefs {
		v := Verified{ID: b.ID, Path: b.Path, More: b.More}
		for _, c := range b.Checks {
			o := Outcome{Check: c, Status: Broken, Detail: fmt.Sprintf("not run: the checks before it took %s", within)}
			if time.Now().Before(end) {
				if o, err = r.Run(ctx, c); err != nil {
					return nil, nil, err
				}
			}
			v.Outcomes = append(v.Outcomes, o)
		}
		out = append(out, v)
	}
	return out, missing, nil
}

// isBelief reports whether a path is a belief's file: layer/…/beliefs/NAME.md.
func isBelief(p string) bool {
	return strings.HasPrefix(p, "layer/") && path.Base(path.Dir(p)) == "beliefs" && strings.HasSuffix(p, ".md")
}

// beliefs reads the beliefs with the ids, or all, by id.
func (s *source) beliefs(ctx context.Context, ids []string) (out []Belief, missing []string, err error) {
	files, err := s.Reader.Files(ctx, s.snapshot)
	if err != nil {
		return nil, nil, err
	}
	found := make(map[string]bool)
	for _, f := range files {
		if !isBelief(f.Path) {
			continue
		}
		text, err := s.Reader.Text(ctx, f.Key)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, nil, store.Damaged(err)
		}
		b := Belief{ID: patternOf(f.Path, text).id, Path: f.Path, statement: statementOf(text), text: text}
		if found[b.ID] = true; len(ids) == 0 || slices.Contains(ids, b.ID) {
			b.Checks, b.More = Blocks(text)
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b Belief) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path)) })
	for _, id := range ids {
		if !found[id] {
			missing = append(missing, id)
		}
	}
	return out, missing, nil
}

// statementOf is the first line of text below the title.
func statementOf(text string) string {
	_, body := frontMatter(text)
	_, below, _ := strings.Cut("\n"+body, "\n# ")
	_, below, _ = strings.Cut(below, "\n")
	for line := range strings.Lines(below) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return clip(line)
		}
	}
	return ""
}
