package git

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"patina/internal/safeio"
)

const (
	indexBuffer = 64 << 10 // bytes of an index in memory at once, whatever its size
	maxName     = 32 << 10 // bytes in a path; no file system has longer ones
)

// errIndex is wrapped by errors about an index that does not follow gitformat-index(5).
var errIndex = errors.New("index is not understood")

// Tracks reports whether git tracks a folder or anything below it. folder must be a relative path
// with slashes. Case does not matter, because on some file systems ".Patina" is ".patina".
//
// It reads git's index itself, because it is called before every answer. It starts git only if the
// index does not say: a sparse checkout may have left out the folder as a whole, a split index may
// have it in its shared part, or the version is unknown. It returns false for a bare repository.
// The error wraps safeio.ErrIrregular if the index is no regular file.
func (t Tree) Tracks(ctx context.Context, folder string) (bool, error) {
	if t.Bare || folder == "" {
		return false, nil
	}
	found, err := t.scanIndex("index", folder)
	switch {
	case errors.Is(err, fs.ErrNotExist): // nothing was ever added
		return false, nil
	case errors.Is(err, safeio.ErrIrregular):
		return false, fmt.Errorf("read index: %w", err)
	case err == nil && found != unclear:
		return found == tracked, nil
	}
	out, err := t.output(ctx, "ls-files", "--cached", "-z", "--", ":(top,icase,literal)"+folder)
	if err != nil {
		return false, fmt.Errorf("read index: %w", err)
	}
	return out != "", nil
}

// Tracked returns the files that git tracks, relative to the tree's root with slashes. It returns
// nil for a bare repository.
func (t Tree) Tracked(ctx context.Context) ([]string, error) {
	if t.Bare {
		return nil, nil
	}
	out, err := t.output(ctx, "ls-files", "--cached", "-z")
	if err != nil {
		return nil, fmt.Errorf("list tracked files: %w", err)
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), nil
}

// A standing is an index's answer about a folder.
type standing int

const (
	absent standing = iota
	tracked
	unclear // git must be asked
)

// scanIndex reads an index file in the git directory, and its shared part if it was split.
func (t Tree) scanIndex(name, folder string) (standing, error) {
	f, err := safeio.Open(filepath.Join(t.GitDir, name))
	if err != nil {
		return unclear, err
	}
	defer func() { _ = f.Close() }()
	hash := 20
	if strings.EqualFold(t.config()["extensions.objectformat"], "sha256") {
		hash = 32
	}
	r := &index{r: bufio.NewReaderSize(f, indexBuffer), hash: hash, folder: folder}
	found, shared, err := r.readStanding()
	if err != nil || found != absent || shared == "" {
		return found, err
	}
	if name != "index" { // a shared part must not have a shared part
		return unclear, nil
	}
	if found, err = t.scanIndex("sharedindex."+shared, folder); found != absent || err != nil {
		return unclear, nil // an entry found there may have been removed since
	}
	return absent, nil
}

// An index reads git's index from beginning to end. It keeps only the start of one name, because an
// index may be larger than memory.
type index struct {
	r      *bufio.Reader
	hash   int // bytes in an object id
	folder string

	version uint32
	start   []byte // of the last name, at most one byte longer than folder
	length  int    // of the last name
}

// readStanding returns the folder's standing. shared is the id of a split index's shared part, or
// "".
func (x *index) readStanding() (found standing, shared string, err error) {
	head, err := x.takeBytes(12)
	if err != nil || string(head[:4]) != "DIRC" {
		return unclear, "", eitherError(err, errIndex)
	}
	x.version = binary.BigEndian.Uint32(head[4:])
	if x.version < 2 || x.version > 4 {
		return unclear, "", nil
	}
	for left := binary.BigEndian.Uint32(head[8:]); left > 0; {
		passed := x.pass(left)
		if left -= passed; passed > 0 {
			continue
		}
		sparse, err := x.entry()
		if err != nil {
			return unclear, "", err
		}
		left--
		switch standingOf(x.start, x.length, x.folder, sparse) {
		case tracked:
			return tracked, "", nil
		case unclear:
			found = unclear // something below may still be tracked by its own entry
		}
	}
	shared, err = x.findSharedLink()
	return found, shared, err
}

// pass skips entries that are wholly in the buffer and cannot concern the folder, which is nearly
// all. It returns their number.
func (x *index) pass(left uint32) (n uint32) {
	if x.version == 4 {
		return 0
	}
	b, _ := x.r.Peek(x.r.Buffered())
	at := 0
	for ; n < left; n++ {
		name := at + 40 + x.hash + 2
		if name > len(b) {
			break
		}
		flags := binary.BigEndian.Uint16(b[name-2:])
		if flags&0x4000 != 0 {
			break
		}
		end := name + int(flags&0xfff)
		next := at + (end-at+8)&^7
		if flags&0xfff == 0xfff || next > len(b) || end == name ||
			(b[name]|0x20) == (x.folder[0]|0x20) || b[name]|x.folder[0] >= 0x80 {
			break
		}
		at = next
	}
	_, _ = x.r.Discard(at)
	return n
}

// entry reads one entry, up to the next. sparse reports whether the entry is a folder that is not
// checked out.
func (x *index) entry() (sparse bool, err error) {
	fixed, err := x.takeBytes(40 + x.hash + 2)
	if err != nil {
		return false, err
	}
	sparse = binary.BigEndian.Uint32(fixed[24:])&0o170000 == 0o040000
	flags := binary.BigEndian.Uint16(fixed[40+x.hash:])
	size := len(fixed)
	if flags&0x4000 != 0 && x.version > 2 {
		if _, err := x.takeBytes(2); err != nil {
			return false, err
		}
		size += 2
	}
	if x.version == 4 {
		return sparse, x.compressed()
	}
	x.start, x.length = x.start[:0], 0
	if named := int(flags & 0xfff); named < 0xfff {
		name, err := x.takeBytes(named)
		if err != nil {
			return false, err
		}
		x.keepPart(name)
	} else if err := x.suffix(); err != nil {
		return false, err
	} else {
		size++ // its NUL has been read
	}
	size += x.length
	padding := 8 - size%8
	if flags&0xfff == 0xfff {
		padding = (8 - size%8) % 8 // the first NUL is in size
	}
	_, err = x.takeBytes(padding)
	return sparse, err
}

// compressed reads a name in version 4: the number of bytes to drop from the last name, and the
// bytes that replace them.
func (x *index) compressed() error {
	strip, err := x.varint()
	if err != nil || strip > x.length {
		return eitherError(err, errIndex)
	}
	x.length -= strip
	x.start = x.start[:min(len(x.start), x.length)]
	return x.suffix()
}

// varint reads a number as in pack files: seven bits a byte, the highest first. Each continued
// number counts from one.
func (x *index) varint() (int, error) {
	n := 0
	for {
		b, err := x.r.ReadByte()
		if err != nil {
			return 0, cutShort(err)
		}
		if n = n<<7 | int(b&0x7f); b&0x80 == 0 {
			return n, nil
		}
		if n++; n > maxName {
			return 0, errIndex
		}
	}
}

// suffix adds the bytes up to the next NUL to the name.
func (x *index) suffix() error {
	for {
		part, err := x.r.ReadSlice(0)
		if err == nil {
			part = part[:len(part)-1]
		} else if err != bufio.ErrBufferFull {
			return cutShort(err)
		}
		if x.keepPart(part); x.length > maxName {
			return errIndex
		}
		if err == nil {
			return nil
		}
	}
}

// keepPart adds a part to the name. It keeps only the bytes that standingOf compares.
func (x *index) keepPart(part []byte) {
	if x.length == len(x.start) {
		x.start = append(x.start, part[:min(len(part), len(x.folder)+1-len(x.start))]...)
	}
	x.length += len(part)
}

// standingOf compares a name with a folder. start is the kept part of the name, and length is the
// length of the whole name.
func standingOf(start []byte, length int, folder string, sparse bool) standing {
	n := len(folder)
	if len(start) >= n && strings.EqualFold(string(start[:n]), folder) &&
		(length == n || start[n] == '/' || start[n] == 0) {
		return tracked
	}
	if sparse && length <= n && strings.EqualFold(string(start), folder[:len(start)]) {
		return unclear // a folder above it
	}
	return absent
}

// findSharedLink looks for a split index's extension, which must come after the entries. shared is
// "" if there is no such extension.
func (x *index) findSharedLink() (shared string, err error) {
	for {
		head, err := x.r.Peek(8 + x.hash)
		if err != nil { // only the checksum is left
			return "", nil
		}
		size := binary.BigEndian.Uint32(head[4:])
		if string(head[:4]) == "link" {
			id := bytes.Clone(head[8:])
			if size < uint32(x.hash) {
				return "", errIndex
			}
			if bytes.Count(id, []byte{0}) == len(id) {
				return "", nil
			}
			return hex.EncodeToString(id), nil
		}
		if _, err := x.r.Discard(8); err != nil {
			return "", cutShort(err)
		}
		if _, err := io.CopyN(io.Discard, x.r, int64(size)); err != nil {
			return "", cutShort(err)
		}
	}
}

// takeBytes returns the next n bytes, valid until the next read. n must be below indexBuffer.
func (x *index) takeBytes(n int) ([]byte, error) {
	b, err := x.r.Peek(n)
	if err != nil {
		return nil, cutShort(err)
	}
	_, err = x.r.Discard(n)
	return b, err
}

func cutShort(err error) error {
	if err == io.EOF {
		return fmt.Errorf("%w: it ends in the middle", errIndex)
	}
	return err
}
