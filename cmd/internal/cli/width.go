package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// Width returns the columns of a terminal. It returns 0 for any other stream, or if they are not
// known.
func Width(stream any) int {
	if !Terminal(stream) {
		return 0
	}
	if c, ok := stream.(*Counter); ok {
		stream = c.Writer
	}
	size, err := unix.IoctlGetWinsize(int(stream.(*os.File).Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
