package teamindex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"patina/ask/project"
	"patina/internal/sshsig"
	"patina/store/archive"
)

// The reasons why an archive is refused, besides archive.ErrDamaged, sshsig.ErrSignature and
// sshsig.ErrUntrusted.
var (
	// ErrNoTrust means that the caller has named no key and no digest.
	ErrNoTrust = errors.New("nothing says that this index can be trusted")
	// ErrUnsigned means that trusted keys are given, and the archive has no signature.
	ErrUnsigned = errors.New("the archive is not signed")
	// ErrDigest means that the archive has another SHA-256 than the one given.
	ErrDigest = errors.New("the archive has another SHA-256")
	// ErrCommit means that the repository does not have the archive's commit.
	ErrCommit = errors.New("this repository does not have the commit of the index")
	// ErrVersion means that the archive was made by another version of patina.
	ErrVersion = errors.New("the index was made by another version of patina")
)

// A Trust makes an archive trusted, by one of the two or both.
type Trust struct {
	Keys   string // file with the keys that may have signed it (sshsig.Verify)
	Digest string // SHA-256 of the archive, in hexadecimal
}

// Check returns an error unless the trust is complete.
func (t Trust) Check() error {
	switch {
	case t.Keys == "" && t.Digest == "":
		return ErrNoTrust
	case t.Digest != "" && (len(t.Digest) != 64 || strings.Trim(t.Digest, "0123456789abcdef") != ""):
		return fmt.Errorf("%q is no SHA-256: want 64 hexadecimal digits in lower case", t.Digest)
	}
	return nil
}

// An Imported describes an index that was taken over.
type Imported struct {
	Manifest archive.Manifest
	Bytes    int64  // of the archive
	SHA256   string // of the archive
	SignedBy string // as the file of trusted keys names them; empty without a signature that counts
}

// Import makes the index in an archive the place's own. Until all of it is known to be right, the
// previous index answers, and if anything is wrong it stays.
func Import(
	ctx context.Context, p project.Place, r io.Reader, t Trust, notNoted func(error),
) (x Imported, err error) {
	if err := t.Check(); err != nil {
		return x, err
	}
	count := &counted{}
	a, err := archive.Open(ctx, io.TeeReader(r, count))
	if err != nil {
		return x, err
	}
	x.Manifest = a.Manifest
	if t.Keys != "" {
		if a.Signature == nil {
			return x, ErrUnsigned
		}
		if x.SignedBy, err = sshsig.Verify(t.Keys, Namespace, a.Signed, a.Signature, time.Now()); err != nil {
			return x, err
		}
	}
	if err := checkVersions(a.Manifest); err != nil {
		return x, err
	}
	switch held, err := p.Has(ctx, a.Manifest.Commit); {
	case err != nil:
		return x, err
	case !held:
		return x, fmt.Errorf("%w, %.12s", ErrCommit, a.Manifest.Commit)
	}
	_, err = p.Install(ctx, a.Manifest.Commit, notNoted, func(database, vectors io.Writer) error {
		if err := a.Unpack(database, vectors); err != nil {
			return err
		}
		if x.SHA256 = a.Sum(); t.Digest != "" && x.SHA256 != t.Digest {
			return fmt.Errorf("%w: %s", ErrDigest, x.SHA256)
		}
		return nil
	})
	x.Bytes = count.n
	return x, err
}

// checkVersions returns an error unless an index answers here as where it was made.
func checkVersions(m archive.Manifest) error {
	own := project.OwnVersions()
	for _, v := range []struct{ what, theirs, here string }{
		{"store format", fmt.Sprint(m.Format), fmt.Sprint(own.Format)},
		{"parsers", m.Extractor, own.Extractor},
		{"model", m.Model, own.Model},
	} {
		if v.theirs != v.here {
			return fmt.Errorf("%w: its %s is %q, here it is %q", ErrVersion, v.what, v.theirs, v.here)
		}
	}
	return nil
}
