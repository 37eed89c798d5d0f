package doc

// IsKey reports whether a number is a key: not negative, and at most MaxKey.
func IsKey(k int64) bool { return k >= 0 && k <= MaxKey }

// A Bitmap is a set of keys, such as the members of a view. A nil Bitmap is the empty set.
type Bitmap []byte

// Has reports whether the set has a key. It returns false for numbers that are not keys.
func (m Bitmap) Has(k int64) bool {
	i := uint64(k) >> 3
	return i < uint64(len(m)) && m[i]&(1<<(k&7)) != 0
}

// Set adds a key. It ignores numbers that are not keys.
func (m *Bitmap) Set(k int64) {
	if !IsKey(k) {
		return
	}
	for int64(len(*m)) <= k>>3 {
		*m = append(*m, make([]byte, max(64, len(*m)/4))...)
	}
	(*m)[k>>3] |= 1 << (k & 7)
}

// Clear removes a key. It ignores numbers that are not in the set.
func (m Bitmap) Clear(k int64) {
	if i := uint64(k) >> 3; i < uint64(len(m)) {
		m[i] &^= 1 << (k & 7)
	}
}

// Trim returns a copy without the zero bytes at the end, because equal sets must be equal bytes. It
// is never nil.
func (m Bitmap) Trim() []byte {
	n := len(m)
	for n > 0 && m[n-1] == 0 {
		n--
	}
	return append([]byte{}, m[:n]...)
}

// AddAll adds all keys of another set, which may be nil.
func (m *Bitmap) AddAll(other Bitmap) {
	if n := len(other) - len(*m); n > 0 {
		*m = append(*m, make([]byte, n)...)
	}
	for i, b := range other {
		(*m)[i] |= b
	}
}

// MaxKey is the largest key. A view with it must fit into one value of the database, which has at
// most maxBitmap bytes.
const (
	MaxKey    = 8*maxBitmap - 1
	maxBitmap = 16 << 20 // bytes, as the guard of store/sqlite allows
)
