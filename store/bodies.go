package store

import (
	"context"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// parts are the entries and chunks of one file.
type parts struct {
	file    fileRow
	entries []Entry
	chunks  []span
}

func openParts(f fileRow) (parts, error) {
	es, err := decodeEntries(f.entries)
	if err != nil {
		return parts{}, err
	}
	cs, err := decodeChunks(f.chunks)
	for _, c := range cs {
		if c.entry >= len(es) {
			return parts{}, ErrDamaged
		}
	}
	return parts{f, es, cs}, err
}

var decoders = func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return d
}()

// body returns a file's whole text, or sql.ErrNoRows if the store has none (it is found by path alone).
func (r *Reader) body(ctx context.Context, key int64) (string, error) {
	var frame []byte
	if err := r.queryRow(ctx, `SELECT frame FROM body WHERE key = ?`, key).Scan(&frame); err != nil {
		return "", err
	}
	b, err := decoders.DecodeAll(frame, nil)
	if err != nil {
		return "", joined{ErrDamaged, err}
	}
	return string(b), nil
}

// lines returns lines first..last of a text, counted from 1.
func lines(s string, first, last int) string {
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

func unix(t int64) time.Time { return time.Unix(t, 0).UTC() }
