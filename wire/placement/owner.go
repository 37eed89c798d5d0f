package placement

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"patina/internal/safeio"
)

// ownerFile names the node whose data a folder holds.
const ownerFile = "node"

// maxOwner bounds the file that is read, in bytes.
const maxOwner = 1 << 10

// ErrOtherOwner is the cause when a folder holds the data of another node.
var ErrOtherOwner = errors.New("the folder is another node's")

// ClaimFolder makes a folder the data folder of a node, once. It returns ErrOtherOwner if the
// folder is another node's, because two nodes that write one folder destroy each other's indexes.
// dir is made if it does not exist.
func ClaimFolder(dir, node string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("claim folder for node %q: %w", node, err)
	}
	name := filepath.Join(dir, ownerFile)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return checkOwner(name, node)
	}
	if err != nil {
		return fmt.Errorf("claim folder for node %q: %w", node, err)
	}
	_, err = f.WriteString(node + "\n")
	return errors.Join(err, f.Sync(), f.Close())
}

// checkOwner returns an error unless the file names the node.
func checkOwner(name, node string) error {
	content, err := safeio.ReadFile(name, maxOwner)
	if err != nil {
		return fmt.Errorf("claim folder for node %q: %w", node, err)
	}
	if owner := strings.TrimSpace(string(content)); owner != node {
		return fmt.Errorf("folder %s holds the data of node %.80q, not of %q: %w", filepath.Dir(name), owner, node, ErrOtherOwner)
	}
	return nil
}
