package train

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A file is one text of a source. Its path is relative to the top of the source.
type file struct {
	path string
	text []byte
}

const (
	mostBytes = 400 << 10 // bytes of a file; larger ones are data or generated
	mostBlob  = 1 << 30   // bytes of an object that git may announce
)

// repository returns a git repository that holds a source's commit: one of the mirrors
// (owner+name/repo), or a shallow copy in cache, which it fetches from the public address if
// needed.
func repository(ctx context.Context, s Source, cache, mirrors string) (string, error) {
	folder := strings.ReplaceAll(s.Name, "/", "+")
	if mirrors != "" {
		mirror := filepath.Join(mirrors, folder, "repo")
		if _, err := git(ctx, mirror, "cat-file", "-e", s.Version+"^{commit}"); err == nil {
			return mirror, nil
		}
	}
	dir := filepath.Join(cache, folder+".git")
	if _, err := git(ctx, dir, "cat-file", "-e", s.Version+"^{commit}"); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("fetch %q: %w", s.Name, err)
	}
	if _, err := git(ctx, dir, "init", "--bare", "--quiet"); err != nil {
		return "", fmt.Errorf("fetch %q: %w", s.Name, err)
	}
	address := "https://github.com/" + s.Name + ".git"
	if _, err := git(ctx, dir, "fetch", "--quiet", "--depth=1", address, s.Version); err != nil {
		return "", fmt.Errorf("fetch %q at %s: %w", s.Name, s.Version, err)
	}
	return dir, nil
}

// git runs a git command in a repository and returns its output. The error holds git's message.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir=" + dir}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(errs.Bytes()))
	}
	return out.Bytes(), nil
}

// committed returns the files of a commit for which keep returns true, sorted by path. Missing
// objects are left out, because filtered clones lack large files.
func committed(ctx context.Context, dir, version string, keep func(path string, size int64) bool) ([]file, error) {
	tree, err := git(ctx, dir, "ls-tree", "-r", "-l", "-z", version)
	if err != nil {
		return nil, err
	}
	var paths []string
	var asked strings.Builder
	for entry := range strings.SplitSeq(string(tree), "\x00") {
		meta, path, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(meta) // mode, type, object, size
		if len(fields) != 4 || fields[1] != "blob" || fields[0] == "120000" {
			continue
		}
		if size, err := strconv.ParseInt(fields[3], 10, 64); err == nil && keep(path, size) {
			paths = append(paths, path)
			asked.WriteString(fields[2] + "\n")
		}
	}
	cmd := exec.CommandContext(ctx, "git", "--git-dir="+dir, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(asked.String())
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	files, err := readBatch(bufio.NewReader(out), paths)
	_, _ = io.Copy(io.Discard, out)
	if waited := cmd.Wait(); err == nil {
		err = waited
	}
	return files, err
}

// readBatch reads the output of "git cat-file --batch" for the objects at paths.
func readBatch(r *bufio.Reader, paths []string) ([]file, error) {
	var files []file
	for _, path := range paths {
		head, err := r.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", path, err)
		}
		fields := strings.Fields(head) // object, type, size
		if len(fields) == 2 && fields[1] == "missing" {
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("read %q: git says %q", path, head)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", path, err)
		}
		if size < 0 || size > mostBlob {
			return nil, fmt.Errorf("read %q: impossible size %d", path, size)
		}
		text := make([]byte, size+1)
		if _, err := io.ReadFull(r, text); err != nil {
			return nil, fmt.Errorf("read %q: %w", path, err)
		}
		files = append(files, file{path, text[:size]})
	}
	return files, nil
}
