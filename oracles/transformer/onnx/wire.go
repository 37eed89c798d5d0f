package onnx

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxField bounds the fields that are read rather than skipped: names, shapes and small constants.
const maxField = 1 << 20

// Wire types of protocol buffers.
const (
	varintType  = 0
	fixed64Type = 1
	bytesType   = 2
	fixed32Type = 5
)

var errCut = errors.New("the file ends within a field")

// A message reads the fields of one protocol buffer message from a file. It knows where the message
// ends, so that messages may be nested without being held in memory.
type message struct {
	file *source
	end  int64
}

// A source is a file that is read forwards.
type source struct {
	seeker io.ReadSeeker
	reader *bufio.Reader
	at     int64
}

func newSource(file io.ReadSeeker) *source {
	return &source{seeker: file, reader: bufio.NewReader(file)}
}

// A field is the header of a field: its number, its wire type, and its value or length.
type field struct {
	number int
	kind   int
	value  uint64 // of a varint, or the length of bytes
}

// nextField reads the header of the next field. It returns false at the end of the message. Fields
// of fixed size are skipped. The caller must read or skip the bytes of a field of bytesType.
func (m message) nextField() (field, bool, error) {
	for m.file.at < m.end {
		tag, err := m.varint()
		if err != nil {
			return field{}, false, err
		}
		f := field{number: int(tag >> 3 & (1<<29 - 1)), kind: int(tag & 7)}
		switch f.kind {
		case varintType:
			f.value, err = m.varint()
			return f, err == nil, err
		case bytesType:
			if f.value, err = m.varint(); err != nil {
				return f, false, err
			}
			if f.value > uint64(m.end-m.file.at) {
				return f, false, errCut
			}
			return f, true, nil
		case fixed64Type:
			err = m.skip(8)
		case fixed32Type:
			err = m.skip(4)
		default:
			err = fmt.Errorf("a field of wire type %d", f.kind)
		}
		if err != nil {
			return f, false, err
		}
	}
	return field{}, false, nil
}

func (m message) varint() (uint64, error) {
	var value uint64
	for shift := 0; shift < 64; shift += 7 {
		if m.file.at >= m.end {
			return 0, errCut
		}
		b, err := m.file.reader.ReadByte()
		if err != nil {
			return 0, errCut
		}
		m.file.at++
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value, nil
		}
	}
	return 0, errors.New("a number of more than 64 bits")
}

// nested returns the message in a field of bytesType.
func (m message) nested(f field) message { return message{m.file, m.file.at + int64(f.value)} }

// bytes reads a field of bytesType.
func (m message) bytes(f field) ([]byte, error) {
	if f.kind != bytesType || f.value > maxField {
		return nil, fmt.Errorf("field %d is no text of at most %d bytes", f.number, maxField)
	}
	data := make([]byte, f.value)
	if _, err := io.ReadFull(m.file.reader, data); err != nil {
		return nil, errCut
	}
	m.file.at += int64(f.value)
	return data, nil
}

// pass skips the bytes of a field that the caller does not want.
func (m message) pass(f field) error {
	if f.kind != bytesType {
		return nil
	}
	return m.skip(int64(f.value))
}

// skip moves forward by n bytes.
func (m message) skip(n int64) error {
	if n > m.end-m.file.at {
		return errCut
	}
	m.file.at += n
	if n <= int64(m.file.reader.Buffered()) {
		_, err := m.file.reader.Discard(int(n))
		return err
	}
	if _, err := m.file.seeker.Seek(m.file.at, io.SeekStart); err != nil {
		return err
	}
	m.file.reader.Reset(m.file.seeker)
	return nil
}
