package format

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"unsafe"

	"patina/store/doc"
)

// A row's blobs are varints and length-prefixed strings, followed by a CRC-32C. A decoder checks
// the sum and every bound. A damaged blob gives doc.ErrDamaged, never a panic or a large
// allocation.

const sealSize = 4

// sealBlob appends the checksum to a blob.
func sealBlob(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// unsealBlob checks the checksum and removes it.
func unsealBlob(b []byte) ([]byte, bool) {
	end := len(b) - sealSize
	if end < 0 || crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return nil, false
	}
	return b[:end], true
}

// Unsealed returns a decoder for a blob. The decoder is Bad if the checksum is wrong.
func Unsealed(b []byte) Decoder {
	content, ok := unsealBlob(b)
	return Decoder{b: content, Bad: !ok}
}

type encoder struct{ b []byte }

func (e *encoder) uint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int)     { e.b = binary.AppendVarint(e.b, int64(v)) }
func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

// A Decoder reads a blob from its beginning. All its strings share one copy, which lives as long as
// any string: one allocation where a file has hundreds. Clone a string to keep it after the
// question.
type Decoder struct {
	b   []byte
	all string // the blob; set when its first string is read
	Bad bool
}

func (d *Decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b, d.Bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *Decoder) int() int {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.b, d.Bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	if v > maxNumber || v < -maxNumber {
		d.Bad = true
		return 0
	}
	return int(v)
}

// String reads a string with its length in front.
func (d *Decoder) String() string {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.b, d.Bad = nil, true
		return ""
	}
	if n == 0 {
		return ""
	}
	if d.all == "" {
		d.all = string(d.b)
	}
	at := len(d.all) - len(d.b)
	d.b = d.b[n:]
	return d.all[at : at+int(n)]
}

// Count reads a list's length, for items with at least the given number of bytes each.
func (d *Decoder) Count(least int) int {
	n := d.uint()
	if n > uint64(len(d.b)/least) {
		d.b, d.Bad = nil, true
		return 0
	}
	return int(n)
}

func (d *Decoder) err(what string) error {
	if d.Bad || len(d.b) > 0 {
		return fmt.Errorf("decode %s: %w", what, doc.ErrDamaged)
	}
	return nil
}

// declares is the bit beside an entry's sort that says that it is a prototype.
const declares = 1 << 6

func EncodeEntries(es []doc.Entry) []byte {
	var e encoder
	e.uint(uint64(len(es)))
	last := 0
	for _, x := range es {
		e.string(x.Name)
		sort := uint64(slices.Index(doc.Sorts, x.Sort) + 1)
		if x.Declares {
			sort |= declares
		}
		e.uint(sort)
		e.int(x.First - last)
		e.int(x.Line - x.First)
		e.int(x.Last - x.First)
		e.int(x.Parent)
		e.string(x.Title)
		e.string(x.Summary)
		last = x.First
	}
	return sealBlob(e.b)
}

// DecodeEntries decodes the entries in a file's row. The error wraps ErrDamaged.
func DecodeEntries(b []byte) ([]doc.Entry, error) {
	d := Unsealed(b)
	return d.entries(make([]doc.Entry, d.Count(8)))
}

// OwnEntries is DecodeEntries for a blob that nobody changes: strings are parts of it.
func OwnEntries(b []byte) ([]doc.Entry, error) {
	d := Unsealed(b)
	d.all = unsafe.String(unsafe.SliceData(d.b), len(d.b))
	return d.entries(make([]doc.Entry, d.Count(8)))
}

// An EntryScratch decodes the entries of one row after another in the same memory.
type EntryScratch struct{ es []doc.Entry }

// Decode is DecodeEntries for entries that live until the next call or until b changes. One that is
// to be kept is cloned.
func (x *EntryScratch) Decode(b []byte) ([]doc.Entry, error) {
	d := Unsealed(b)
	d.all = unsafe.String(unsafe.SliceData(d.b), len(d.b))
	n := d.Count(8)
	x.es = slices.Grow(x.es[:0], n)
	return d.entries(x.es[:n])
}

func (d *Decoder) entries(es []doc.Entry) ([]doc.Entry, error) {
	last := 0
	for i := range es {
		x := &es[i]
		*x = doc.Entry{Name: d.String()} // the memory may have been another row's
		sort := d.uint()
		x.Declares = sort&declares != 0
		if s := sort &^ declares; s > 0 && s <= uint64(len(doc.Sorts)) {
			x.Sort = doc.Sorts[s-1]
		}
		x.First = last + d.int()
		x.Line = x.First + d.int()
		x.Last = x.First + d.int()
		x.Parent = d.int()
		x.Title = d.String()
		x.Summary = d.String()
		last = x.First
	}
	return es, d.err("entries")
}

func EncodeChunks(cs []doc.Chunk) []byte {
	var e encoder
	e.uint(uint64(len(cs)))
	for _, c := range cs {
		e.int(c.Entry)
		e.int(c.First)
		e.int(c.Last - c.First)
	}
	return sealBlob(e.b)
}

func DecodeChunks(b []byte) ([]doc.Span, error) {
	d := Unsealed(b)
	cs := make([]doc.Span, d.Count(3))
	for i := range cs {
		cs[i].Entry = d.int()
		cs[i].First = d.int()
		cs[i].Last = cs[i].First + d.int()
	}
	return cs, d.err("chunks")
}

// FileFacts are a file's references to other files.
type FileFacts struct {
	Imports  []string
	Bindings []doc.Binding
	Calls    []doc.Call
	Typed    []doc.Typed
}

// EncodeFacts writes each called name once. Imports come first, so a reader that needs only imports
// can stop there.
func EncodeFacts(f FileFacts) []byte {
	var e encoder
	e.uint(uint64(len(f.Imports)))
	for _, s := range f.Imports {
		e.string(s)
	}
	e.bindings(f)
	e.calls(f.Calls)
	e.writeTyped(f.Typed)
	return sealBlob(e.b)
}

// bindings writes an import as its number, and omits a name equal to the local one.
func (e *encoder) bindings(f FileFacts) {
	number := make(map[string]int, len(f.Imports))
	for i, s := range f.Imports {
		number[s] = i + 1 // 0 means no import
	}
	e.uint(uint64(len(f.Bindings)))
	for _, b := range f.Bindings {
		e.string(b.Name)
		e.uint(uint64(number[b.Import]))
		if b.Of == b.Name {
			e.uint(0)
			continue
		}
		e.uint(1)
		e.string(b.Of)
	}
}

func (d *Decoder) bindings(imports []string) []doc.Binding {
	list := make([]doc.Binding, d.Count(3))
	for i := range list {
		b := &list[i]
		b.Name = d.String()
		if n := d.uint(); n > uint64(len(imports)) {
			d.Bad = true
		} else if n > 0 {
			b.Import = imports[n-1]
		}
		if b.Of = b.Name; d.uint() > 0 {
			b.Of = d.String()
		}
	}
	return list
}

func (e *encoder) calls(calls []doc.Call) {
	names := make(map[string]int)
	var order []string
	for _, c := range calls {
		if _, ok := names[c.Name]; !ok {
			names[c.Name] = len(order)
			order = append(order, c.Name)
		}
	}
	e.uint(uint64(len(order)))
	for _, s := range order {
		e.string(s)
	}
	e.uint(uint64(len(calls)))
	line := 0
	for _, c := range calls {
		e.int(c.Caller)
		e.uint(uint64(names[c.Name]))
		e.int(c.Line - line)
		line = c.Line
	}
}

// DecodeFacts decodes the facts in a file's row. The error wraps ErrDamaged.
func DecodeFacts(b []byte) (FileFacts, error) {
	d := Unsealed(b)
	f := FileFacts{Imports: make([]string, d.Count(1))}
	for i := range f.Imports {
		f.Imports[i] = d.String()
	}
	f.Bindings = d.bindings(f.Imports)
	f.Calls = d.calls()
	f.Typed = d.readTyped()
	return f, d.err("facts")
}

func (d *Decoder) calls() []doc.Call {
	names := make([]string, d.Count(1))
	for i := range names {
		names[i] = d.String()
	}
	calls := make([]doc.Call, d.Count(3))
	line := 0
	for i := range calls {
		calls[i].Caller = d.int()
		if n := d.uint(); n < uint64(len(names)) {
			calls[i].Name = names[n]
		} else {
			d.Bad = true
		}
		line += d.int()
		calls[i].Line = line
	}
	return calls
}

// writeTyped writes each name and each type once, and no byte for no list.
func (e *encoder) writeTyped(list []doc.Typed) {
	if len(list) == 0 {
		return
	}
	number := make(map[string]int)
	var order []string
	for _, t := range list {
		for _, s := range []string{t.Name, t.Type} {
			if _, ok := number[s]; !ok {
				number[s] = len(order)
				order = append(order, s)
			}
		}
	}
	e.uint(uint64(len(order)))
	for _, s := range order {
		e.string(s)
	}
	e.uint(uint64(len(list)))
	for _, t := range list {
		e.int(t.Entry)
		e.uint(uint64(number[t.Name]))
		e.uint(uint64(number[t.Type]))
	}
}

func (d *Decoder) readTyped() []doc.Typed {
	if len(d.b) == 0 || d.Bad {
		return nil
	}
	names := make([]string, d.Count(1))
	for i := range names {
		names[i] = d.String()
	}
	list := make([]doc.Typed, d.Count(3))
	name := func() string {
		n := d.uint()
		if n >= uint64(len(names)) {
			d.Bad = true
			return ""
		}
		return names[n]
	}
	for i := range list {
		list[i] = doc.Typed{Entry: d.int(), Name: name(), Type: name()}
	}
	return list
}

func EncodeIDs(ids []int64) []byte {
	var e encoder
	e.uint(uint64(len(ids)))
	last := int64(0)
	for _, id := range ids {
		e.int(int(id - last))
		last = id
	}
	return sealBlob(e.b)
}

// DecodeIDs decodes the path ids in a commit's row. The error wraps ErrDamaged.
func DecodeIDs(b []byte) ([]int64, error) {
	d := Unsealed(b)
	ids := make([]int64, d.Count(1))
	last := int64(0)
	for i := range ids {
		last += int64(d.int())
		ids[i] = last
	}
	return ids, d.err("path ids")
}

// A group is a document's run of chunks inside a segment.
type Group struct {
	Key    int64
	Chunks int
}

func EncodeGroups(gs []Group) []byte {
	var e encoder
	e.uint(uint64(len(gs)))
	last := int64(0)
	for _, g := range gs {
		e.int(int(g.Key - last))
		e.uint(uint64(g.Chunks))
		last = g.Key
	}
	return sealBlob(e.b)
}

func DecodeGroups(b []byte) ([]Group, error) {
	d := Unsealed(b)
	gs := make([]Group, d.Count(2))
	last := int64(0)
	for i := range gs {
		last += int64(d.int())
		chunks := d.uint()
		if !doc.IsKey(last) || chunks > MaxSegment {
			d.Bad = true
			break
		}
		gs[i] = Group{last, int(chunks)}
	}
	return gs, d.err("groups")
}

const (
	MaxSegment = 1 << 24 // chunks in a segment
	MaxRow     = 1 << 40 // rows in a vector file
	maxNumber  = 1 << 41 // in any blob, so that sums cannot overflow
)

// EncodeBitmap returns the form of a set that is stored with a view.
func EncodeBitmap(m doc.Bitmap) []byte { return sealBlob(m.Trim()) }

// DecodeBitmap undoes encode.
func DecodeBitmap(b []byte) (doc.Bitmap, error) {
	m, ok := unsealBlob(b)
	if !ok {
		return nil, fmt.Errorf("decode members: %w", doc.ErrDamaged)
	}
	return m, nil
}
