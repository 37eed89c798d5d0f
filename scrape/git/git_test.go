package git

import (
	"bufio"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

// A caller's variables that lead elsewhere or name programs must not reach git. Those that locate
// git's settings must.
func TestEnvironment(t *testing.T) {
	got := environmentFor([]string{
		"HOME=/h", "PATH=/a:.::b:/c", "GIT_DIR=/x", "GIT_EXEC_PATH=/e", "GIT_CONFIG_GLOBAL=/g", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_PARAMETERS='a.b=c'", "GIT_TRACE2=/t", "GIT_SSH=/s", "GIT_EXTERNAL_DIFF=/d",
		"GIT_ALLOW_PROTOCOL=ext", "GIT_PROXY_COMMAND=/p", "GIT_ATTR_SOURCE=x", "GIT_CEILING_DIRECTORIES=/c",
		"GITHUB_X=1",
	})
	want := append([]string{
		"HOME=/h", "PATH=/a:/c", "GIT_EXEC_PATH=/e", "GIT_CONFIG_GLOBAL=/g", "GIT_CEILING_DIRECTORIES=/c", "GITHUB_X=1",
	}, fixed...)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A git that is blocked forever is killed, and the error says so.
func TestLate(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Output(context.Background(), Call{
		Folder: dir, Silence: 50 * time.Millisecond, Args: []string{"hash-object", "pipe"},
	})
	if !errors.Is(err, ErrLate) || !strings.Contains(err.Error(), "git hash-object: git took too long") {
		t.Errorf("%v", err)
	}
	c := Call{Folder: repository(t), Longest: 50 * time.Millisecond, Args: []string{"drip"}}
	set(t, c.Folder, "alias.drip=!while true; do echo x; done")
	if _, err := Output(context.Background(), c); !errors.Is(err, ErrLate) {
		t.Errorf("drop by drop: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := Output(ctx, Call{Folder: dir, Args: []string{"hash-object", "pipe"}}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// A slow reader must not be mistaken for a silent git.
func TestSlowReader(t *testing.T) {
	dir := repository(t)
	synctest.Test(t, func(t *testing.T) {
		const silence = time.Second
		err := Stream(t.Context(), Call{Folder: dir, Silence: silence, Args: []string{"ls-files"}},
			func(r *bufio.Reader) error {
				if _, err := r.ReadByte(); err != nil {
					return err
				}
				time.Sleep(silence + silence/2) // of the test's own clock, like a busy store
				_, err := r.WriteTo(new(strings.Builder))
				return err
			})
		if err != nil {
			t.Error(err)
		}
	})
}
