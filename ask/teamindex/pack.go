// Package teamindex gives the index of a repository to another machine, and takes one from there.
//
// An index travels as an archive (store/archive) that is keyed by its commit and by the versions
// that decide its answers. It becomes the user's own only if a key that the user trusts has signed
// it, or if the user has given its SHA-256, and only where the repository has its commit and the
// program has its versions. Registries of containers keep archives (OCI artifacts). No other
// package speaks with them.
package teamindex

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"patina/ask/project"
	"patina/internal/sshsig"
	"patina/store/archive"
)

// Namespace is that of signatures over archives: a signature for anything else is worth nothing.
const Namespace = "patina-index"

// Options say how an index is packed.
type Options struct {
	Key         string // signs; see sshsig.Sign; empty for no signature
	Uncommitted bool   // files that no commit has come along
	Progress    Progress
}

// A Progress is told how many bytes of a step are done. It may be nil.
type Progress func(step string, done, total int64)

// A Packed is an archive that is ready to be written. The caller must close it.
type Packed struct {
	Manifest  archive.Manifest
	Changed   int    // files that no commit has
	Signature []byte // nil if it is not signed

	manifest          []byte
	database, vectors *os.File // packed, without names
}

// Pack makes an archive of a place's index.
func Pack(ctx context.Context, p project.Place, o Options) (_ *Packed, err error) {
	x, changed, err := p.Take(ctx, o.Uncommitted)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	k := &Packed{Changed: changed}
	defer func() {
		if err != nil {
			err = errors.Join(err, k.Close())
		}
	}()
	m := &k.Manifest
	*m = archive.Manifest{
		Archive: archive.Version, Commit: x.Generation.Head, Format: project.OwnVersions().Format,
		Extractor: x.Extractor, Model: x.Model, Files: x.Generation.Files, Commits: x.Generation.Commits,
		Uncommitted: changed > 0,
	}
	info, err := x.Database.Stat()
	if err != nil {
		return nil, err
	}
	total := info.Size() + x.VectorBytes
	if k.database, err = scratch(); err != nil {
		return nil, err
	}
	from := &reported{ctx: ctx, r: x.Database, step: "packing", total: total, report: o.Progress}
	if m.Database, err = archive.PackDatabase(k.database, from); err != nil {
		return nil, err
	}
	if k.vectors, err = scratch(); err != nil {
		return nil, err
	}
	from.r = io.LimitReader(x.Vectors, x.VectorBytes)
	if m.Vectors, err = archive.PackVectors(k.vectors, from); err != nil {
		return nil, err
	}
	if k.manifest, err = m.Encode(); err != nil {
		return nil, err
	}
	if o.Key != "" {
		k.Signature, err = sshsig.Sign(o.Key, Namespace, k.manifest)
	}
	return k, err
}

// scratch returns a file without a name, which goes with the process.
func scratch() (*os.File, error) {
	f, err := os.CreateTemp("", "patina-index-")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// Close gives back the space of the archive.
func (k *Packed) Close() error {
	var err error
	for _, f := range []*os.File{k.database, k.vectors} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// Write writes the archive, and returns its bytes and its SHA-256. Each call writes the same.
func (k *Packed) Write(ctx context.Context, w io.Writer) (n int64, sum string, err error) {
	for _, f := range []*os.File{k.database, k.vectors} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return 0, "", err
		}
	}
	h, count := sha256.New(), &counted{}
	err = archive.Write(io.MultiWriter(w, h, count), k.Manifest, k.manifest, k.Signature,
		&reported{ctx: ctx, r: k.database}, &reported{ctx: ctx, r: k.vectors})
	return count.n, hex.EncodeToString(h.Sum(nil)), err
}

type counted struct{ n int64 }

func (c *counted) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// reported is a reader that ends with its context and reports the bytes read.
type reported struct {
	ctx         context.Context
	r           io.Reader
	step        string
	done, total int64
	report      Progress
}

func (p *reported) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.r.Read(b)
	if p.done += int64(n); p.report != nil {
		p.report(p.step, p.done, p.total)
	}
	return n, err
}
