package registry

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"patina/store/sqlite"
)

// mothers returns the id, the folder and the secret of each index in mother.db, without the
// records.
func mothers(t *testing.T, home string) (said []string) {
	t.Helper()
	check(t, sqlite.Glance(motherFile(home), func(db *sql.DB) error {
		b := &book{home: filepath.Join(home, "nowhere"), db: db}
		said = nil
		for _, r := range b.allRecords() {
			for _, k := range r.Stores {
				said = append(said, r.ID+" "+k.Path+" "+k.Secret)
			}
		}
		return b.err
	}))
	return said
}

// on runs a statement on mother.db without the registry.
func on(t *testing.T, home, statement string) {
	t.Helper()
	db := sqlite.Open(motherFile(home), sqlite.Authored())
	_, err := db.Exec(statement)
	check(t, errors.Join(err, db.Close()))
}

func line(p Project) string { return p.ID + " " + p.Store + " " + p.Secret }

// knows fails the test unless a home knows a project, by the registry and by an older patina.
func knows(t *testing.T, when, home string, want Project) {
	t.Helper()
	want.Doubt = ""
	if p := Lookup(home, want.Root, want.Store); p != want {
		t.Errorf("%s: %+v, want %+v", when, p, want)
	}
	if p := olderLookup(home, want.Root, want.Store); p != want {
		t.Errorf("%s, by an older patina: %+v, want %+v", when, p, want)
	}
}

// made registers a project with an index, by a version's function.
func made(t *testing.T, home string, register func(home, root, storeDir string) (Project, error)) Project {
	t.Helper()
	root, dir := makeFolder(t)
	p, err := register(home, root, dir)
	check(t, err)
	index(t, dir)
	return p
}

// Records of an older patina are read at once, and the first registration copies them. From then on
// mother.db must be enough, and its files must be private.
func TestRecordsAreTakenOver(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	a, b := made(t, home, olderRegister), made(t, home, olderRegister)
	older := filepath.Join(home, "projects", "00112233445566aa")
	check(t, os.MkdirAll(older, 0o700))
	const record = `{"id":"00112233445566aa","name":"old","root":"/old","store":"/old/.patina"}`
	check(t, os.WriteFile(filepath.Join(older, "project.json"), []byte(record), 0o600))
	knows(t, "before", home, a)
	if _, err := os.Stat(motherFile(home)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a look makes mother.db: %v", err)
	}
	c := made(t, home, Register)
	have := mothers(t, home)
	for _, want := range []string{line(a), line(b), line(c), "00112233445566aa /old/.patina "} {
		if !slices.Contains(have, want) {
			t.Errorf("mother.db lacks %q: %q", want, have)
		}
	}
	for _, p := range []Project{a, b, c} {
		knows(t, "after", home, p)
	}
	check(t, os.RemoveAll(filepath.Join(home, "projects")))
	for _, p := range []Project{a, b, c} {
		if got := Lookup(home, p.Root, p.Store); got.ID != p.ID || got.Secret != p.Secret {
			t.Errorf("by mother.db alone: %+v, want %+v", got, p)
		}
	}
	for name, mode := range map[string]os.FileMode{home: 0o700, motherFile(home): 0o600} {
		info, err := os.Stat(name)
		if check(t, err); info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
}

// Two versions take turns on one home. Each must find the other's registrations and changes at
// once. A project keeps its id and, in mother.db, its key.
func TestTwoVersionsTakeTurns(t *testing.T) {
	home := t.TempDir()
	first := made(t, home, Register)
	knows(t, "registered", home, first)
	check(t, Change(t.Context(), home, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO edge(source, target, relation, weight, evidence, made)
			SELECT key, key, 'USES', 0.9, '', 0 FROM project`)
		return err
	}))
	for turn := range 4 {
		register := []func(home, root, storeDir string) (Project, error){olderRegister, Register}[turn%2]
		check(t, os.Rename(first.Store, fmt.Sprint(first.Store, turn))) // for another index
		check(t, os.Mkdir(first.Store, 0o700))
		index(t, first.Store)
		check(t, os.WriteFile(filepath.Join(first.Store, ".gitignore"), []byte("*\n"), 0o600))
		p, err := register(home, first.Root, first.Store)
		check(t, err)
		if p.ID != first.ID || p.Secret == first.Secret || p.Doubt == "" {
			t.Errorf("turn %d: %+v after %+v", turn, p, first)
		}
		knows(t, fmt.Sprint("turn ", turn), home, p)
		knows(t, fmt.Sprint("turn ", turn, ", another"), home, made(t, home, register))
		first = p
	}
	made(t, home, Register)
	if have := mothers(t, home); len(have) != 6 || !slices.Contains(have, line(first)) {
		t.Errorf("mother.db has %q", have)
	}
	on(t, home, `DELETE FROM edge WHERE source NOT IN (SELECT key FROM project)`)
	check(t, sqlite.Glance(motherFile(home), func(db *sql.DB) error {
		var edges string
		err := db.QueryRow(`SELECT group_concat(p.id) FROM edge e JOIN project p ON p.key = e.target`).Scan(&edges)
		if edges != first.ID {
			t.Errorf("the edge leads to %q, want %q", edges, first.ID)
		}
		return err
	}))
}

// A record that was written but not entered, because the process ended between the two, counts.
func TestEndedBeforeTheCommit(t *testing.T) {
	home := t.TempDir()
	p := made(t, home, Register)
	var r record
	check(t, withBook(home, func(b *book) { r, _ = b.readRecord(p.ID) }))
	r.Stores[0].Secret = strings.Repeat("ab", 16)
	check(t, writeCopy(home, r))
	p.Secret = r.Stores[0].Secret
	knows(t, "ended before the commit", home, p)
	made(t, home, Register)
	if have := mothers(t, home); !slices.Contains(have, line(p)) {
		t.Errorf("mother.db has %q, want %q", have, line(p))
	}
}

// An unusable registry is reported and not changed. The records beside it answer all the same.
func TestRegistryThatCannotBeUsed(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(path string) error
		says  error // error of a registration; nil if it is not reported
	}{
		"no database": {func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("words ", 2000)), 0o600)
		}, ErrUnused},
		"pages": {func(path string) error {
			b, err := os.ReadFile(path)
			for i := 1 << 12; i < len(b); i++ {
				b[i] = 0x5a
			}
			return errors.Join(err, os.WriteFile(path, b, 0o600))
		}, ErrUnused},
		"cut":   {func(path string) error { return os.Truncate(path, 5000) }, ErrUnused},
		"empty": {func(path string) error { return os.Truncate(path, 0) }, ErrUnused},
		"row": {func(path string) error {
			on(t, filepath.Dir(path), `UPDATE project SET name = name || '!'`)
			return nil
		}, ErrUnused},
		"link": {func(path string) error {
			return errors.Join(os.Rename(path, path+".away"), os.Symlink("mother.db.away", path))
		}, ErrUnused},
		"newer": {func(path string) error {
			on(t, filepath.Dir(path), `ALTER TABLE project ADD COLUMN colour TEXT; PRAGMA user_version = 99`)
			return nil
		}, nil},
	} {
		home := t.TempDir()
		p := made(t, home, Register)
		check(t, c.spoil(motherFile(home)))
		before, err := os.ReadFile(motherFile(home))
		check(t, err)
		knows(t, name, home, p)
		if err := Check(home); !errors.Is(err, ErrUnused) || !strings.Contains(err.Error(), "mother.db") {
			t.Errorf("%s: check: %v", name, err)
		}
		root, dir := makeFolder(t)
		other, err := Register(home, root, dir)
		if !errors.Is(err, c.says) || errors.Is(err, ErrNotNoted) {
			t.Errorf("%s: register: %v, want %v", name, err, c.says)
		}
		index(t, dir)
		knows(t, name+", another", home, other)
		if after, err := os.ReadFile(motherFile(home)); err != nil || string(before) != string(after) {
			t.Errorf("%s: mother.db has changed: %v", name, err)
		}
		check(t, os.RemoveAll(motherFile(home))) // as the hint says
		made(t, home, Register)
		if have := mothers(t, home); !slices.Contains(have, line(p)) || !slices.Contains(have, line(other)) {
			t.Errorf("%s: made anew it has %q", name, have)
		}
	}
}

// Lookup leaves nothing behind, neither beside a database at rest nor beside one with a log.
func TestLookupWritesNothing(t *testing.T) {
	home := t.TempDir()
	p := made(t, home, Register)
	names := func() (all []string) {
		entries, err := os.ReadDir(home)
		check(t, err)
		for _, e := range entries {
			info, err := e.Info()
			check(t, err)
			all = append(all, fmt.Sprint(e.Name(), info.ModTime(), info.Size()))
		}
		return all
	}
	before := names()
	knows(t, "at rest", home, p)
	if after := names(); !slices.Equal(before, after) {
		t.Errorf("%q became %q", before, after)
	}
	db, err := sqlite.OpenAuthored(context.Background(), motherFile(home), migrations)
	check(t, err)
	check(t, changeMother(context.Background(), db, func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE project SET name = 'seen in the log'`)
		return err
	}))
	if !sqlite.Logged(motherFile(home)) {
		t.Fatal("there is no log")
	}
	check(t, withBook(home, func(b *book) {
		if r, _ := b.readRecord(p.ID); r.Name != "seen in the log" {
			t.Errorf("%+v", r)
		}
	}))
	check(t, db.Close())
}

// If root registers a project in a user's home, the user must be able to read and change it.
func TestRootLeavesTheRegistryToItsUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	home := t.TempDir()
	check(t, os.Chown(home, 4242, 4242))
	made(t, home, Register)
	info, err := os.Stat(motherFile(home))
	if check(t, err); info.Sys().(*syscall.Stat_t).Uid != 4242 {
		t.Errorf("it belongs to %d", info.Sys().(*syscall.Stat_t).Uid)
	}
}

// roleOf is the variable with the task of a child process: its role, its home and a root.
const roleOf = "PATINA_TEST_REGISTER"

// TestMain runs the test binary as the other process if a test has started it as one.
func TestMain(m *testing.M) {
	role, where, ok := strings.Cut(os.Getenv(roleOf), " ")
	if !ok {
		os.Exit(m.Run())
	}
	home, root, _ := strings.Cut(where, " ")
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // the parent closes it, so that all begin together
	register := map[string]func(home, root, storeDir string) (Project, error){
		"newer": Register, "older": olderRegister,
	}[role]
	if role == "endless" {
		for i := 0; ; i++ {
			p, err := Register(home, fmt.Sprint(root, i), filepath.Join(fmt.Sprint(root, i), ".patina"))
			fmt.Println(p.Root, p.Secret, err)
		}
	}
	for i := range eachRegisters {
		if _, err := register(home, fmt.Sprint(root, i), filepath.Join(fmt.Sprint(root, i), ".patina")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

const eachRegisters = 5

// start starts this test binary as a process that registers. It begins when the returned input is
// closed, and writes to the returned output.
func start(t *testing.T, role, home, root string) (c *exec.Cmd, in io.Closer, out *bufio.Reader) {
	t.Helper()
	c = exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), roleOf+"="+role+" "+home+" "+root)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	check(t, err)
	pipe, err := c.StdoutPipe()
	check(t, err)
	check(t, c.Start())
	out = bufio.NewReader(pipe)
	_, err = out.ReadString('\n')
	check(t, err)
	return c, in, out
}

// A process is killed while it registers. Each project that it reported must be registered, and the
// registry must stay usable.
func TestKilledWhileRegistering(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	for lives := range 6 {
		root := filepath.Join(t.TempDir(), "app")
		c, in, out := start(t, "endless", home, root)
		check(t, in.Close())
		var said []string
		for range 2 + lives {
			line, err := out.ReadString('\n')
			check(t, err)
			said = append(said, line)
		}
		check(t, c.Process.Kill())
		_ = c.Wait() // it was killed
		for _, s := range said {
			f := strings.Fields(s)
			if p := Lookup(home, f[0], filepath.Join(f[0], ".patina")); f[2] != "<nil>" || p.Secret != f[1] {
				t.Errorf("life %d: %+v after %q", lives, p, s)
			}
		}
		check(t, Check(home))
		knows(t, "after a kill", home, made(t, home, Register))
	}
}

// Processes of both versions register at once, each its own folder and all a shared one. No project
// is lost, and the shared one has one id and one secret.
func TestProcessesRegisterAtOnce(t *testing.T) {
	for _, roles := range [][]string{
		slices.Repeat([]string{"newer"}, 6), {"newer", "older", "newer", "older", "newer"},
	} {
		home := filepath.Join(t.TempDir(), "home")
		var roots []string
		var children []*exec.Cmd
		var begin []io.Closer
		for i, role := range append(roles, roles...) {
			root := filepath.Join(t.TempDir(), "app")
			if i >= len(roles) {
				root = filepath.Join(filepath.Dir(home), "shared")
			}
			roots = append(roots, root)
			c, in, _ := start(t, role, home, root)
			begin, children = append(begin, in), append(children, c)
		}
		for _, b := range begin {
			check(t, b.Close())
		}
		for _, c := range children {
			check(t, c.Wait())
		}
		last := made(t, home, Register) // copies an older patina's last change
		have := mothers(t, home)
		if want := (len(roles)+1)*eachRegisters + 1; len(have) != want || !slices.Contains(have, line(last)) {
			t.Errorf("%q: %d indexes, want %d", roles, len(have), want)
		}
		for _, root := range roots {
			for i := range eachRegisters {
				dir := filepath.Join(fmt.Sprint(root, i), ".patina")
				p := Lookup(home, fmt.Sprint(root, i), dir)
				if p.ID == "" || p.Secret == "" || idIn(dir) != p.ID || !slices.Contains(have, line(p)) {
					t.Errorf("%q: %+v, in the folder %q", roles, p, idIn(dir))
				}
			}
		}
	}
}
