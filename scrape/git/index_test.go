package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/internal/safeio"
)

// tracks returns whether a tree tracks a folder, and whether git was needed to know.
func tracks(t *testing.T, dir, folder string) (found, asked bool) {
	t.Helper()
	tree := find(t, dir)
	said, err := tree.scanIndex("index", folder)
	if err != nil {
		t.Fatal(err)
	}
	found, err = tree.Tracks(context.Background(), folder)
	if err != nil {
		t.Fatal(err)
	}
	return found, said == unclear
}

// Tracked folders are found in every form of index that git writes. Git is started for the odd
// forms alone.
func TestTracks(t *testing.T) {
	blob := strings.Repeat("0", 39) + "1"
	for name, c := range map[string]struct {
		setup func(dir string)
		ask   map[string]bool // folder → tracked
		asked bool
	}{
		"version 2": {func(string) {}, nil, false},
		"version 4": {func(dir string) { git(t, dir, "update-index", "--index-version", "4") }, nil, false},
		"version 3": {func(dir string) {
			historyWrite(t, filepath.Join(dir, "later"), "x")
			git(t, dir, "add", "-N", "later")
		}, map[string]bool{"later": true}, false},
		"long names": {func(dir string) {
			for _, n := range []int{4094, 4095, 4096, 5000, 9001} {
				gitInput(t, dir, fmt.Sprintf("100644 %s 0\t%s\x00", blob, strings.Repeat("l", n)), "update-index", "-z",
					"--index-info")
			}
			gitInput(t, dir, fmt.Sprintf("100644 %s 0\t%s\x00", blob, ".zed/x"), "update-index", "-z", "--index-info")
		}, map[string]bool{".zed": true, strings.Repeat("l", 5000): true, strings.Repeat("l", 4999): false}, false},
		"long names, compressed": {func(dir string) {
			git(t, dir, "update-index", "--index-version", "4")
			for _, n := range []int{4094, 4095, 4096, 5000, 9001} {
				gitInput(t, dir, fmt.Sprintf("100644 %s 0\t%s\x00", blob, strings.Repeat("l", n)), "update-index", "-z",
					"--index-info")
			}
		}, map[string]bool{strings.Repeat("l", 5000): true, strings.Repeat("l", 4999): false, "lm": false}, false},
		"split": {
			func(dir string) { git(t, dir, "update-index", "--split-index") }, map[string]bool{"none": false}, true,
		},
		"sparse": {func(dir string) {
			git(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "a")
		}, map[string]bool{"z/deep": true, "z/none": false}, false},
		"with a file only": {
			func(dir string) { git(t, dir, "rm", "-q", "--cached", "-r", "z") }, map[string]bool{"z": false}, false,
		},
		"a submodule": {func(dir string) {
			gitInput(t, dir, fmt.Sprintf("160000 %s 0\t%s\x00", blob, ".patina"), "update-index", "-z", "--index-info")
		}, map[string]bool{".patina": true, ".patin": false, ".patina/x": false}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			commit(t, dir, "one", "a/b/c", "x", "a/bc", "x", "z/deep/d", "x", "top", "x")
			c.setup(dir)
			ask := map[string]bool{
				"a": true, "a/b": true, "A/B": true, "a/b/c": true, "a/b/c/d": false, "b": false, "to": false,
				"topp": false, ".git": false,
			}
			for folder, want := range c.ask {
				ask[folder] = want
			}
			for folder, want := range ask {
				got, asked := tracks(t, dir, folder)
				if got != want {
					t.Errorf("%.20q tracked: %v", folder, got)
				}
				if asked != (c.asked && want || name == "sparse" && strings.HasPrefix(folder, "z/")) {
					t.Errorf("%.20q: git was asked: %v", folder, asked)
				}
			}
		})
	}
}

func TestTracksOther(t *testing.T) {
	empty := newRepo(t)
	if got, err := find(t, empty).Tracks(context.Background(), ".patina"); got || err != nil {
		t.Errorf("no index: %v, %v", got, err)
	}
	sha256 := physicalPath(t.TempDir())
	git(t, sha256, "init", "-q", "-b", "main", "--object-format=sha256")
	commit(t, sha256, "one", ".patina/x", "x", "y", "y")
	for folder, want := range map[string]bool{".patina": true, "y": true, "x": false} {
		if got, asked := tracks(t, sha256, folder); got != want || asked {
			t.Errorf("sha256, %q: %v, asked %v", folder, got, asked)
		}
	}
	main := newRepo(t)
	commit(t, main, "one", "a", "x")
	linked := filepath.Join(physicalPath(t.TempDir()), "linked")
	git(t, main, "worktree", "add", "-q", linked)
	commit(t, linked, "two", ".patina/x", "x")
	for dir, want := range map[string]bool{main: false, linked: true} {
		if got, _ := tracks(t, dir, ".patina"); got != want {
			t.Errorf("%q: %v", dir, got)
		}
	}
	historyWrite(t, filepath.Join(main, ".git/index"), "no index")
	if _, err := find(t, main).Tracks(context.Background(), ".patina"); err == nil {
		t.Error("a damaged index passes")
	}
	if err := errors.Join(os.Remove(filepath.Join(main, ".git/index")),
		os.Symlink("/dev/zero", filepath.Join(main, ".git/index"))); err != nil {
		t.Fatal(err)
	}
	if _, err := find(t, main).Tracks(context.Background(), ".patina"); !errors.Is(err, safeio.ErrIrregular) {
		t.Errorf("/dev/zero: %v", err)
	}
}

// An entry in a split index's shared part may have been removed since, so git must judge.
func TestTracksSplit(t *testing.T) {
	dir := newRepo(t)
	commit(t, dir, "one", ".patina/x", "x", "y", "y")
	git(t, dir, "update-index", "--split-index")
	if got, asked := tracks(t, dir, ".patina"); !got || !asked {
		t.Errorf("shared: %v, asked %v", got, asked)
	}
	git(t, dir, "rm", "-q", "-r", "--cached", ".patina")
	if got, asked := tracks(t, dir, ".patina"); got || !asked {
		t.Errorf("taken out: %v, asked %v", got, asked)
	}
	if got, asked := tracks(t, dir, "none"); got || asked {
		t.Errorf("in neither: %v, asked %v", got, asked)
	}
}

// rawIndex returns an index as git would write it, with names that git refuses.
func rawIndex(version uint32, names ...string) []byte {
	var b bytes.Buffer
	b.WriteString("DIRC")
	_ = binary.Write(&b, binary.BigEndian, []uint32{version, uint32(len(names))})
	last := ""
	for _, name := range names {
		entry := make([]byte, 62)
		binary.BigEndian.PutUint32(entry[24:], 0o100644)
		binary.BigEndian.PutUint16(entry[60:], uint16(min(len(name), 0xfff)))
		if version == 4 {
			same := 0
			for same < min(len(name), len(last)) && name[same] == last[same] {
				same++
			}
			entry = append(entry, varint(len(last)-same)...)
			entry = append(append(entry, name[same:]...), 0)
		} else {
			entry = append(entry, name...)
			entry = append(entry, make([]byte, 8-len(entry)%8)...)
		}
		last = name
		b.Write(entry)
	}
	sum := sha1.Sum(b.Bytes())
	return append(b.Bytes(), sum[:]...)
}

func varint(n int) []byte {
	out := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		out = append([]byte{0x80 | byte(n&0x7f)}, out...)
	}
	return out
}

// The two readers of an index must agree: git's and this one.
func TestIndexAsGitReadsIt(t *testing.T) {
	dir := newRepo(t)
	tree := find(t, dir)
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		var names []string
		for range 1 + r.IntN(20) {
			var parts []string
			for range 1 + r.IntN(3) {
				parts = append(parts, strings.Repeat(string(rune('a'+r.IntN(2))), 1+r.IntN(2)))
			}
			names = append(names, strings.Join(parts, "/"))
			if r.IntN(10) == 0 {
				names = append(names, strings.Repeat("q", 100+r.IntN(9000)))
			}
		}
		slices.Sort(names)
		names = slices.Compact(names)
		historyWrite(t, filepath.Join(dir, ".git/index"), string(rawIndex([]uint32{2, 4}[r.IntN(2)], names...)))
		listed := strings.Split(git(t, dir, "ls-files"), "\n")
		check(t, "git reads", listed, names)
		for _, folder := range []string{"a", "b", "a/b", "aa", "q", "a/a/a", "ab"} {
			want := absent
			if slices.ContainsFunc(names, func(n string) bool {
				return n == folder || strings.HasPrefix(n, folder+"/")
			}) {
				want = tracked
			}
			if got, err := tree.scanIndex("index", folder); got != want || err != nil {
				t.Errorf("%q in %q: %v, %v", folder, names, got, err)
			}
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add(rawIndex(2, ".patina/x", "a", "b/c"))
	f.Add(rawIndex(4, "a/b", "a/c", "z/.patina"))
	f.Add([]byte("DIRC\x00\x00\x00\x04\xff\xff\xff\xff"))
	f.Add(append(rawIndex(2, "a")[:84], "link\x00\x00\x00\x14aaaaaaaaaaaaaaaaaaaacccccccccccccccccccc"...))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, "index"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		tree := Tree{GitDir: dir, CommonDir: dir, Root: dir}
		found, err := tree.scanIndex("index", ".patina")
		if err == nil && found == tracked && !bytes.Contains(bytes.ToLower(data), []byte("a")) {
			t.Errorf("found what is not there in %q", data)
		}
	})
}

func BenchmarkTracks(b *testing.B) {
	var names []string
	for i := range 15_000 {
		names = append(names, fmt.Sprintf("src/module%03d/package%02d/file%05d.go", i/100, i/10%10, i))
	}
	for _, version := range []uint32{2, 4} {
		b.Run(fmt.Sprintf("version %d", version), func(b *testing.B) {
			dir := newRepo(b)
			historyWrite(b, filepath.Join(dir, ".git/index"), string(rawIndex(version, names...)))
			tree := find(b, dir)
			for b.Loop() {
				if found, err := tree.Tracks(context.Background(), ".patina"); found || err != nil {
					b.Fatal(found, err)
				}
			}
		})
	}
}
