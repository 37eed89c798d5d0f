package sqlite

import (
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// The header of a database: its first bytes, and where the number of the last migration is.
const (
	headerMark    = "SQLite format 3\x00"
	headerVersion = 60
	headerSize    = headerVersion + 4
)

// CheckHeader returns an error that wraps ErrNewer if the number of a database's last migration is
// above known. It reads the first bytes of the file and opens no database, so a migration whose log
// is not written back yet is not seen. It returns nil for a missing file and for one that is no
// database.
func CheckHeader(path string, known int) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || info.Mode().Type() != fs.FileMode(0) {
		return nil
	}
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(f, header); err != nil || !strings.HasPrefix(string(header), headerMark) {
		return nil
	}
	if v := int(binary.BigEndian.Uint32(header[headerVersion:])); v > known {
		return fmt.Errorf("%s: %w (schema %d, this one knows %d)", path, ErrNewer, v, known)
	}
	return nil
}
