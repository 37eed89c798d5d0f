package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// window is the most history that unpacking keeps, in bytes. An encoder may ask for no more.
const window = 8 << 20

// PackDatabase packs the database of an index and returns its member.
func PackDatabase(w io.Writer, r io.Reader) (Member, error) { return pack(w, r, databaseName) }

// PackVectors packs the vectors of an index and returns their member.
func PackVectors(w io.Writer, r io.Reader) (Member, error) { return pack(w, r, vectorsName) }

func pack(w io.Writer, r io.Reader, name string) (Member, error) {
	sum, count := sha256.New(), &counter{}
	// One block after the other gives the same bytes on any number of processors.
	z, err := zstd.NewWriter(io.MultiWriter(w, sum, count), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return Member{}, err
	}
	n, err := io.Copy(z, r)
	if err = errors.Join(err, z.Close()); err != nil {
		return Member{}, fmt.Errorf("pack %s: %w", name, err)
	}
	return Member{Name: name, Bytes: count.n, SHA256: hex.EncodeToString(sum.Sum(nil)), Holds: n}, nil
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// unpackTo writes the content of a packed member, which must have exactly so many bytes.
func unpackTo(w io.Writer, packed *exactly, holds int64) error {
	z, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		return packed.explain(err)
	}
	defer z.Close()
	n, err := io.Copy(w, &unpacked{z: z, packed: packed, left: holds})
	if err == nil && n != holds {
		err = fmt.Errorf("%w: it unpacks to %d bytes, not %d", ErrDamaged, n, holds)
	}
	return err
}

// unpacked reads from a decoder, and no more than announced.
type unpacked struct {
	z      *zstd.Decoder
	packed *exactly
	left   int64
}

func (u *unpacked) Read(b []byte) (int, error) {
	n, err := u.z.Read(b)
	if u.left -= int64(n); u.left < 0 {
		return 0, fmt.Errorf("%w: it unpacks to more bytes than its manifest says", ErrDamaged)
	}
	return n, u.packed.explain(err)
}
