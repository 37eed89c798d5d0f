package fresh

import (
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// lowered is the variable with the limit that the child process of this test lowers.
const lowered = "PATINA_TEST_INOTIFY"

// If the system gives no notifications, or too few watches, the tree must be compared again and
// again, and the log must say why. Changes before a call must still be read by it.
func TestInotifyLimits(t *testing.T) {
	if limit := os.Getenv(lowered); limit != "" {
		afterLimit(t, limit)
		return
	}
	for _, c := range []struct{ limit, says string }{
		{"max_inotify_instances 0", "fs.inotify.max_user_instances"},
		{"max_inotify_watches 0", "fs.inotify.max_user_watches"},
		{"max_inotify_watches 3", "fs.inotify.max_user_watches"},
	} {
		child := exec.Command(os.Args[0], "-test.run=^TestInotifyLimits$", "-test.v")
		child.Env = append(os.Environ(), lowered+"="+c.limit)
		child.SysProcAttr = &syscall.SysProcAttr{ // limits of its own namespace
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
		}
		out, err := child.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Skipf("no user namespace: %v", err)
		}
		if strings.Contains(string(out), "--- SKIP") {
			t.Skipf("%s", out)
		}
		if err != nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %v\n%s", c.limit, err, out)
		}
	}
}

// afterLimit lowers a limit of this process's namespace, and follows a tree.
func afterLimit(t *testing.T, limit string) {
	name, value, _ := strings.Cut(limit, " ")
	if err := os.WriteFile("/proc/sys/user/"+name, []byte(value), 0); err != nil {
		t.Skip(err)
	}
	said := make(lines, 100)
	m, w := follow(t, Options{Log: slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	w.Settle(t.Context(), w.Read(), long) // answered by the first comparison
	for _, name := range []string{"a.txt", "b/c/d.txt", "b/e/f.txt"} {
		m.write(t, name, "1")
		if s := w.Settle(t.Context(), w.Read(), long); s.Behind() {
			t.Errorf("%s: %+v", name, s)
		}
		m.same(t, name)
	}
	t.Log(<-said)
	if w.Ready() {
		t.Error("the tree is said to be watched")
	}
}

// lines receives the lines of a log.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}
