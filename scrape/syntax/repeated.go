package syntax

import "sync"

const (
	mostOutlines = 64       // that are stored
	longestKept  = 16 << 10 // bytes of a text whose outline is stored
)

// repeatedOutlines has the outlines of programs in pages. It saves time because a generator writes
// the same scripts into each page: 4,255 pages of Dokka have 34 different programs, and reading all
// of them takes 1.4 s.
var repeatedOutlines outlineCache

// An outlineCache stores the outlines of the short texts that were read last. Its zero value is
// empty. It may be used concurrently.
type outlineCache struct {
	mu    sync.Mutex
	kept  map[outlineKey]*Outline
	order []outlineKey // the oldest first
}

type outlineKey struct{ language, text string }

// read returns the outline of a text, which must not be changed because it is shared.
func (o *outlineCache) read(language string, text []byte) (*Outline, error) {
	if len(text) > longestKept {
		return Read(language, text)
	}
	key := outlineKey{language, string(text)}
	o.mu.Lock()
	out := o.kept[key]
	o.mu.Unlock()
	if out != nil {
		return out, nil
	}
	out, err := Read(language, text)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept[key] != nil {
		return out, nil
	}
	if o.kept == nil {
		o.kept = make(map[outlineKey]*Outline)
	}
	if len(o.order) == mostOutlines {
		delete(o.kept, o.order[0])
		o.order = o.order[1:]
	}
	o.kept[key], o.order = out, append(o.order, key)
	return out, nil
}
