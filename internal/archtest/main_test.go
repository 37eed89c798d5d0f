package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestMain runs the tests in the module's root, because they name files from there.
func TestMain(m *testing.M) {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
