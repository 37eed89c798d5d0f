package teamindex

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"
	"oras.land/oras-go/v2/registry/remote/retry"

	"patina/ask/project"
	"patina/store/archive"
)

// The types and annotations by which a registry knows an index.
const (
	artifactType = "application/vnd.patina.index.v1"
	layerType    = "application/vnd.patina.index.archive.v1.tar"

	annotateFormat    = "dev.patina.index.format"
	annotateExtractor = "dev.patina.index.extractor"
	annotateModel     = "dev.patina.index.model"
)

// maxManifest is the most bytes of an artifact's manifest.
const maxManifest = 64 << 10

// responseWithin is how long a registry may be silent.
const responseWithin = time.Minute

// ErrReference means that a text names no repository of a registry.
var ErrReference = errors.New("no reference to a registry")

// ErrNotThere means that a registry has no index that fits.
var ErrNotThere = errors.New("the registry has no such index")

// A Remote is a repository in a registry, for one tag, one digest, or whatever fits.
type Remote struct {
	repository *remote.Repository
	reference  string // a tag, a digest, or empty
}

// Dial prepares calls to a registry, named as REGISTRY/REPOSITORY[:TAG|@DIGEST]. Nothing is sent
// yet. Names and passwords are those of "docker login". Without TLS only this machine is asked,
// unless plain is set.
func Dial(reference string, plain bool) (*Remote, error) {
	ref, err := registry.ParseReference(reference)
	if err != nil {
		return nil, fmt.Errorf("%q: %w: %w", reference, ErrReference, err)
	}
	r := &remote.Repository{Reference: ref, PlainHTTP: plain || isLoopback(ref.Registry)}
	r.MaxMetadataBytes = 4 << 20
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = responseWithin
	client := &auth.Client{
		Client: &http.Client{Transport: retry.NewTransport(transport)}, Cache: auth.NewCache(),
	}
	client.SetUserAgent("patina")
	if store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		client.Credential = credentials.Credential(store)
	} else {
		return nil, fmt.Errorf("read the settings of docker: %w", err)
	}
	r.Client = client
	return &Remote{r, ref.Reference}, nil
}

// IsUnreached reports whether an error says that a registry was not reached.
func IsUnreached(err error) bool {
	_, ok := errors.AsType[*net.OpError](err)
	return ok
}

// isLoopback reports whether a registry is on this machine.
func isLoopback(address string) bool {
	host := address
	if h, _, err := net.SplitHostPort(address); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Digest returns the digest in the reference, or "". Whoever wrote it trusts that artifact.
func (r *Remote) Digest() string {
	if _, err := digest.Parse(r.reference); err == nil {
		return r.reference
	}
	return ""
}

// tagOf returns the tag of an index: its commit and the versions that it depends on.
func tagOf(commit string, v project.Versions) string {
	model := sha256.Sum256([]byte(v.Model))
	return strings.Join([]string{commit, strconv.Itoa(v.Format), v.Extractor, hex.EncodeToString(model[:4])}, "-")
}

// A Pushed describes an artifact in a registry.
type Pushed struct {
	Reference string // with its tag
	Digest    string // of the artifact's manifest
	Bytes     int64  // of the archive
	SHA256    string // of the archive
	Known     bool   // the registry had the archive already
}

// Push uploads an archive. The tag of the reference is used if it has one.
func (r *Remote) Push(ctx context.Context, k *Packed, report Progress) (p Pushed, err error) {
	if r.Digest() != "" {
		return p, fmt.Errorf("%q: %w: a digest cannot be pushed to, give a tag or none", r.reference, ErrReference)
	}
	if p.Bytes, p.SHA256, err = k.Write(ctx, io.Discard); err != nil {
		return p, err
	}
	layer := ocispec.Descriptor{
		MediaType: layerType, Digest: digest.NewDigestFromEncoded(digest.SHA256, p.SHA256), Size: p.Bytes,
	}
	if p.Known, err = r.repository.Exists(ctx, layer); err != nil {
		return p, err
	}
	if !p.Known {
		if err := r.upload(ctx, k, layer, report); err != nil {
			return p, err
		}
	}
	m := k.Manifest
	manifest, err := oras.PackManifest(ctx, r.repository, oras.PackManifestVersion1_1, artifactType,
		oras.PackManifestOptions{
			Layers: []ocispec.Descriptor{layer},
			ManifestAnnotations: map[string]string{
				ocispec.AnnotationCreated:  "1970-01-01T00:00:00Z", // equal archives give equal manifests
				ocispec.AnnotationRevision: m.Commit,
				annotateFormat:             strconv.Itoa(m.Format),
				annotateExtractor:          m.Extractor,
				annotateModel:              m.Model,
			},
		})
	if err != nil {
		return p, err
	}
	tag := r.reference
	if tag == "" {
		tag = tagOf(m.Commit, project.Versions{Format: m.Format, Extractor: m.Extractor, Model: m.Model})
	}
	if err := r.repository.Tag(ctx, manifest, tag); err != nil {
		return p, err
	}
	p.Reference = r.repository.Reference.Registry + "/" + r.repository.Reference.Repository + ":" + tag
	p.Digest = manifest.Digest.String()
	return p, nil
}

// upload streams an archive to the registry.
func (r *Remote) upload(ctx context.Context, k *Packed, layer ocispec.Descriptor, report Progress) error {
	out, in := io.Pipe()
	go func() {
		_, _, err := k.Write(ctx, in)
		in.CloseWithError(err)
	}()
	err := r.repository.Push(ctx, layer, &reported{ctx: ctx, r: out, step: "pushing", total: layer.Size, report: report})
	_ = out.Close() // ends the writer, which may still be at work
	return err
}

// Pull returns the archive that the reference names. Without a tag it is that of the last commit
// among HEAD and those before it, for this program's versions. The error wraps ErrNotThere if
// nothing fits.
func (r *Remote) Pull(ctx context.Context, ancestors []string, report Progress) (*Pulled, error) {
	name := r.reference
	if name == "" {
		var err error
		if name, err = r.nearest(ctx, ancestors); err != nil {
			return nil, err
		}
	}
	found, err := r.repository.Resolve(ctx, name)
	if errors.Is(err, errdef.ErrNotFound) {
		return nil, fmt.Errorf("%w: %s", ErrNotThere, name)
	}
	if err != nil {
		return nil, err
	}
	layer, err := r.layerOf(ctx, found)
	if err != nil {
		return nil, err
	}
	body, err := r.repository.Blobs().Fetch(ctx, layer)
	if err != nil {
		return nil, err
	}
	verified := content.NewVerifyReader(body, layer)
	return &Pulled{SHA256: layer.Digest.Encoded(), verified: verified, body: body, progress: &reported{
		ctx: ctx, r: verified, step: "pulling", total: layer.Size, report: report,
	}}, nil
}

// layerOf returns the one layer of an artifact that must be an index.
func (r *Remote) layerOf(ctx context.Context, found ocispec.Descriptor) (layer ocispec.Descriptor, err error) {
	if found.Size > maxManifest || found.MediaType != ocispec.MediaTypeImageManifest {
		return layer, fmt.Errorf("%w: %s of %d bytes is no index of patina", archive.ErrDamaged, found.MediaType, found.Size)
	}
	text, err := content.FetchAll(ctx, r.repository, found)
	if err != nil {
		return layer, err
	}
	var m ocispec.Manifest
	if json.Unmarshal(text, &m) != nil || m.ArtifactType != artifactType || len(m.Layers) != 1 ||
		m.Layers[0].MediaType != layerType || m.Layers[0].Digest.Validate() != nil {
		return layer, fmt.Errorf("%w: the artifact is no index of patina", archive.ErrDamaged)
	}
	return m.Layers[0], nil
}

// nearest returns the tag of the last commit that has an index for this program's versions.
func (r *Remote) nearest(ctx context.Context, ancestors []string) (string, error) {
	own := project.OwnVersions()
	wanted := make(map[string]int, len(ancestors))
	for i, commit := range ancestors {
		wanted[tagOf(commit, own)] = i
	}
	best := len(ancestors)
	err := r.repository.Tags(ctx, "", func(tags []string) error {
		for _, tag := range tags {
			if i, ok := wanted[tag]; ok {
				best = min(best, i)
			}
		}
		return nil
	})
	// A registry does not know a repository before the first push.
	if answer, ok := errors.AsType[*errcode.ErrorResponse](err); ok && answer.StatusCode == http.StatusNotFound {
		err = nil
	}
	if err != nil {
		return "", err
	}
	if best == len(ancestors) {
		return "", fmt.Errorf("%w for HEAD or the %d commits before it, by this version of patina", ErrNotThere,
			max(len(ancestors)-1, 0))
	}
	return tagOf(ancestors[best], own), nil
}

// A Pulled is an archive as it comes from a registry. The caller must close it.
type Pulled struct {
	// SHA256 is that of the archive, as the artifact says. Reading gives an error at the end if the
	// archive has another.
	SHA256 string

	verified *content.VerifyReader
	body     io.Closer
	progress *reported
}

// Read reads the archive.
func (p *Pulled) Read(b []byte) (int, error) {
	n, err := p.progress.Read(b)
	if errors.Is(err, io.EOF) {
		if wrong := p.verified.Verify(); wrong != nil {
			return n, fmt.Errorf("%w: it is not what the artifact names: %w", archive.ErrDamaged, wrong)
		}
	}
	return n, err
}

// Close ends the download.
func (p *Pulled) Close() error { return p.body.Close() }
