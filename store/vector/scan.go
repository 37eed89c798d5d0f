package vector

// Dots writes the integer product of every row with q: dst[i] = rows[i]·q. Rows are of len(q) bytes. The kernel is the
// best one for this processor; more than 50,000 rows are shared between processors.
func Dots(dst []int32, rows, q []int8) { panic("not yet") }

// Scale is what the components of a unit vector are multiplied with as they become bytes. It equals the store's VectorScale,
// which says why.
const Scale = 384

// Quantise writes x as bytes: dst[i] = round(Scale · x[i]), clipped to ±127; what is not a number becomes 0.
func Quantise(dst []int8, x []float32) { panic("not yet") }
