package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"patina/belief/knowledge"
)

// A Belief is a belief's file with the checks in it.
type Belief struct {
	ID, Path string
	Line     int  // of its statement
	ByOthers bool // as in belief.Belief
	Checks   []Check
	More     int // number of checks left out

	statement, text string
}

// A Verified is a belief with its outcomes, in the order of its checks.
type Verified struct {
	ID, Path string
	Outcomes []Outcome
	More     int // number of checks left out
}

// Run runs the checks of the beliefs with the ids, or of all if ids is empty. missing are the ids
// without a belief. Checks that have not begun after within are Broken.
func Run(ctx context.Context, from Source, ids []string, within time.Duration) (out []Verified, missing []string,
	err error,
) {
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

// beliefs returns the beliefs with the ids, or all if ids is empty, by id.
func (s *source) beliefs(ctx context.Context, ids []string) (out []Belief, missing []string, err error) {
	files, err := knowledge.All(ctx, s.Reader)
	if err != nil {
		return nil, nil, err
	}
	found := make(map[string]bool)
	for _, f := range files {
		if found[f.ID] = true; len(ids) == 0 || slices.Contains(ids, f.ID) {
			b := Belief{
				ID: f.ID, Path: f.Path, Line: f.Line, ByOthers: f.ByOthers, statement: f.Statement,
				text: f.Text,
			}
			b.Checks, b.More = Blocks(f.Text)
			out = append(out, b)
		}
	}
	for _, id := range ids {
		if !found[id] {
			missing = append(missing, id)
		}
	}
	return out, missing, nil
}
