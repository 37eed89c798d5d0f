package graphtest

import (
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

func appendInt(dst []byte, field protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, field, protowire.VarintType), value)
}

func appendBytes(dst []byte, field protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, field, protowire.BytesType), value)
}

func appendText(dst []byte, field protowire.Number, value string) []byte {
	return appendBytes(dst, field, []byte(value))
}

func entry(key, value string) []byte { return appendText(appendText(nil, 1, key), 2, value) }

func itoa(n int) string { return strconv.Itoa(n) }

// toHalf rounds a number to 16 bits. Those below 2⁻¹⁴ become 0, those above 65,504 become infinite.
func toHalf(x float32) uint16 {
	bits := math.Float32bits(x)
	sign := uint16(bits >> 16 & 0x8000)
	bits &= 1<<31 - 1
	bits += 0xfff + bits>>13&1 // to the nearest, half to even
	exponent := int(bits>>23) - 127 + 15
	switch {
	case exponent <= 0:
		return sign
	case exponent >= 31:
		return sign | 31<<10
	}
	return sign | uint16(exponent)<<10 | uint16(bits>>13&1023)
}
