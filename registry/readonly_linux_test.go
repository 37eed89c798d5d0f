package registry

import (
	"syscall"
	"testing"
)

// On a read-only disk a registered project is known, and registering it again is not an error. A
// new project cannot be recorded, and the error says so.
func TestReadOnlyDisk(t *testing.T) {
	home := t.TempDir()
	if err := syscall.Mount("none", home, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("a disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(home, syscall.MNT_DETACH)) })
	p := made(t, home, Register)
	older := made(t, home, olderRegister)
	check(t, syscall.Mount("none", home, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	for _, p := range []Project{p, older} {
		knows(t, "read-only", home, p)
		if again, err := Register(home, p.Root, p.Store); err != nil || again != p {
			t.Errorf("registered again: %+v, %v", again, err)
		}
	}
	root, dir := makeFolder(t)
	if p, err := Register(home, root, dir); err == nil || p.Secret == "" {
		t.Errorf("another one: %+v, %v", p, err)
	}
}
