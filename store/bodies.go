package store

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Parts are the entries and chunks of one file.
type Parts struct {
	File    FileRow
	Entries []Entry
	Chunks  []Span
}

func OpenParts(f FileRow) (Parts, error) {
	es, err := DecodeEntries(f.Entries)
	if err != nil {
		return Parts{}, err
	}
	cs, err := decodeChunks(f.chunks)
	for _, c := range cs {
		if c.Entry >= len(es) {
			return Parts{}, ErrDamaged
		}
	}
	return Parts{f, es, cs}, err
}

var decoders = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return d
})

// body returns a file's whole text, or sql.ErrNoRows if the store has none (it is found by path alone).
func (r *Reader) Text(ctx context.Context, key int64) (string, error) {
	var frame []byte
	if err := r.QueryRow(ctx, `SELECT frame FROM body WHERE key = ?`, key).Scan(&frame); err != nil {
		return "", err
	}
	b, err := decoders().DecodeAll(frame, nil)
	if err != nil {
		return "", joined{ErrDamaged, err}
	}
	return string(b), nil
}

// Lines returns lines first..last of a text, counted from 1.
func Lines(s string, first, last int) string {
	for i := 1; i < first; i++ {
		_, rest, ok := strings.Cut(s, "\n")
		if !ok {
			return ""
		}
		s = rest
	}
	end := 0
	for i := first; i <= last; i++ {
		n := strings.IndexByte(s[end:], '\n')
		if n < 0 {
			return s
		}
		end += n + 1
	}
	return strings.TrimSuffix(s[:end], "\n")
}

func Unix(t int64) time.Time { return time.Unix(t, 0).UTC() }
