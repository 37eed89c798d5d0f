package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// made is an archive with its parts.
type made struct {
	m                          Manifest
	manifest, database, vector []byte
}

func makeArchive(t testing.TB) made {
	t.Helper()
	var db, vec bytes.Buffer
	x := made{m: Manifest{Archive: Version, Commit: strings.Repeat("ab", 20), Format: 10, Extractor: "1.2", Model: "m"}}
	var err error
	if x.m.Database, err = PackDatabase(&db, strings.NewReader(strings.Repeat("rows of a database\n", 400))); err != nil {
		t.Fatal(err)
	}
	if x.m.Vectors, err = PackVectors(&vec, strings.NewReader("vectors")); err != nil {
		t.Fatal(err)
	}
	if x.manifest, err = x.m.Encode(); err != nil {
		t.Fatal(err)
	}
	x.database, x.vector = db.Bytes(), vec.Bytes()
	return x
}

func (x made) bytes(t testing.TB, signature []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	err := Write(&b, x.m, x.manifest, signature, bytes.NewReader(x.database), bytes.NewReader(x.vector))
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readAll reads an archive to its end.
func readAll(b []byte) (a *Reader, database string, err error) {
	var db bytes.Buffer
	if a, err = Open(context.Background(), bytes.NewReader(b)); err == nil {
		err = a.Unpack(&db, io.Discard)
	}
	return a, db.String(), err
}

func TestArchive(t *testing.T) {
	x := makeArchive(t)
	for _, signature := range [][]byte{nil, []byte("signed")} {
		b := x.bytes(t, signature)
		if !bytes.Equal(b, x.bytes(t, signature)) {
			t.Error("equal parts give other bytes")
		}
		a, db, err := readAll(b)
		if err != nil {
			t.Fatal(err)
		}
		if a.Manifest != x.m || !bytes.Equal(a.Signature, signature) || !bytes.Equal(a.Signed, x.manifest) ||
			db != strings.Repeat("rows of a database\n", 400) {
			t.Errorf("read %+v, signature %q", a.Manifest, a.Signature)
		}
		// Any tar reads it.
		names := ""
		for r := tar.NewReader(bytes.NewReader(b)); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			names += h.Name + " "
		}
		if !strings.HasPrefix(names, "manifest.json ") || !strings.HasSuffix(names, "index.db.zst index.vec.zst ") {
			t.Errorf("members %s", names)
		}
	}
}

// Each single changed bit changes the manifest, the signature or the sum, or is refused.
func TestAnyChangedByte(t *testing.T) {
	x := makeArchive(t)
	b := x.bytes(t, []byte("signed"))
	good, _, err := readAll(b)
	if err != nil {
		t.Fatal(err)
	}
	for at := range b {
		changed := bytes.Clone(b)
		changed[at] ^= 1 << rand.IntN(8)
		a, _, err := readAll(changed)
		switch {
		case err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer):
			t.Fatalf("byte %d: %v", at, err)
		case err == nil && bytes.Equal(a.Signed, good.Signed) && bytes.Equal(a.Signature, good.Signature):
			t.Fatalf("byte %d: nobody notices", at)
		case err == nil && a.Sum() == good.Sum():
			t.Fatalf("byte %d: the sum is the same", at)
		}
	}
	for n := range len(b) {
		if _, _, err := readAll(b[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	if _, _, err := readAll(append(b, 0)); err == nil || !strings.Contains(err.Error(), "follow its end") {
		t.Errorf("with a byte more: %v", err)
	}
}

// tarOf writes members as any tar may have them.
func tarOf(t *testing.T, members ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range members {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// No member has another name, kind, owner or place than Write gives it.
func TestOtherMembers(t *testing.T) {
	x := makeArchive(t)
	begin := x.bytes(t, nil)[:blockSize+int64(len(x.manifest))+padding(int64(len(x.manifest)))]
	for name, h := range map[string]tar.Header{
		"up":        {Name: "../" + databaseName, Size: x.m.Database.Bytes, Mode: 0o600},
		"absolute":  {Name: "/" + databaseName, Size: x.m.Database.Bytes, Mode: 0o600},
		"other":     {Name: "current", Size: 3, Mode: 0o600},
		"twice":     {Name: manifestName, Size: 3, Mode: 0o600},
		"link":      {Name: databaseName, Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		"hard link": {Name: databaseName, Typeflag: tar.TypeLink, Linkname: "current"},
		"device":    {Name: databaseName, Typeflag: tar.TypeChar},
		"pipe":      {Name: databaseName, Typeflag: tar.TypeFifo},
		"folder":    {Name: databaseName + "/", Typeflag: tar.TypeDir},
		"owner":     {Name: databaseName, Size: x.m.Database.Bytes, Mode: 0o600, Uid: 7},
		"mode":      {Name: databaseName, Size: x.m.Database.Bytes, Mode: 0o4755},
		"attribute": {Name: databaseName, Size: x.m.Database.Bytes, Mode: 0o600, PAXRecords: map[string]string{"A.b": "c"}},
		"long":      {Name: strings.Repeat("a/", 90) + databaseName, Size: x.m.Database.Bytes, Mode: 0o600},
		"vectors":   {Name: vectorsName, Size: x.m.Vectors.Bytes, Mode: 0o600},
		"no bytes":  {Name: databaseName, Mode: 0o600},
	} {
		if _, _, err := readAll(append(bytes.Clone(begin), tarOf(t, h)...)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := readAll(tarOf(t, tar.Header{Name: manifestName, Size: maxManifest + 1, Mode: 0o600})); !errors.Is(err, ErrDamaged) {
		t.Errorf("a large manifest: %v", err)
	}
}

// A member unpacks to no more bytes than announced, and asks for no more memory.
func TestBombs(t *testing.T) {
	for name, o := range map[string][]zstd.EOption{
		"more bytes":  {zstd.WithWindowSize(1 << 20)},
		"more memory": {zstd.WithWindowSize(512 << 20), zstd.WithSingleSegment(false)},
	} {
		x := makeArchive(t)
		var packed bytes.Buffer
		z, err := zstd.NewWriter(&packed, o...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = z.Write(make([]byte, 64<<20)); err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		holds := int64(1 << 20)
		if name == "more memory" {
			holds = 64 << 20
		}
		x.database = packed.Bytes()
		var sum bytes.Buffer
		if x.m.Database, err = pack(&sum, strings.NewReader(""), databaseName); err != nil {
			t.Fatal(err)
		}
		x.m.Database.Bytes, x.m.Database.Holds, x.m.Database.SHA256 = int64(packed.Len()), holds, sumOf(packed.Bytes())
		if x.manifest, err = x.m.Encode(); err != nil {
			t.Fatal(err)
		}
		n := &counter{}
		a, err := Open(t.Context(), bytes.NewReader(x.bytes(t, nil)))
		if err == nil {
			err = a.Unpack(n, io.Discard)
		}
		if !errors.Is(err, ErrDamaged) || n.n > holds {
			t.Errorf("%s: %v, after %d bytes", name, err, n.n)
		}
	}
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func TestManifests(t *testing.T) {
	x := makeArchive(t)
	good := string(x.manifest)
	for _, c := range []struct{ old, new, want string }{
		{`"archive": 1`, `"archive": 2`, ErrNewer.Error()},
		{`"archive": 1`, `"archive":  1`, "not as written"},
		{`"files"`, `"more": 1, "files"`, "not as written"},
		{`"index.db.zst"`, `"../index.db"`, "impossible"},
		{`"index.vec.zst"`, `"index.db.zst"`, "impossible"},
		{`"holds": 7600`, `"holds": -1`, "impossible"},
		{`"holds": 7600`, `"holds": 99999999999999`, "impossible"},
		{`{`, `[`, "no JSON"},
	} {
		x.manifest = []byte(strings.Replace(good, c.old, c.new, 1))
		if _, _, err := readAll(x.bytes(t, nil)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}

func TestCancelledReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a, err := Open(ctx, bytes.NewReader(makeArchive(t).bytes(t, nil)))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := a.Unpack(io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	x := makeArchive(f)
	f.Add(x.bytes(f, nil))
	f.Add(x.bytes(f, []byte("signed")))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, _, err := readAll(b)
		if err != nil {
			return
		}
		// Writing it again gives the same bytes.
		x := made{m: a.Manifest, manifest: a.Signed}
		r := tar.NewReader(bytes.NewReader(b))
		for {
			h, err := r.Next()
			if err != nil {
				break
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			switch h.Name {
			case databaseName:
				x.database = content
			case vectorsName:
				x.vector = content
			}
		}
		if !bytes.Equal(x.bytes(t, a.Signature), b) {
			t.Error("accepted bytes that nobody writes")
		}
	})
}
