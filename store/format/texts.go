package format

import (
	"sync"

	"github.com/klauspost/compress/zstd"

	"patina/store/doc"
)

// A Compressor packs texts. The zero value is ready. It keeps tens of megabytes between texts and
// must not be used by two goroutines at once.
type Compressor struct{ encoder *zstd.Encoder } // nil until needed

// Compress packs a text as one frame.
func (c *Compressor) Compress(text []byte) []byte {
	if c.encoder == nil {
		// Less memory means less history behind the window, which no source file fills. Only
		// unknown options fail.
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err)
		}
		c.encoder = z
	}
	return c.encoder.EncodeAll(text, nil)
}

var decoders = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		panic(err) // only unknown options fail
	}
	return d
})

// Decompress unpacks a frame into memory of its own. The error wraps doc.ErrDamaged.
func Decompress(frame []byte) ([]byte, error) {
	text, err := decoders().DecodeAll(frame, nil)
	if err != nil {
		return nil, doc.DamagedBy(err)
	}
	return text, nil
}
