package cli

import (
	"io"
)

// A Counter counts what is written.
type Counter struct {
	io.Writer
	N int
}

// Write implements io.Writer.
func (c *Counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.N += n
	return n, err
}
