package git

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// Shallow reports whether the clone was made with a limited depth, so that older history is
// missing.
func (t Tree) Shallow() bool { return len(t.boundary()) > 0 }

// boundary returns the commits where a shallow history was cut, or nil. Git knows them without
// their parents.
func (t Tree) boundary() map[string]bool {
	data, err := readSmall(filepath.Join(t.CommonDir, "shallow"), maxShallow)
	if err != nil {
		return nil
	}
	ids := map[string]bool{}
	for _, id := range strings.Fields(string(data)) {
		ids[id] = true
	}
	return ids
}

// Sparse reports whether only some files are checked out.
func (t Tree) Sparse() bool { return t.config().is("core.sparsecheckout") }

// Partial reports whether the clone left objects with its remote (git clone --filter).
func (t Tree) Partial() bool {
	c := t.config()
	for name := range c {
		if strings.HasPrefix(name, "remote.") && strings.HasSuffix(name, ".promisor") && c.is(name) {
			return true
		}
	}
	return c["extensions.partialclone"] != ""
}

// Behind returns the number of commits in the history of to that are not in the history of from. It
// returns -1 and no error if a commit is malformed, unknown or missing.
func (t Tree) Behind(ctx context.Context, from, to string) (int, error) {
	if !isID(from) || !isID(to) {
		return -1, nil
	}
	if from == to {
		return 0, nil
	}
	out, err := t.output(ctx, "rev-list", "--count", from+".."+to, "--")
	if exitCode(err) > 0 {
		return -1, nil
	}
	if err != nil {
		return -1, fmt.Errorf("count commits: %w", err)
	}
	n, err := strconv.Atoi(out)
	if err != nil {
		return -1, fmt.Errorf("count commits: git answered %q", out)
	}
	return n, nil
}

// Has reports whether the repository has a commit. It returns false and no error if id is
// malformed.
func (t Tree) Has(ctx context.Context, id string) (bool, error) {
	if !isID(id) {
		return false, nil
	}
	_, err := t.output(ctx, "cat-file", "-e", id+"^{commit}")
	if exitCode(err) > 0 {
		return false, nil
	}
	return err == nil, wrapError("look for a commit", err)
}

// Only returns the ids of the commits in the history of one commit that are not in the history of
// another, oldest first. It returns an error if a commit is missing, for example garbage-collected,
// or if an argument is no full commit id.
func (t Tree) Only(ctx context.Context, of, not string) ([]string, error) {
	if !isID(of) || !isID(not) {
		return nil, fmt.Errorf("compare histories: %q or %q is not a commit id", of, not)
	}
	list, err := t.walk(ctx, of, []string{not})
	if err != nil {
		return nil, wrapError("compare histories", err)
	}
	out := make([]string, list.len())
	for i := range out {
		out[i] = list.id(i)
	}
	return out, nil
}

// Ancestors returns the ids of a commit and of those before it, the last ones first, at most n.
func (t Tree) Ancestors(ctx context.Context, of string, n int) ([]string, error) {
	if !isID(of) {
		return nil, fmt.Errorf("list commits: %q is not a commit id", of)
	}
	list, err := t.listCommits(ctx, []string{"--max-count=" + strconv.Itoa(n), of})
	if err != nil {
		return nil, wrapError("list commits", err)
	}
	out := make([]string, list.len())
	for i := range out {
		out[i] = list.id(i)
	}
	return out, nil
}

// Tags returns the names of tags by the full ids of their commits, sorted by name. Annotated tags
// count for the commit they lead to. Tags of other objects are left out. The map is nil if there
// are no tags.
func (t Tree) Tags(ctx context.Context) (map[string][]string, error) {
	var names []string
	var objects strings.Builder
	err := t.stream(ctx, nil, func(r *bufio.Reader) error {
		return eachLine(r, func(line string) {
			object, name, _ := strings.Cut(line, " ") // no ref name has a blank or a line feed
			names = append(names, name)
			objects.WriteString(object + "^{commit}\n")
		})
	}, "for-each-ref", "--format=%(objectname) %(refname:strip=2)", "refs/tags/")
	if err != nil || len(names) == 0 {
		return nil, wrapError("read tags", err)
	}
	tags := map[string][]string{}
	// A second call asks for the commits, because for-each-ref before git 2.45 peels only one of
	// several nested tags, and fails altogether on a tag whose object is missing.
	err = t.stream(ctx, strings.NewReader(objects.String()), func(r *bufio.Reader) error {
		i := 0
		return eachLine(r, func(line string) {
			if i < len(names) && isID(line) {
				tags[line] = append(tags[line], names[i])
			}
			i++
		})
	}, "cat-file", "--batch-check=%(objectname)")
	return tags, wrapError("read tags", err)
}

func wrapError(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// eachLine calls each with every line, without its end. Lines must be short, because each is read
// as a whole. It returns errCut if the last line has no end.
func eachLine(r *bufio.Reader, each func(string)) error {
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		}
		if err == io.EOF {
			return errCut
		}
		if err != nil {
			return err
		}
		each(line[:len(line)-1])
	}
}
