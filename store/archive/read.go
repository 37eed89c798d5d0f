package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

// A Reader reads an archive once, from its beginning to its end.
type Reader struct {
	Manifest  Manifest
	Signed    []byte // the bytes of the manifest
	Signature []byte // nil if there is none

	from    io.Reader // tees into sum
	sum     hash.Hash
	pending []byte // the header that follows the signature's place
}

// Open reads the manifest and the signature of an archive. Nothing in them is verified: the caller
// must check the signature over Signed, or Sum after Close.
func Open(ctx context.Context, r io.Reader) (*Reader, error) {
	a := &Reader{sum: sha256.New()}
	a.from = io.TeeReader(&cancelled{ctx, r}, a.sum)
	var err error
	if a.Signed, err = a.small(manifestName, maxManifest); err != nil {
		return nil, err
	}
	if err := a.Manifest.parse(a.Signed); err != nil {
		return nil, err
	}
	head, err := a.block()
	if err != nil {
		return nil, err
	}
	if a.pending = head; nameIn(head) == signatureName {
		if a.Signature, err = a.small(signatureName, maxSignature); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Unpack writes the two files of the index. It returns an error for anything that is not as the
// manifest says, and for bytes that follow. The caller must then drop all that was written.
func (a *Reader) Unpack(database, vectors io.Writer) error {
	if err := a.unpack(a.Manifest.Database, database); err != nil {
		return err
	}
	if err := a.unpack(a.Manifest.Vectors, vectors); err != nil {
		return err
	}
	if err := a.zeros(2 * blockSize); err != nil {
		return err
	}
	switch n, err := io.ReadFull(a.from, make([]byte, 1)); {
	case n > 0:
		return fmt.Errorf("%w: bytes follow its end", ErrDamaged)
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

// Sum returns the SHA-256 of the whole archive, in hexadecimal, once Unpack has returned nil.
func (a *Reader) Sum() string { return hex.EncodeToString(a.sum.Sum(nil)) }

// block reads the next header.
func (a *Reader) block() ([]byte, error) {
	if b := a.pending; b != nil {
		a.pending = nil
		return b, nil
	}
	b := make([]byte, blockSize)
	return b, a.full(b)
}

// full fills b.
func (a *Reader) full(b []byte) error {
	_, err := io.ReadFull(a.from, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it is cut short", ErrDamaged)
	}
	return err
}

// zeros reads n zeros.
func (a *Reader) zeros(n int64) error {
	b := make([]byte, n)
	if err := a.full(b); err != nil {
		return err
	}
	if len(bytes.Trim(b, "\x00")) > 0 {
		return fmt.Errorf("%w: something hides in its padding", ErrDamaged)
	}
	return nil
}

// nameIn returns the name in a header, or "".
func nameIn(head []byte) string {
	h, err := tar.NewReader(bytes.NewReader(head)).Next()
	if err != nil {
		return ""
	}
	return h.Name
}

// openMember reads a member's header, which must be the one that Write writes. It returns the size.
func (a *Reader) openMember(name string, most int64) (int64, error) {
	head, err := a.block()
	if err != nil {
		return 0, err
	}
	h, err := tar.NewReader(bytes.NewReader(head)).Next()
	if err != nil {
		return 0, fmt.Errorf("%w: where %q is expected is no header of a member", ErrDamaged, name)
	}
	if h.Size < 1 || h.Size > most {
		return 0, fmt.Errorf("%w: its member %q has %d bytes, at most %d may be", ErrDamaged, h.Name, h.Size, most)
	}
	want, err := headerOf(name, h.Size)
	if err != nil || !bytes.Equal(head, want) {
		return 0, fmt.Errorf("%w: its member %q is not %q as it must be", ErrDamaged, h.Name, name)
	}
	return h.Size, nil
}

// small reads a member whole.
func (a *Reader) small(name string, most int64) ([]byte, error) {
	size, err := a.openMember(name, most)
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	if err := a.full(b); err != nil {
		return nil, err
	}
	return b, a.zeros(padding(size))
}

// unpack writes the content of a packed member.
func (a *Reader) unpack(m Member, w io.Writer) error {
	size, err := a.openMember(m.Name, m.Bytes)
	if err == nil && size != m.Bytes {
		err = fmt.Errorf("%w: %s has %d bytes, not %d", ErrDamaged, m.Name, size, m.Bytes)
	}
	if err != nil {
		return err
	}
	sum := sha256.New()
	packed := &exactly{a: a, sum: sum, left: size}
	unpacking := unpackTo(w, packed, m.Holds)
	if unpacking == nil || errors.Is(unpacking, ErrDamaged) {
		// The rest is read in any case, so that a changed byte is named as such.
		if _, err := io.Copy(io.Discard, packed); err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != m.SHA256 {
			return fmt.Errorf("%w: %s has another SHA-256 than the manifest says", ErrDamaged, m.Name)
		}
	}
	if unpacking != nil {
		return fmt.Errorf("%s: %w", m.Name, unpacking)
	}
	return a.zeros(padding(size))
}

// exactly reads the bytes of one member, and sums them up.
type exactly struct {
	a    *Reader
	sum  hash.Hash
	left int64
	err  error // of the last reading, but for the end
}

func (e *exactly) Read(b []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.a.from.Read(b[:min(int64(len(b)), e.left)])
	e.left -= int64(n)
	e.sum.Write(b[:n])
	if errors.Is(err, io.EOF) && e.left > 0 {
		err = fmt.Errorf("%w: it is cut short", ErrDamaged)
	} else if errors.Is(err, io.EOF) {
		err = nil
	}
	e.err = err
	return n, err
}

// explain returns an error of the decoder: damage, unless reading itself has failed.
func (e *exactly) explain(err error) error {
	switch {
	case e.err != nil:
		return e.err
	case err == nil || errors.Is(err, io.EOF):
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// cancelled reads until its context ends.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelled) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
