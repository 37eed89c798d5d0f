package store

import "context"

// modulesFor returns what resolves the imports of some families of languages. Listing all files of a large tree takes longer than
// the rest of a question, so the first question of a process that asks of Go alone looks up the folders that imports name; whoever
// asks again gets the list.
func (r *Reader) modulesFor(ctx context.Context, snap *snapshot, families map[string]bool) (*modules, error) {
	lazy := memoOf[lazyModules](&snap.memo)
	lazy.mu.Lock()
	first := lazy.all == nil && !lazy.probed && len(families) == 1 && families["Go"]
	lazy.probed = lazy.probed || first
	lazy.mu.Unlock()
	if first {
		return r.probingModules(ctx, snap)
	}
	return r.modules(ctx, snap)
}

// probingModules is for Go alone, whose imports need nothing of other files but that there are some, and for as long as its reader.
func (r *Reader) probingModules(ctx context.Context, snap *snapshot) (*modules, error) {
	var found []listedFile
	err := r.eachRow(ctx, `SELECT key, path FROM file WHERE path = 'go.mod' OR path GLOB '*/go.mod' ORDER BY key`, nil, func(scan func(...any) error) error {
		var f listedFile
		err := scan(&f.key, &f.path)
		if snap.members.has(f.key) {
			found = append(found, f)
		}
		return err
	})
	if err != nil {
		return nil, damaged(err)
	}
	m := newModules(nil, packages{})
	m.probe = &folderProbe{ctx: ctx, reader: r, snap: snap, known: make(map[string]bool)}
	for _, f := range found {
		if body, err := r.body(ctx, f.key); err == nil { // else it is known by its path alone
			m.goMod(folderOf(f.path), body)
		}
	}
	return m, nil
}

// A folderProbe looks folders up.
type folderProbe struct {
	ctx    context.Context
	reader *Reader
	snap   *snapshot
	known  map[string]bool
	err    error // the first that a look-up met
}

func (p *folderProbe) Failed() error { return p.err }

// The files that lie in a folder itself, and at the top. "0" is what follows "/".
const (
	filesIn  = `SELECT key, language FROM file WHERE path > ?1 || '/' AND path < ?1 || '0' AND instr(substr(path, length(?1) + 2), '/') = 0`
	filesTop = `SELECT key, language FROM file WHERE instr(path, '/') = 0`
)

func (p *folderProbe) HoldsSources(folder string) bool {
	found, ok := p.known[folder]
	if ok || p.err != nil {
		return found
	}
	found, p.err = p.look(folder)
	p.known[folder] = found
	return found
}

func (p *folderProbe) look(folder string) (bool, error) {
	query, values := filesIn, []any{folder}
	if folder == "" {
		query, values = filesTop, nil
	}
	rows, err := p.reader.query(p.ctx, query, values...)
	if err != nil {
		return false, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		var language string
		if err := rows.Scan(&key, &language); err != nil {
			return false, damaged(err)
		}
		if isSourceOf(language) && p.snap.members.has(key) {
			return true, nil
		}
	}
	return false, damaged(rows.Err())
}
