// Package archive is the file by which the index of a repository travels to another machine.
//
// It is a tar of at most four members in this order: manifest.json, manifest.json.sig (which may be
// missing), index.db.zst and index.vec.zst. The manifest names the commit, the versions, and the
// size and SHA-256 of the two packed members. So whoever trusts the manifest, or the SHA-256 of the
// whole, trusts every byte. Equal parts give equal bytes.
//
// A Reader accepts exactly the output of Write: no other name, order, owner, time or padding,
// nothing before and nothing after. It unpacks no more bytes than the manifest says.
package archive

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrDamaged is wrapped by errors about bytes that are not as written.
var ErrDamaged = errors.New("the archive is damaged")

// ErrNewer is returned for an archive of a later version.
var ErrNewer = errors.New("the archive was made by a newer patina")

// Version is the version of the archive itself.
const Version = 1

// The names of the members, in their order.
const (
	manifestName  = "manifest.json"
	signatureName = "manifest.json.sig"
	databaseName  = "index.db.zst"
	vectorsName   = "index.vec.zst"
)

// The most bytes of the members that are read whole, and of an index unpacked.
const (
	maxManifest  = 16 << 10
	maxSignature = 16 << 10
	maxUnpacked  = 64 << 30
)

// A Manifest describes an archive. Its bytes are signed.
type Manifest struct {
	Archive   int    `json:"archive"`   // Version
	Commit    string `json:"commit"`    // full id
	Format    int    `json:"format"`    // version of the store
	Extractor string `json:"extractor"` // version of tokenizer and parsers
	Model     string `json:"model"`     // embedder
	Files     int    `json:"files"`
	Commits   int    `json:"commits"`
	// Uncommitted reports whether the working tree had changes that no commit has.
	Uncommitted bool   `json:"uncommitted"`
	Database    Member `json:"database"`
	Vectors     Member `json:"vectors"`
}

// A Member is a packed file.
type Member struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`  // packed
	SHA256 string `json:"sha256"` // packed
	Holds  int64  `json:"holds"`  // bytes unpacked
}

// Encode returns the manifest's bytes, which are signed.
func (m Manifest) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(m, "", "  ")
	return append(b, '\n'), err
}

// parse reads the bytes of Encode, and no others.
func (m *Manifest) parse(b []byte) error {
	if err := json.Unmarshal(b, m); err != nil {
		return fmt.Errorf("%w: its manifest is no JSON", ErrDamaged)
	}
	if m.Archive > Version {
		return ErrNewer
	}
	if again, err := m.Encode(); err != nil || !bytes.Equal(again, b) {
		return fmt.Errorf("%w: its manifest is not as written", ErrDamaged)
	}
	for _, x := range []struct {
		Member
		name string
	}{{m.Database, databaseName}, {m.Vectors, vectorsName}} {
		if x.Name != x.name || x.Bytes < 1 || x.Holds < 1 || x.Holds > maxUnpacked || x.Bytes > maxUnpacked ||
			len(x.SHA256) != 64 {
			return fmt.Errorf("%w: its manifest says impossible things of %q", ErrDamaged, x.Name)
		}
	}
	return nil
}

// blockSize is the unit of tar.
const blockSize = 512

// headerOf returns the one header that a member may have.
func headerOf(name string, size int64) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	// USTAR has sizes up to 8 GiB, and says so with an error.
	err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, Format: tar.FormatUSTAR})
	return b.Bytes(), err
}

// padding returns the number of zeros after a member.
func padding(size int64) int64 { return (blockSize - size%blockSize) % blockSize }

// Write writes an archive. manifest must be the bytes of Encode, signature may be nil, and the
// readers give the packed members.
func Write(w io.Writer, m Manifest, manifest, signature []byte, database, vectors io.Reader) error {
	put := func(name string, size int64, r io.Reader) error {
		head, err := headerOf(name, size)
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		if _, err := w.Write(head); err != nil {
			return err
		}
		if n, err := io.CopyN(w, r, size); err != nil {
			return fmt.Errorf("write %s: %d bytes of %d: %w", name, n, size, err)
		}
		_, err = w.Write(make([]byte, padding(size)))
		return err
	}
	if err := put(manifestName, int64(len(manifest)), bytes.NewReader(manifest)); err != nil {
		return err
	}
	if signature != nil {
		if err := put(signatureName, int64(len(signature)), bytes.NewReader(signature)); err != nil {
			return err
		}
	}
	if err := put(databaseName, m.Database.Bytes, database); err != nil {
		return err
	}
	if err := put(vectorsName, m.Vectors.Bytes, vectors); err != nil {
		return err
	}
	_, err := w.Write(make([]byte, 2*blockSize))
	return err
}
