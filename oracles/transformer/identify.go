package transformer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// idVersion is part of every id. It must change whenever this package makes other vectors of the
// same files.
const idVersion = 1

// identify sets Stamp and ID. asked and stamp are of an earlier description, or empty; tokenizer
// is a hash.
func (d *Description) identify(asked, stamp, tokenizer string) error {
	use := fmt.Sprintf("%d %s %q %q %q %d", idVersion, tokenizer, d.Pooling, d.QueryPrefix, d.PassagePrefix, d.MaxTokens)
	var err error
	if d.Stamp, err = stampOf(d.Dir, d.Files, use); err != nil {
		return err
	}
	if asked != "" && stamp == d.Stamp {
		d.ID = asked
		return nil
	}
	hash := sha256.New()
	fmt.Fprintln(hash, use)
	for _, name := range d.Files {
		if err := hashFile(hash, d.Dir, name); err != nil {
			return fmt.Errorf("model %q: %w", d.Dir, err)
		}
	}
	d.ID = cleanName(d.Dir) + "-" + hex.EncodeToString(hash.Sum(nil)[:8])
	if asked != "" && asked[strings.LastIndexByte(asked, '-')+1:] != d.ID[strings.LastIndexByte(d.ID, '-')+1:] {
		return fmt.Errorf("model %q: its files have changed since it was added (%s, now %s): add it again", d.Dir, asked, d.ID)
	}
	if asked != "" {
		d.ID = asked
	}
	return nil
}

// stampOf returns a hash of the files' names, sizes and times.
func stampOf(dir string, files []string, use string) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, use)
	for _, name := range files {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return "", fmt.Errorf("model %q: %w", dir, err)
		}
		fmt.Fprintf(hash, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), nil
}

// hashFile adds a file's size and content.
func hashFile(hash io.Writer, dir, name string) error {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q is not a regular file", name)
	}
	fmt.Fprintf(hash, "%q %d\n", filepath.Base(name), info.Size())
	_, err = io.Copy(hash, file)
	return err
}

// cleanName returns the name of a folder in small letters, digits and single hyphens, at most 40.
func cleanName(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return ' '
	}, strings.ToLower(filepath.Base(dir)))
	name := strings.Join(strings.Fields(clean), "-")
	name = strings.TrimRight(name[:min(len(name), 40)], "-")
	if name == "" {
		return "model"
	}
	return name
}
