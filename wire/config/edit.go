package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"patina/internal/safeio"
)

// ErrByHand is the cause when a change of nodes.toml must be made by hand: the file cannot be
// written, or it is written in a way that the edit would not leave alone.
var ErrByHand = errors.New("it must be changed by hand")

// editWait is how long one edit waits for another of the same folder.
const editWait = 5 * time.Second

// AddUser adds a user to groups in nodes.toml, and reports whether that changed the file. What else
// stands there stays, comments and all. It returns an error for a group that the file does not
// have, and one that wraps ErrByHand if the change must be made by hand.
func AddUser(dir, user string, groups []string) (changed bool, err error) {
	if err := CheckName(user); err != nil {
		return false, err
	}
	return edit(dir, func(f *nodesFile) (all []insertion, err error) {
		for _, name := range groups {
			g, ok := f.Groups[name]
			if !ok {
				return nil, fmt.Errorf("no group %q in %s: there are %s; add [groups.%s] with users = []",
					name, NodesFile, strings.Join(slices.Sorted(maps.Keys(f.Groups)), ", "), keyOf(name))
			}
			if slices.Contains(g.Users, user) {
				continue
			}
			g.Users = append(slices.Clone(g.Users), user)
			f.Groups[name] = g
			all = append(all, insertion{[]string{"groups", name}, "users", user})
		}
		return all, nil
	})
}

// Revoke adds a name or a serial number to those that nodes.toml refuses, and reports whether that
// changed the file. Give one of the two. The rest is as for AddUser.
func Revoke(dir, name, serial string) (changed bool, err error) {
	return edit(dir, func(f *nodesFile) ([]insertion, error) {
		c := Config{Revoked: f.Revoked}
		switch {
		case c.IsRevoked(name, serial):
			return nil, nil
		case name != "":
			f.Revoked.Names = append(slices.Clone(f.Revoked.Names), name)
			return []insertion{{[]string{"revoked"}, "names", name}}, CheckName(name)
		}
		f.Revoked.Serials = append(slices.Clone(f.Revoked.Serials), serial)
		return []insertion{{[]string{"revoked"}, "serials", serial}}, nil
	})
}

// An insertion adds a text to a list in a table of TOML.
type insertion struct {
	table     []string
	key, text string
}

// lines returns what must be added by hand.
func (i insertion) lines() string {
	var keys []string
	for _, part := range i.table {
		keys = append(keys, keyOf(part))
	}
	return fmt.Sprintf("[%s]\n%s = [%q]\n", strings.Join(keys, "."), keyOf(i.key), i.text)
}

// keyOf returns a part of a key as TOML writes it.
func keyOf(part string) string {
	if strings.ContainsFunc(part, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return strconv.Quote(part)
	}
	return part
}

// edit inserts into nodes.toml what change has added to its content. The new text must say what
// change made of the old one, or nothing is written.
func edit(dir string, change func(*nodesFile) ([]insertion, error)) (changed bool, err error) {
	// A link stays one: its target is replaced.
	name, err := filepath.EvalSymlinks(filepath.Join(dir, NodesFile))
	if err != nil {
		return false, fmt.Errorf("change %s: %w", NodesFile, err)
	}
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return false, fmt.Errorf("change %s: %w", name, err)
	}
	defer func() { _ = folder.Close() }()
	if err := safeio.Lock(context.Background(), folder, editWait); err != nil {
		return false, fmt.Errorf("change %s: %w; try again", name, err)
	}
	if _, err := Read(dir); err != nil { // the error names the entry that is wrong
		return false, err
	}
	old, err := safeio.ReadFile(name, maxFile)
	if err != nil {
		return false, fmt.Errorf("change %s: %w", name, err)
	}
	var want nodesFile
	if err := toml.Unmarshal(old, &want); err != nil {
		return false, fmt.Errorf("change %s: %w", name, err)
	}
	all, err := change(&want)
	if err != nil || len(all) == 0 {
		return false, err
	}
	content, lines := old, ""
	for _, i := range all {
		content = i.into(content)
		lines += i.lines()
	}
	var got nodesFile
	err = toml.Unmarshal(content, &got)
	if err != nil || !reflect.DeepEqual(got, want) {
		return false, fmt.Errorf("change %s: its form is not one that can be added to: %w: it must say, beside what it says:\n%s",
			name, ErrByHand, lines)
	}
	if err := replace(name, content); err != nil {
		return false, fmt.Errorf("change %s: %w: %w: it must say, beside what it says:\n%s", name, err, ErrByHand, lines)
	}
	return true, nil
}

// into returns the content of a file with the text in its list. It looks for the list, then for its
// table, and else adds both at the end.
func (i insertion) into(content []byte) []byte {
	text := strconv.Quote(i.text) // names and numbers have nothing that TOML writes in another way
	p := place{last: -1, list: -1, table: -1}
	p.find(content, i)
	switch {
	case p.last >= 0:
		return splice(content, p.last, ", "+text)
	case p.list >= 0:
		return splice(content, p.list, text)
	case p.table >= 0:
		return splice(content, p.table, keyOf(i.key)+" = ["+text+"]\n")
	}
	end := "\n"
	if n := len(content); n > 0 && content[n-1] != '\n' {
		end = "\n\n"
	}
	return append(slices.Clip(content), end+i.lines()...)
}

func splice(content []byte, at int, text string) []byte {
	return slices.Concat(content[:at], []byte(text), content[at:])
}

// A place says where a list is in a file: the ends of its last text, of its bracket, and of the
// line of its table, or -1.
type place struct{ last, list, table int }

func (p *place) find(content []byte, i insertion) {
	var parser unstable.Parser
	parser.Reset(content)
	var table []string
	for parser.NextExpression() {
		e := parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			var end int
			table, end = keysOf(e)
			if slices.Equal(table, i.table) && e.Kind == unstable.Table {
				if n := bytes.IndexByte(content[end:], '\n'); n >= 0 {
					p.table = end + n + 1
				}
			}
		case unstable.KeyValue:
			keys, end := keysOf(e)
			if !slices.Equal(slices.Concat(table, keys), append(slices.Clone(i.table), i.key)) || e.Value().Kind != unstable.Array {
				continue
			}
			if n := bytes.IndexByte(content[end:], '['); n >= 0 {
				p.list = end + n + 1
			}
			for children := e.Value().Children(); children.Next(); {
				if x := children.Node(); x.Kind == unstable.String {
					p.last = int(x.Raw.Offset + x.Raw.Length)
				}
			}
		}
	}
}

// keysOf returns the parts of a key, and where the last of them ends.
func keysOf(e *unstable.Node) (parts []string, end int) {
	for it := e.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
		end = int(it.Node().Raw.Offset + it.Node().Raw.Length)
	}
	return parts, end
}

// replace gives a file another content as a whole, with the mode that it has.
func replace(name string, content []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
