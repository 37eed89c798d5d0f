package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A plant is a repository whose settings name a command.
type plant struct {
	name    string
	make    func(t *testing.T, dir, run string) // run is a shell command that leaves a trace
	args    []string                            // the call that would trigger it
	in      string
	refused string // git's message
	// lazy marks plants triggered by a missing object only. They must be closed in a second way,
	// because older gits have no GIT_NO_LAZY_FETCH.
	lazy bool
}

// attributes asks for the contents of a missing .gitattributes. listing expands a sparse index
// whose tree is missing.
var (
	attributes = []string{"check-attr", "-z", "--stdin", "linguist-generated"}
	listing    = []string{"ls-files", "-z", "--others", "--exclude-standard", "--cached"}
	commits    = []string{"rev-list", "HEAD", "--"}
)

func plants() []plant {
	remote := func(settings ...string) func(*testing.T, string, string) {
		return func(t *testing.T, dir, run string) {
			loseAttributes(t, dir)
			promise(t, dir, run, settings...)
		}
	}
	all := []plant{
		{name: "uploadpack", make: remote("remote.o.url=/nowhere", "remote.o.uploadpack=RUN;"), lazy: true},
		{name: "ext", make: remote("remote.o.url=ext::sh -c RUN", "protocol.ext.allow=always"), lazy: true},
		{name: "ssh", make: remote("remote.o.url=ssh://nowhere.invalid/x", "core.sshCommand=RUN;"), lazy: true},
		{name: "git proxy", make: remote("remote.o.url=git://nowhere.invalid/x", "core.gitProxy=RUNFILE"), lazy: true},
		{name: "instead of", make: remote("remote.o.url=x:y", "url.ext::sh -c RUN .insteadOf=x:",
			"protocol.allow=always"), lazy: true},
		{
			name: "helper named as what is allowed", make: remote("remote.o.url=none::x", "alias.remote-none=!RUN"),
			lazy: true,
		},
		{name: "vcs named as what is allowed", make: remote("remote.o.url=x", "remote.o.vcs=none",
			"alias.remote-none=!RUN"), lazy: true},
		{name: "vcs without a name", make: remote("remote.o.url=x", "remote.o.vcs=", "alias.remote-=!RUN"), lazy: true},
	}
	for i := range all {
		all[i].args, all[i].in = attributes, "d/a\x00"
	}
	all = append(all,
		plant{name: "sparse index", lazy: true, args: listing, make: func(t *testing.T, dir, run string) {
			do(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "d")
			lose(t, dir, "HEAD:e")
			promise(t, dir, run, "remote.o.url=/nowhere", "remote.o.uploadpack=RUN;")
		}},
		plant{name: "missing commit", lazy: true, args: commits, make: func(t *testing.T, dir, run string) {
			lose(t, dir, "HEAD~1")
			promise(t, dir, run, "remote.o.url=/nowhere", "remote.o.uploadpack=RUN;")
		}},
		plant{
			name: "hook", args: []string{"update-index", "-z", "--index-info"},
			in: "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\tx\x00", make: func(t *testing.T, dir, run string) {
				script(t, filepath.Join(dir, ".git/hooks/post-index-change"), run)
			},
		},
		plant{
			name: "file system monitor", args: []string{"update-index", "-z", "--refresh"},
			make: func(t *testing.T, dir, run string) {
				do(t, dir, "config", "core.fsmonitor", run+";")
				do(t, dir, "update-index", "--fsmonitor")
			},
		},
		plant{name: "signature", args: []string{"log", "-1", "--format=%H"}, make: func(t *testing.T, dir, run string) {
			sign(t, dir)
			script(t, filepath.Join(dir, ".git/gpg"), run)
			set(t, dir, "gpg.program="+filepath.Join(dir, ".git/gpg"), "log.showSignature=true")
		}},
		plant{
			name: "external diff", args: []string{"diff", "HEAD~1", "HEAD"},
			make: func(t *testing.T, dir, run string) {
				set(t, dir, "diff.external="+run+";")
			},
		},
		plant{
			name: "command that is not git's own", args: []string{"remote-none"},
			make: func(t *testing.T, dir, run string) {
				set(t, dir, "alias.remote-none=!"+run)
			},
		},
		plant{
			name: "bare repository below", refused: "bare repository", args: []string{"-C", "e/bare", "ls-files"},
			make: func(t *testing.T, dir, run string) {
				bare := filepath.Join(dir, "e/bare")
				do(t, dir, "clone", "-q", "--bare", dir, bare)
				set(t, bare, "core.bare=false", "core.worktree=.", "core.fsmonitor="+run+";")
				do(t, bare, "read-tree", "HEAD")
				do(t, bare, "update-index", "--fsmonitor")
			},
		},
	)
	return all
}

// No program named by a repository may run. Each plant does run under a plain git.
func TestNothingPlantedRuns(t *testing.T) {
	for _, p := range plants() {
		t.Run(p.name, func(t *testing.T) {
			dir, trace := repository(t), filepath.Join(t.TempDir(), "trace")
			p.make(t, dir, "touch "+trace)
			ran := func() bool {
				_, err := os.Lstat(trace)
				_ = os.Remove(trace)
				return err == nil
			}
			_ = ran() // clears the planting's trace

			plain := exec.Command("git", p.args...)
			plain.Dir, plain.Env, plain.Stdin = dir, clean("GIT_ALLOW_PROTOCOL=none:ext:ssh:git:file:"),
				strings.NewReader(p.in)
			out, _ := plain.CombinedOutput()
			if !ran() {
				t.Fatalf("the plant does not work: %s", out)
			}
			c := Call{Folder: dir, Settings: true, Input: strings.NewReader(p.in), Args: p.args}
			_, err := Output(context.Background(), c)
			if ran() {
				t.Errorf("it ran (%v)", err)
			}
			if p.refused != "" && (err == nil || !strings.Contains(err.Error(), p.refused)) {
				t.Errorf("git said %v, want %q", err, p.refused)
			}
			if !p.lazy {
				return
			}
			c.Input = strings.NewReader(p.in)
			cmd, err := c.command(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool {
				return strings.HasPrefix(v, "GIT_NO_LAZY_FETCH=")
			})
			if out, _ := cmd.CombinedOutput(); ran() {
				t.Errorf("it ran where git does not know GIT_NO_LAZY_FETCH: %s", out)
			}
		})
	}
}

// A git in the repository must never be used, wherever PATH leads.
func TestPathWithoutTheFolder(t *testing.T) {
	dir, trace := repository(t), filepath.Join(t.TempDir(), "trace")
	script(t, filepath.Join(dir, "git"), "touch "+trace)
	t.Chdir(dir)
	path := os.Getenv("PATH")
	for _, odd := range []string{".:" + path, ":" + path, "e/..:" + path} {
		t.Setenv("PATH", odd)
		if out, err := Output(context.Background(), Call{Folder: dir, Args: []string{"version"}}); err != nil ||
			!strings.HasPrefix(string(out), "git version") {
			t.Errorf("PATH %q: %q, %v", odd, out, err)
		}
	}
	t.Setenv("PATH", ".")
	if _, err := Output(context.Background(), Call{Folder: dir, Args: []string{"version"}}); !errors.Is(err,
		ErrMissing) {
		t.Errorf("no git: %v", err)
	}
	if _, err := os.Lstat(trace); err == nil {
		t.Error("the git of the folder ran")
	}
}

func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	do(t, dir, "init", "-q", "-b", "main")
	for _, name := range []string{"d/a", "e/b"} {
		write(t, filepath.Join(dir, name), name)
	}
	write(t, filepath.Join(dir, ".gitattributes"), "*.gen linguist-generated\n")
	do(t, dir, "add", ".")
	do(t, dir, "commit", "-qm", "one")
	write(t, filepath.Join(dir, "d/a"), "changed")
	do(t, dir, "commit", "-qam", "two")
	return dir
}

// promise sets a remote that claims to have the missing objects. RUN in a setting becomes the
// command, RUNFILE a script with it.
func promise(t *testing.T, dir, run string, settings ...string) {
	t.Helper()
	file := filepath.Join(dir, ".git/planted")
	script(t, file, run)
	set(t, dir, "core.repositoryFormatVersion=1", "extensions.partialClone=o", "remote.o.promisor=true")
	for _, s := range settings {
		if strings.Contains(s, "sh -c RUN") {
			s = strings.ReplaceAll(s, "sh -c RUN", file)
		}
		set(t, dir, strings.ReplaceAll(strings.ReplaceAll(s, "RUNFILE", file), "RUN", run))
	}
}

func loseAttributes(t *testing.T, dir string) {
	t.Helper()
	lose(t, dir, "HEAD:.gitattributes")
	if err := os.Remove(filepath.Join(dir, ".gitattributes")); err != nil {
		t.Fatal(err)
	}
}

func lose(t *testing.T, dir, name string) {
	t.Helper()
	id := do(t, dir, "rev-parse", name)
	if err := os.Remove(filepath.Join(dir, ".git/objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
}

// sign makes HEAD a commit with a signature, valid or not.
func sign(t *testing.T, dir string) {
	t.Helper()
	raw := do(t, dir, "cat-file", "commit", "HEAD")
	head, body, _ := strings.Cut(raw, "\n\n")
	write(t, filepath.Join(dir, ".git/signed"),
		head+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"+body+"\n")
	do(t, dir, "update-ref", "HEAD", do(t, dir, "hash-object", "-t", "commit", "-w", ".git/signed"))
}

func set(t *testing.T, dir string, settings ...string) {
	t.Helper()
	for _, s := range settings {
		i := strings.LastIndex(s[:strings.IndexAny(s+" ", " =")], ".")
		if strings.HasPrefix(s, "url.") { // a subsection may hold characters that keys may not
			i = strings.Index(s, ".insteadOf")
		}
		eq := i + strings.IndexByte(s[i:], '=')
		do(t, dir, "config", s[:eq], s[eq+1:])
	}
}

func script(t *testing.T, name, run string) {
	t.Helper()
	write(t, name, "#!/bin/sh\n"+run+"\n")
	if err := os.Chmod(name, 0o755); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// do runs git plainly and returns its output.
func do(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = dir, clean("GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@b")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// clean returns an environment without git's variables.
func clean(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	return append(env, append([]string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}, more...)...)
}
