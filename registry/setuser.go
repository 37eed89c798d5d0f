package registry

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"

	"patina/internal/safeio"
)

// SetUser gives a setting of text another value in the user's config.toml, which is made if it does
// not exist. What else stands there stays, comments and all. It returns an error, and writes
// nothing, if the file has another form than it can change, or would be refused afterwards.
func SetUser(home, key, value string) error {
	name := filepath.Join(home, "config.toml")
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real // a link stays one
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	old, err := safeio.ReadFile(name, maxConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("change settings: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("change settings: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".config.toml.*")
	if err != nil {
		return fmt.Errorf("change settings: %w", err)
	}
	_, err = f.Write(withSetting(old, key, value))
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = checkSetting(f.Name(), key, value)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("change %s: %w; write %s = %q there yourself", name, err, key, value), os.Remove(f.Name()))
	}
	return nil
}

// checkSetting returns an error unless a file can be read, and gives a setting a value.
func checkSetting(file, key, value string) error {
	values, err := readSettings(file)
	if err == nil && values[key] != value {
		err = fmt.Errorf("%s is set in another form", key)
	}
	return err
}

// withSetting returns the content of a file of settings with another value of one.
func withSetting(content []byte, key, value string) []byte {
	line := []byte(key + " = " + strconv.Quote(value))
	var p unstable.Parser
	p.Reset(content)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue {
			break // keys of tables follow
		}
		var parts [][]byte
		for it := e.Key(); it.Next(); {
			parts = append(parts, it.Node().Data)
		}
		if v := e.Value(); string(bytes.Join(parts, []byte("."))) == key && v.Kind == unstable.String {
			end := v.Raw.Offset + v.Raw.Length
			return slices.Concat(content[:v.Raw.Offset], []byte(strconv.Quote(value)), content[end:])
		}
	}
	// At the beginning it is in no table.
	return slices.Concat(line, []byte("\n"), content)
}
