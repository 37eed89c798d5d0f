package store

import (
	"context"
	"strings"
	"sync"

	"patina/store/text"
)

// A KeptText is a file's text as answers need it. Nobody changes it.
type KeptText struct {
	Body string

	cut   sync.Once
	lines text.Lines
	key   int64
	size  int // about the memory it takes once it is cut
	used  int // the time of its last use
}

// Lines returns the lines of the text without their ends. Only a text that is shown is cut.
func (t *KeptText) Lines() text.Lines {
	t.cut.Do(func() { t.lines = text.CutLines(t.Body) })
	return t.lines
}

// keptBytes bounds the texts that a generation keeps. A question reads some 15 files of 10 to 50
// KB, some of them twice: to look for what it quotes, and to be described. The next question is
// often about the same ones.
const keptBytes = 8 << 20

// keptTexts are the texts last read in a generation.
type keptTexts struct {
	mu    sync.Mutex
	clock int
	bytes int
	texts map[int64]*KeptText
}

// Kept returns a file's text, from memory if it was read not long ago. The error is sql.ErrNoRows
// as for Text.
func (r *Reader) Kept(ctx context.Context, snap *Snapshot, key int64) (*KeptText, error) {
	kept := MemoOf[keptTexts](&snap.Memo)
	if t := kept.get(key); t != nil {
		return t, nil
	}
	body, err := r.Text(ctx, key)
	if err != nil {
		return nil, err
	}
	t := &KeptText{Body: body, key: key}
	kept.put(t)
	return t, nil
}

func (k *keptTexts) get(key int64) *KeptText {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.texts[key]
	if t != nil {
		k.clock++
		t.used = k.clock
	}
	return t
}

// put keeps a text, and forgets the ones that were used longest ago if there are too many.
func (k *keptTexts) put(t *KeptText) {
	t.size = len(t.Body) + 4*(1+strings.Count(t.Body, "\n"))
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts[t.key] != nil || t.size > keptBytes/4 {
		return
	}
	if k.texts == nil {
		k.texts = make(map[int64]*KeptText)
	}
	k.clock++
	t.used = k.clock
	k.texts[t.key] = t
	for k.bytes += t.size; k.bytes > keptBytes; {
		oldest := t
		for _, x := range k.texts {
			if x.used < oldest.used {
				oldest = x
			}
		}
		delete(k.texts, oldest.key)
		k.bytes -= oldest.size
	}
}
