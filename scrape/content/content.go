// Package content reads a file, or says why it is left out of the index.
//
// A file is left out if it is binary, minified, too large or unreadable. Credentials are left out
// too, unless Limits.Secrets is set (credentials.go, privatekey.go). All other files become UTF-8.
package content

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"patina/code/lang"
	"patina/scrape/openat"
	"patina/store/doc"
	"patina/store/text"
)

// The reasons why a file is not indexed, as they are counted and printed.
const (
	Unreadable   = "unreadable"
	Binary       = "binary"
	minified     = "minified"
	TooLarge     = "too large"
	lfsPointer   = "Git LFS pointer"
	SymbolicLink = "symbolic link"
	Outside      = "no path of the tree"
)

// A Skip is the error about a file that is left out.
type Skip struct{ Reason string }

func (s Skip) Error() string { return s.Reason }

const (
	sniffed  = 8 << 10 // bytes in which a NUL is looked for, as in git
	longLine = 5000    // bytes; with a mean over longMean, the file was not written by hand
	longMean = 500     // bytes a line
)

// A File is a file's content when it was read.
type File struct {
	Text []byte // UTF-8, without byte order mark
	Stat doc.Stat
	Hash string
}

// notebookSize is how many times larger a notebook may be than other files, because most of it are
// outputs, which are dropped.
const notebookSize = 8

// readFile reads a file. It returns a Skip if the file is left out.
func readFile(at *openat.Folder, name string, size, maxSize int64) (File, error) {
	if reason := skippedByName(name); reason != "" {
		return File{}, Skip{reason}
	}
	if strings.EqualFold(path.Ext(name), ".ipynb") {
		maxSize *= notebookSize
	}
	if size > maxSize {
		return File{}, Skip{TooLarge}
	}
	raw, stat, err := readRegular(at, name, maxSize)
	if err != nil {
		return File{}, err
	}
	if bytes.HasPrefix(raw, []byte("version https://git-lfs.github.com/spec/")) && len(raw) < 1024 {
		return File{}, Skip{lfsPointer}
	}
	text, ok := Decode(raw)
	if !ok {
		return File{}, Skip{Binary}
	}
	if isMinified(name, text) {
		return File{}, Skip{minified}
	}
	return File{Text: text, Stat: stat, Hash: Sum(raw)}, nil
}

// Sum returns the checksum that identifies a content.
func Sum(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// readRegular reads a regular file of at most max bytes. It returns a Skip for anything else, such
// as a symbolic link or a pipe. The stat must be taken from the opened file before reading, because
// the next scrape must notice a change made meanwhile. A NUL near the start ends the reading early.
func readRegular(at *openat.Folder, name string, max int64) ([]byte, doc.Stat, error) {
	file, err := at.Open(name)
	if err != nil {
		return nil, doc.Stat{}, Skip{Unreadable}
	}
	defer file.Close()
	buffer := sniffs.Get().(*[sniffed]byte)
	defer sniffs.Put(buffer)
	n, err := io.ReadFull(file, buffer[:])
	start := buffer[:n]
	if err == nil && looksBinary(start) {
		return nil, doc.Stat{}, Skip{Binary}
	}
	var text []byte
	if err != nil {
		text = bytes.Clone(start)
	} else { // there may be more
		buf := bytes.NewBuffer(append(make([]byte, 0, min(file.Stat().Size, max)+bytes.MinRead), start...))
		_, err = io.CopyN(buf, file, max-sniffed+1)
		text = buf.Bytes()
	}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, doc.Stat{}, Skip{Unreadable}
	}
	if int64(len(text)) > max {
		return nil, doc.Stat{}, Skip{TooLarge}
	}
	return text, clearDoubted(file.Stat(), time.Now()), nil
}

// ReadText returns the text of a file, and false if the file is binary, larger than max bytes or
// unreadable.
func ReadText(at *openat.Folder, name string, max int64) ([]byte, bool) {
	raw, _, err := readRegular(at, name, max)
	if err != nil {
		return nil, false
	}
	return Decode(raw)
}

// sniffs are buffers for the starts of files. They are pooled because binary files of unknown kind
// are read at every scrape.
var sniffs = sync.Pool{New: func() any { return new([sniffed]byte) }}

// A file system counts time in ticks. A file that is written twice in one tick keeps its time.
const (
	fineTick   = 20 * time.Millisecond // two ticks of Linux at 100 ticks a second
	coarseTick = 2 * time.Second       // of FAT, whose times are in whole seconds
)

// clearDoubted clears the inode of a file that was read too soon after it was written. The next
// look then reads it again, because a later change might not show in its times.
func clearDoubted(s doc.Stat, now time.Time) doc.Stat {
	for _, at := range []int64{s.ModTime, s.ChangeTime} {
		tick := fineTick
		if at%int64(time.Second) == 0 {
			tick = coarseTick
		}
		if age := now.Sub(time.Unix(0, at)); age.Abs() < tick {
			s.Inode = 0
		}
	}
	return s
}

// looksBinary reports whether the start of a file has a NUL and is not UTF-16.
func looksBinary(start []byte) bool {
	start = start[:min(len(start), sniffed)]
	return bytes.IndexByte(start, 0) >= 0 && UTF16Order(start) == 0
}

// UTF16Order returns 'l' or 'b' for text with the byte order mark of UTF-16, else 0.
func UTF16Order(b []byte) byte {
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}) && !bytes.HasPrefix(b, []byte{0xFF, 0xFE, 0, 0}):
		return 'l'
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return 'b'
	}
	return 0
}

// Decode returns text as UTF-8, and false for binary content. A byte order mark decides. Without
// one, bytes that are not UTF-8 are read as Latin-1. A NUL after the first sniffed bytes becomes a
// space, so that no word and no file ends there.
func Decode(raw []byte) ([]byte, bool) {
	if order := UTF16Order(raw); order != 0 {
		text := decodeUTF16(raw[2:], order)
		return text, bytes.IndexByte(text, 0) < 0
	}
	if looksBinary(raw) {
		return nil, false
	}
	text := bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(text) {
		text = decodeLatin1(text)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		text = bytes.ReplaceAll(text, []byte{0}, []byte{' '})
	}
	return text, true
}

func decodeUTF16(b []byte, order byte) []byte {
	units := make([]uint16, len(b)/2)
	for i := range units {
		lo, hi := b[2*i], b[2*i+1]
		if order == 'b' {
			lo, hi = hi, lo
		}
		units[i] = uint16(hi)<<8 | uint16(lo)
	}
	return []byte(string(utf16.Decode(units)))
}

func decodeLatin1(b []byte) []byte {
	text := make([]byte, 0, len(b)+len(b)/8)
	for _, c := range b {
		text = utf8.AppendRune(text, rune(c))
	}
	return text
}

// skippedByName returns the reason why a file is left out by its name alone, or "".
func skippedByName(name string) string {
	base := strings.ToLower(path.Base(name))
	for _, end := range []string{".min.js", ".min.mjs", ".min.css", ".js.map", ".css.map", ".mjs.map"} {
		if strings.HasSuffix(base, end) {
			return minified
		}
	}
	if binaryExtensions.Has(path.Ext(base)) {
		return Binary
	}
	return ""
}

// isMinified reports whether a file is code with a line over longLine bytes and a mean over
// longMean. Data, prose and notebooks may have such lines.
func isMinified(name string, text []byte) bool {
	if l := lang.Of(name, text); !l.Code && !l.Minified || l.Notebook {
		return false
	}
	lines, longest := 1+bytes.Count(text, []byte{'\n'}), 0
	if len(text)/lines <= longMean {
		return false
	}
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		longest = max(longest, len(line))
	}
	return longest > longLine
}

var binaryExtensions = text.Set(`
	.png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .tif .tiff .psd .xcf .heic
	.mp3 .mp4 .m4a .m4v .wav .ogg .oga .ogv .flac .aac .webm .mkv .avi .mov .mpg .mpeg .wmv
	.zip .gz .tgz .bz2 .tbz .xz .txz .zst .lz4 .lzma .7z .rar .tar .jar .war
	.ear .aar .apk .ipa .whl .egg .gem .deb .rpm .dmg .iso .cab .nupkg
	.exe .dll .so .dylib .a .o .obj .lib .pdb .class .pyc .pyo .pyd .wasm .bc .elf .rlib .rmeta .ko .node
	.ttf .otf .woff .woff2 .eot
	.pdf .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .epub .mobi
	.db .sqlite .sqlite3 .mdb .parquet .arrow .feather .avro .orc .npy .npz .pkl
	.pickle .pt .pth .onnx .safetensors .gguf .h5 .hdf5 .mat .rds .rdata
	.blend .fbx .glb .stl .ply .swf .fla .keystore .jks .p12 .pfx .der .mo .gmo .nib .bin
`)
