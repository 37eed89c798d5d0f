package text

// A runCache remembers the places of runs in an Inverter's pool. It helps because the map behind it
// is too large for the processor's caches, and most text is a few thousand short runs. It is lossy:
// one run displaces another.
type runCache struct {
	slots [1 << runCacheBits]struct {
		key runKey
		at  uint32
	}
}

const (
	runCacheBits = 13 // 256 KiB, which a second-level cache holds
	maxCachedRun = 16 // bytes; longer runs are not cached
)

// A runKey is a run with at most maxCachedRun bytes. The run must not be empty, so the zero value
// is the key of no run.
type runKey struct {
	head, tail uint64 // the first and last eight bytes, or fewer; they overlap
	n          uint32
}

func runKeyOf(run string) (k runKey) {
	k.n = uint32(len(run))
	switch n := len(run); {
	case n >= 8:
		k.head, k.tail = load8(run), load8(run[n-8:])
	case n >= 4:
		k.head, k.tail = load4(run), load4(run[n-4:])
	default:
		k.head = uint64(run[0]) | uint64(run[n/2])<<8 | uint64(run[n-1])<<16
	}
	return k
}

func (k *runKey) slot() uint64 {
	const golden = 0x9E3779B97F4A7C15 // 2^64 / golden ratio
	h := (k.head ^ k.tail<<17 ^ k.tail>>47 ^ uint64(k.n)<<59) * golden
	return h >> (64 - runCacheBits)
}

func load4(s string) uint64 {
	_ = s[3]
	return uint64(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

func load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
