package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"patina/ask/project"
	"patina/belief/knowledge"
	"patina/internal/safeio"
	"patina/registry"
)

// A visit is one session of an agent with a project, as sessions.json keeps it.
type visit struct {
	ID    string            `json:"id"` // a hash of the session's id
	Began time.Time         `json:"began"`
	Held  map[string]string `json:"beliefs,omitempty"` // fingerprints by id; nil: not known
}

// Limits for sessions.json.
const (
	maxVisits    = 16
	heldVisits   = 4     // newest visits that keep their beliefs
	maxBeliefs   = 2_000 // of a visit, by id
	maxVisitFile = 4 << 20
	visitWait    = 60 * time.Millisecond // for another process that writes the file
)

// visitsFile returns the path of a project's record of sessions. It is derived: without it, no
// changes of beliefs are told until the session after next.
func visitsFile(p project.Place) string {
	return filepath.Join(p.Home, "projects", p.ID, "sessions.json")
}

// recordVisit returns the visit with an id and the one before it. A new visit is recorded with the
// given beliefs, and begins now. Without an id nothing is recorded, and the newest visit is
// returned. A zero visit is not known.
func recordVisit(ctx context.Context, p project.Place, id string, now time.Time, held map[string]string) (
	this, before visit, err error,
) {
	if p.ID == "" {
		return this, before, nil
	}
	if id == "" {
		all, err := readVisits(visitsFile(p))
		if len(all) > 0 {
			this = all[len(all)-1]
		}
		return this, visitBefore(all, this.ID), err
	}
	sum := sha256.Sum256([]byte(id))
	id = hex.EncodeToString(sum[:8])
	lock, err := os.OpenFile(visitsFile(p)+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return this, before, err
	}
	defer func() { _ = lock.Close() }()
	if err := safeio.Lock(ctx, lock, visitWait); err != nil {
		return this, before, err
	}
	all, err := readVisits(visitsFile(p))
	if err != nil {
		return this, before, err
	}
	if at := slices.IndexFunc(all, func(v visit) bool { return v.ID == id }); at >= 0 {
		return all[at], visitBefore(all, id), nil
	}
	this = visit{ID: id, Began: now.UTC(), Held: held}
	before = visitBefore(all, id)
	return this, before, writeVisits(visitsFile(p), append(all, this))
}

// visitBefore returns the last visit before the one with an id, or the last one of all, whose
// beliefs are known. If there is no such visit, it is zero.
func visitBefore(all []visit, id string) visit {
	if at := slices.IndexFunc(all, func(v visit) bool { return v.ID == id }); at >= 0 {
		all = all[:at]
	}
	for _, v := range slices.Backward(all) {
		if v.Held != nil {
			return v
		}
	}
	return visit{}
}

// readVisits returns the recorded visits, the oldest first. A file that cannot be parsed counts as
// empty, because it is derived and will be replaced.
func readVisits(file string) (all []visit, err error) {
	data, err := safeio.ReadFile(file, maxVisitFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safeio.ErrTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	if json.Unmarshal(data, &all) != nil {
		return nil, nil
	}
	slices.SortStableFunc(all, func(a, b visit) int { return a.Began.Compare(b.Began) })
	return all, nil
}

func writeVisits(file string, all []visit) error {
	all = slices.Clone(all[max(0, len(all)-maxVisits):])
	for i := range all[:max(0, len(all)-heldVisits)] {
		all[i].Held = nil
	}
	data, err := json.Marshal(all)
	if err == nil {
		err = registry.ReplaceFile(file, data)
	}
	if err != nil {
		return fmt.Errorf("write sessions: %w", err)
	}
	return nil
}

// fingerprints returns a fingerprint of each belief by its id, and its statement. Of very many
// beliefs it takes the first ones.
func fingerprints(all []knowledge.Held) (held, statements map[string]string) {
	held, statements = map[string]string{}, map[string]string{}
	for _, b := range all {
		if len(held) == maxBeliefs {
			break
		}
		if b.ByOthers {
			continue
		}
		sum := sha256.Sum256([]byte(b.Status + "\x00" + b.Statement + "\x00" + strconv.FormatFloat(b.Entrenchment, 'g', -1, 64)))
		held[b.ID], statements[b.ID] = hex.EncodeToString(sum[:4]), b.Statement
	}
	return held, statements
}

// changesOf compares the fingerprints of beliefs. New ones come first, then by id.
func changesOf(before, now, statements map[string]string) (all []BeliefChange) {
	for id, print := range now {
		if old, ok := before[id]; !ok {
			all = append(all, BeliefChange{"new", id, statements[id]})
		} else if old != print {
			all = append(all, BeliefChange{"changed", id, statements[id]})
		}
	}
	for id := range before {
		if _, ok := now[id]; !ok && len(now) < maxBeliefs {
			all = append(all, BeliefChange{How: "gone", ID: id})
		}
	}
	rank := map[string]int{"new": 0, "changed": 1, "gone": 2}
	slices.SortFunc(all, func(a, b BeliefChange) int { return cmp.Or(rank[a.How]-rank[b.How], cmp.Compare(a.ID, b.ID)) })
	return all
}
