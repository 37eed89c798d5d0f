package front

import (
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers the codec for all other messages
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
)

// A frame is a message that is passed on as it is.
type frame struct {
	bytes []byte
	more  []byte // a second encoding that is merged into the first; may be empty
}

// codec leaves frames alone, and is protobuf for all other messages.
type codec struct{ encoding.CodecV2 }

func newCodec() codec { return codec{encoding.GetCodecV2("proto")} }

// Marshal implements encoding.CodecV2. A frame may be sent several times, and is not changed.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	if f, ok := v.(*frame); ok {
		return mem.BufferSlice{mem.SliceBuffer(f.bytes), mem.SliceBuffer(f.more)}, nil
	}
	return c.CodecV2.Marshal(v)
}

// Unmarshal implements encoding.CodecV2.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if f, ok := v.(*frame); ok {
		f.bytes = data.Materialize()
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}

// with returns a frame with other values for the fields that m has. The frame is not decoded: two
// encodings one after the other are the encoding of both merged, in which the last value of a field
// counts.
func with(f *frame, m proto.Message) (*frame, error) {
	more, err := proto.Marshal(m)
	return &frame{f.bytes, more}, err
}
