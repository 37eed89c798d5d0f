package doc

func IsKey(k int64) bool { return k >= 0 && k <= MaxKey }

// A Bitmap is a set of keys, such as the members of a view.
type Bitmap []byte

// Has reports whether the set has a key. It is false for any number outside the range for keys.
func (m Bitmap) Has(k int64) bool {
	i := uint64(k) >> 3
	return i < uint64(len(m)) && m[i]&(1<<(k&7)) != 0
}

// Set adds a key. It ignores numbers outside the range for keys.
func (m *Bitmap) Set(k int64) {
	if !IsKey(k) {
		return
	}
	for int64(len(*m)) <= k>>3 {
		*m = append(*m, make([]byte, max(64, len(*m)/4))...)
	}
	(*m)[k>>3] |= 1 << (k & 7)
}

func (m Bitmap) Clear(k int64) {
	if i := uint64(k) >> 3; i < uint64(len(m)) {
		m[i] &^= 1 << (k & 7)
	}
}

// trim drops zero bytes at the end, so that equal sets are equal bytes.
func (m Bitmap) Trim() []byte {
	n := len(m)
	for n > 0 && m[n-1] == 0 {
		n--
	}
	return append([]byte{}, m[:n]...)
}

// addAll adds all keys in another bitmap.
func (m *Bitmap) AddAll(other Bitmap) {
	if n := len(other) - len(*m); n > 0 {
		*m = append(*m, make([]byte, n)...)
	}
	for i, b := range other {
		(*m)[i] |= b
	}
}

// MaxKey is the largest key: a view with it still fits into one value of the database, which is at
// most maxBitmap bytes long.
const (
	MaxKey    = 8*maxBitmap - 1
	maxBitmap = 16 << 20 // bytes, as the guard of store/sqlite allows
)
