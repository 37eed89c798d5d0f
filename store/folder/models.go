package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// modelFiles matches the files of vectors that models of the user have made (package overlay), and
// their lock.
const modelFiles = `model\.lock|model-[0-9a-f]{16}(\.state(\.new)?|-[0-9]+\.(vec|keys|hnsw(\.(new|lock))?))`

const (
	modelLock   = "model.lock"
	modelPrefix = "model-"
	stateSuffix = ".state"
)

// ModelName returns the beginning of the names of the files that belong to a model, given by its
// id.
func ModelName(model string) string {
	sum := sha256.Sum256([]byte(model))
	return modelPrefix + hex.EncodeToString(sum[:8])
}

// StateOf returns the name of the file that says which vectors of a model there are. name must be
// from ModelName.
func StateOf(name string) string { return name + stateSuffix }

// RowsOf returns the path of the n-th vectors of a model, without an ending. VectorsOf, GraphOf and
// KeysOf add theirs. name must be from ModelName.
func (f *Folder) RowsOf(name string, n uint64) string {
	return filepath.Join(f.path, name+"-"+strconv.FormatUint(n, 10))
}

// KeysOf returns the path of the keys of a model's vectors.
func KeysOf(rows string) string { return rows + ".keys" }

// LockModels takes the folder for writing vectors of models, as Lock does for an index. The error
// wraps ErrLocked if another process writes some for longer than wait.
func (f *Folder) LockModels(ctx context.Context, wait time.Duration) (*os.File, error) {
	l, _, err := f.LockFile(ctx, modelLock, wait)
	return l, err
}

// ModelNames lists the models with any file in the folder, as ModelName returns them.
func (f *Folder) ModelNames() ([]string, error) {
	names, err := f.Names()
	var out []string
	for _, name := range names {
		if n := len(ModelName("")); len(name) > n && strings.HasPrefix(name, modelPrefix) && Owns(name) {
			out = append(out, name[:n])
		}
	}
	slices.Sort(out)
	return slices.Compact(out), err
}

// RemoveModel removes the files of a model, but for the n-th vectors and the state if keep is set.
// The state goes first, so that it never names files that are gone. name must be from ModelName.
func (f *Folder) RemoveModel(name string, keep bool, n uint64) error {
	names, err := f.Names()
	if i := slices.Index(names, StateOf(name)); i > 0 {
		names[0], names[i] = names[i], names[0]
	}
	kept := name + "-" + strconv.FormatUint(n, 10) + "."
	for _, x := range names {
		rest, ok := strings.CutPrefix(x, name)
		if !ok || !Owns(x) || keep && (strings.HasPrefix(x, kept) || rest == stateSuffix) {
			continue
		}
		if e := f.Remove(x); e != nil && !os.IsNotExist(e) {
			err = e
		}
	}
	return err
}
