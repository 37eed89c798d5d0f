package check

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// An installer is install.sh of a release with a user's home and temporary folder.
type installer struct {
	home
	dist, temp string
}

func newInstaller(t *testing.T, dist string) installer {
	x := installer{home: home{t: t, dir: t.TempDir()}, dist: dist, temp: t.TempDir()}
	x.more = []string{"TMPDIR=" + x.temp}
	return x
}

func (x installer) install() (string, error) {
	x.t.Helper()
	return x.run("sh", filepath.Join(x.dist, "install.sh"), x.dist)
}

// works fails unless install.sh installs what runs, leaves nothing beside it, and removes it all.
func (x installer) works() {
	x.t.Helper()
	if out, err := x.install(); err != nil {
		x.t.Errorf("the next run: %v\n%s", err, out)
	}
	if said, err := x.run(filepath.Join(x.dir, ".local/bin/patina"), "version"); err != nil || !strings.HasPrefix(said, "patina ") {
		x.t.Errorf("%q, %v", said, err)
	}
	for _, name := range x.files() {
		if strings.Contains(name, ".new.") {
			x.t.Errorf("left: %s", name)
		}
	}
	if out, err := x.run("sh", filepath.Join(x.dist, "install.sh"), "--uninstall"); err != nil {
		x.t.Errorf("%v\n%s", err, out)
	}
	x.empty("after --uninstall")
}

// empty fails if there is a file in the home, or anything in the temporary folder.
func (x installer) empty(when string) {
	x.t.Helper()
	for _, name := range x.files() {
		if info, err := os.Lstat(filepath.Join(x.dir, name)); err != nil || !info.IsDir() {
			x.t.Errorf("%s: there is %s", when, name)
		}
	}
	if left, err := os.ReadDir(x.temp); err != nil || len(left) > 0 {
		x.t.Errorf("%s: %v in the temporary folder, %v", when, left, err)
	}
}

// A disk that fills up, wherever it does, must be named, and leave what was there before.
func fullDisks(t *testing.T, dist string) {
	size := func(pattern string) int64 {
		found, _ := filepath.Glob(filepath.Join(dist, pattern))
		if len(found) != 1 {
			t.Fatalf("%s: %q", pattern, found)
		}
		info, err := os.Stat(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	archive, program := size("patina-*-linux-*.tar.gz"), size(".work/linux-*/patina")
	for _, x := range []struct {
		temp bool // the temporary folder is full, not the home
		size int64
		want []string
	}{
		{true, archive / 2, []string{"cannot copy ", "is the disk full?"}},
		{true, archive + program/2, []string{"cannot unpack ", "is the disk full? TMPDIR=/some/folder chooses another"}},
		{false, program / 2, []string{"cannot write ", "bin/patina: No space left on device: nothing was installed", "PREFIX=/some/folder"}},
	} {
		i := newInstaller(t, dist)
		full := i.dir
		if x.temp {
			full = i.temp
		}
		mountSmall(t, full, x.size)
		out, err := i.install()
		if err == nil {
			t.Errorf("%d bytes are enough:\n%s", x.size, out)
		}
		for _, want := range x.want {
			if !strings.Contains(out, want) {
				t.Errorf("no %q:\n%s", want, out)
			}
		}
		if got := i.files(); len(got) > 0 {
			t.Errorf("in the home: %q", got)
		}
		i.empty("disk full")
		resize(t, full, archive+2*program+1<<20)
		i.works()
	}

	// A second version has no room beside the first, which stays.
	i := newInstaller(t, dist)
	mountSmall(t, i.dir, program+program/2)
	if out, err := i.install(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := i.sums()
	out, err := i.install()
	if err == nil || !strings.Contains(out, "No space left on device: what was installed before is as it was") {
		t.Errorf("%v\n%s", err, out)
	}
	if after := i.sums(); !slices.Equal(after, before) {
		t.Errorf("it was\n%q\nand is\n%q", before, after)
	}
	resize(t, i.dir, 3*program)
	i.works()
}

// sums returns the names and contents of all files in the home.
func (x installer) sums() []string {
	out, err := x.run("sh", "-c", "find . -type f -exec sha256sum {} +")
	if err != nil {
		x.t.Fatalf("%v\n%s", err, out)
	}
	sums := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(sums)
	return sums
}

// mountSmall mounts a file system of a size on a folder until the test ends.
func mountSmall(t *testing.T, dir string, size int64) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=0755,size="+strconv.FormatInt(size, 10)); err != nil {
		t.Skipf("no disk can be filled, because nothing may be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

func resize(t *testing.T, dir string, size int64) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size="+strconv.FormatInt(size, 10)); err != nil {
		t.Fatal(err)
	}
}

// A download that ends early, or is interrupted, leaves nothing.
func cutDownloads(t *testing.T, dist string) {
	if _, err := exec.LookPath("curl"); err != nil {
		tool(t, "wget", "apt-get install curl")
	}
	files := http.FileServer(http.Dir(dist))
	begun, how := make(chan bool, 1), ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".tar.gz") || how == "" {
			files.ServeHTTP(w, r)
			return
		}
		text, err := os.ReadFile(filepath.Join(dist, filepath.Base(r.URL.Path)))
		if err != nil {
			t.Error(err)
		}
		if how != "without length" {
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		}
		_, _ = w.Write(text[:len(text)/2])
		if how == "interrupt" {
			begun <- true
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	i := newInstaller(t, dist)
	i.more = append(i.more, "PATINA_RELEASES="+server.URL, "no_proxy=127.0.0.1")
	script := filepath.Join(dist, "install.sh")
	for cut, want := range map[string]string{"early": "cannot fetch " + server.URL, "without length": "is damaged or is another file"} {
		how = cut
		if out, err := i.run("sh", script); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", cut, err, out)
		}
		i.empty(cut)
	}
	how = "interrupt"
	c, out := i.command("sh", script)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := syscall.Kill(-c.Process.Pid, syscall.SIGINT); err != nil { // as a terminal does
		t.Fatal(err)
	}
	if err := c.Wait(); c.ProcessState.ExitCode() != 130 {
		t.Errorf("interrupted: %v\n%s", err, out)
	}
	i.empty("interrupted")
	how = ""
	if out, err := i.run("sh", script); err != nil {
		t.Errorf("the next run: %v\n%s", err, out)
	}
	i.works()
}

// command returns a command in a process group of its own, and its output.
func (x installer) command(name string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	c, out := exec.Command(name, args...), new(bytes.Buffer)
	c.Dir, c.Stdout, c.Stderr = x.dir, out, out
	c.Env = append([]string{"HOME=" + x.dir, "PATH=" + os.Getenv("PATH")}, x.more...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c, out
}

// An installation that is killed at any step is undone by --uninstall and completed by a next run.
func killedInstalls(t *testing.T, dist string) {
	for _, x := range []struct {
		tool string
		at   int // the call of it that is cut short; cp: sums, archive, record, program
	}{{"cp", 3}, {"cp", 4}, {"mv", 2}} {
		for _, next := range []string{"--uninstall", dist} {
			i := newInstaller(t, dist)
			killer := t.TempDir()
			real, err := exec.LookPath(x.tool)
			if err != nil {
				t.Fatal(err)
			}
			// mv is cut short after its rename, cp amid the file.
			text := fmt.Sprintf("#!/bin/sh\necho >>%[1]s/calls\n[ \"$(grep -c '' %[1]s/calls)\" -ne %[2]d ] || "+
				"{ case %[3]s in cp) head -c 100 \"$1\" >\"$2\" ;; *) %[4]s \"$@\" ;; esac; kill -9 0; }\nexec %[4]s \"$@\"\n",
				killer, x.at, x.tool, real)
			if err := os.WriteFile(filepath.Join(killer, x.tool), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
			c, out := i.command("sh", filepath.Join(dist, "install.sh"), dist)
			c.Env = append(c.Env, "PATH="+killer+":"+os.Getenv("PATH"))
			if _ = c.Run(); c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("%s %d: %v\n%s", x.tool, x.at, c.ProcessState, out)
			}
			if len(i.files()) == 0 {
				t.Errorf("%s %d: nothing was written yet", x.tool, x.at)
			}
			if err := os.RemoveAll(i.temp); err != nil { // nobody is left to remove it
				t.Fatal(err)
			}
			if err := os.Mkdir(i.temp, 0o755); err != nil {
				t.Fatal(err)
			}
			if next == dist {
				i.works()
				continue
			}
			said, err := i.run("sh", filepath.Join(dist, "install.sh"), next)
			if (err == nil) != (x.at > 3 || x.tool == "mv") { // before the record there is nothing to name
				t.Errorf("%s %d: %v\n%s", x.tool, x.at, err, said)
			}
			i.empty(fmt.Sprint(x.tool, x.at))
		}
	}
}
