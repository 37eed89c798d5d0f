package pki

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestJoinAndRenew(t *testing.T) {
	ca := newCA(t)
	anna := Invitation{Name: "anna", Role: User}
	dir := joined(t, ca, anna)
	f, err := OpenFolder(dir)
	check(t, err)
	if f.Identity().String() != "user/anna" || f.Problem() != nil {
		t.Errorf("%v, %v", f.Identity(), f.Problem())
	}
	for name, want := range map[string]os.FileMode{keyFile: 0o600, certFile: 0o644, authorityFile: 0o644} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	oldKey, err := os.ReadFile(filepath.Join(dir, keyFile))
	check(t, err)
	der, err := NewRequest(dir)
	check(t, err)
	chain, err := ca.Renew(f.Certificate(), der)
	check(t, err)
	before := f.Identity().Serial
	check(t, SaveRenewed(dir, chain))
	newKey, err := os.ReadFile(filepath.Join(dir, keyFile))
	check(t, err)
	if f.Identity().Serial == before || bytes.Equal(oldKey, newKey) || f.Problem() != nil {
		t.Errorf("not read again: serial %s, %v", before, f.Problem())
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("files are left: %v, %v", entries, err)
	}
}

// Wherever a process ends while it renews, the folder has a certificate and its key.
func TestRenewalSurvivesACrash(t *testing.T) {
	ca := newCA(t)
	dir := joined(t, ca, Invitation{Name: "anna", Role: User})
	f, err := OpenFolder(dir)
	check(t, err)
	first := f.Identity().Serial
	der, err := NewRequest(dir) // and no answer
	check(t, err)
	usable := func(step string) string {
		t.Helper()
		again, err := OpenFolder(dir)
		if err != nil || f.Problem() != nil {
			t.Fatalf("%s: %v, %v", step, err, f.Problem())
		}
		if again.Identity().Serial != f.Identity().Serial {
			t.Errorf("%s: %v in force, %v in the folder", step, f.Identity(), again.Identity())
		}
		return again.Identity().Serial
	}
	if usable("asked") != first {
		t.Error("a request replaced the certificate")
	}
	chain, err := ca.Renew(f.Certificate(), der)
	check(t, err)
	check(t, writeFile(dir, certFile, chain, 0o644)) // and its key is still tls.key.next
	second := usable("written")
	if second == first {
		t.Error("the new certificate is not in force")
	}
	_, err = NewRequest(dir) // the key in force must not be overwritten
	check(t, err)
	if usable("asked again") != second {
		t.Error("a request replaced the key")
	}
}

func TestSaveRefuses(t *testing.T) {
	ca, other := newCA(t), newCA(t)
	anna := Invitation{Name: "anna", Role: User}
	dir := joined(t, ca, anna)
	f, err := OpenFolder(dir)
	check(t, err)
	der, err := NewRequest(dir)
	check(t, err)
	sign := func(ca *CA, in Invitation, der []byte) []byte {
		t.Helper()
		chain, err := ca.Sign(in, der)
		check(t, err)
		return chain
	}
	for want, err := range map[string]error{
		"it is of user/ben, and":  SaveRenewed(dir, sign(ca, Invitation{Name: "ben", Role: User}, der)),
		"it is of node/anna":      SaveRenewed(dir, sign(ca, Invitation{Name: "anna", Role: Node}, der)),
		"another CA signed it":    SaveRenewed(dir, sign(other, anna, der)),
		"key ":                    SaveRenewed(dir, sign(ca, anna, request(t))),
		"save certificate: key ":  SaveRenewed(dir, []byte("garbage")),
		"and the token names":     SaveJoined(dir, sign(other, anna, der), other.PEM(), ca.Fingerprint()),
		"another CA":              SaveJoined(dir, sign(other, anna, der), ca.PEM(), ca.Fingerprint()),
		"join: certificate of th": SaveJoined(dir, sign(ca, anna, der), []byte("garbage"), ca.Fingerprint()),
		"join TOKEN":              SaveRenewed(t.TempDir(), sign(ca, anna, der)),
	} {
		if !mentions(err, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if again, err := OpenFolder(dir); err != nil || again.Identity() != f.Identity() {
		t.Errorf("a refusal changed the folder: %v", err)
	}
}

func TestAccess(t *testing.T) {
	const me, other, root = 1000, 1001, 0
	for _, test := range []struct {
		mode       os.FileMode
		owner, uid int
		secret     bool
		want       string // "" means good
	}{
		{0o600, me, me, true, ""},
		{0o400, me, me, true, ""},
		{0o640, me, me, true, "chmod 600"},
		{0o604, me, me, true, "chmod 600"},
		{0o600, other, me, true, "chown"},
		{0o440, root, me, true, ""}, // a secret of Kubernetes
		{0o444, root, me, true, "chmod 600"},
		{0o460, root, me, true, "chmod 600"},
		{0o640, root, root, true, "chmod 600"},
		{0o600, other, root, true, "chown"},
		{0o644, me, me, false, ""},
		{0o644, root, me, false, ""},
		{0o664, me, me, false, "chmod go-w"},
		{0o646, root, me, false, "chmod go-w"},
		{0o644, other, me, false, "chown"},
		{0o644, -1, me, false, "chown"},
	} {
		err := checkAccess("FILE", test.mode, test.owner, test.uid, test.secret)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%+v: %v", test, err)
		case test.want != "" && (!errors.Is(err, ErrUnsafe) || !mentions(err, test.want) || !mentions(err, "FILE")):
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestOpenFolderRefuses(t *testing.T) {
	ca := newCA(t)
	other := joined(t, newCA(t), Invitation{Name: "anna", Role: User})
	for name, test := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"no folder": {os.RemoveAll, "patina node join TOKEN"},
		"no key": {
			func(dir string) error { return os.Remove(filepath.Join(dir, keyFile)) },
			"patina node join TOKEN",
		},
		"no CA": {
			func(dir string) error { return os.Remove(filepath.Join(dir, authorityFile)) },
			"patina node join TOKEN",
		},
		"open key":  {func(dir string) error { return os.Chmod(filepath.Join(dir, keyFile), 0o644) }, "chmod 600"},
		"open cert": {func(dir string) error { return os.Chmod(filepath.Join(dir, certFile), 0o666) }, "chmod go-w"},
		"open CA": {
			func(dir string) error { return os.Chmod(filepath.Join(dir, authorityFile), 0o666) },
			"chmod go-w",
		},
		"other's key": {
			func(dir string) error { return os.Rename(filepath.Join(other, keyFile), filepath.Join(dir, keyFile)) },
			"join again",
		},
		"other CA": {func(dir string) error {
			return os.Rename(filepath.Join(other, authorityFile), filepath.Join(dir, authorityFile))
		}, "another CA"},
		"garbage": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, authorityFile), []byte("x"), 0o600) },
			"join again",
		},
		"huge": {func(dir string) error { return os.Truncate(filepath.Join(dir, certFile), maxPEM+1) }, "too large"},
		"a device": {func(dir string) error {
			name := filepath.Join(dir, certFile)
			return errors.Join(os.Remove(name), os.Symlink("/dev/zero", name))
		}, "not a regular file"},
	} {
		dir := joined(t, ca, Invitation{Name: "anna", Role: User})
		check(t, test.spoil(dir))
		if f, err := OpenFolder(dir); !mentions(err, test.want) {
			t.Errorf("%s: %v, %v, want %q", name, f, err, test.want)
		}
	}
}

// Files that cannot be used leave the last good ones in force, and are named.
func TestLastGoodFilesStay(t *testing.T) {
	ca := newCA(t)
	dir := joined(t, ca, Invitation{Name: "anna", Role: User})
	f, err := OpenFolder(dir)
	check(t, err)
	want := f.Identity()
	key := filepath.Join(dir, keyFile)
	good, err := os.ReadFile(key)
	check(t, err)
	check(t, os.Chmod(key, 0o644))
	if p := f.Problem(); !errors.Is(p, ErrUnsafe) || f.Identity() != want {
		t.Errorf("readable by all: %v", p)
	}
	check(t, os.Chmod(key, 0o600))
	if p := f.Problem(); p != nil {
		t.Errorf("good again: %v", p)
	}
	check(t, os.WriteFile(key, []byte("half"), 0o600))
	if f.Problem() == nil || f.Identity() != want {
		t.Error("half a key is in force")
	}
	check(t, os.WriteFile(key, good, 0o600))
	if p := f.Problem(); p != nil {
		t.Errorf("whole again: %v", p)
	}
}

// Kubernetes mounts a secret as links to a folder, and exchanges that.
func TestMountedSecret(t *testing.T) {
	ca := newCA(t)
	root := t.TempDir()
	for _, version := range []string{"1", "2"} {
		dir := joined(t, ca, Invitation{Name: "node-" + version, Role: Node})
		check(t, os.Rename(dir, filepath.Join(root, version)))
	}
	check(t, os.Symlink("1", filepath.Join(root, "..data")))
	for _, name := range []string{keyFile, certFile, authorityFile} {
		check(t, os.Symlink(filepath.Join("..data", name), filepath.Join(root, name)))
	}
	f, err := OpenFolder(root)
	check(t, err)
	if f.Identity().Name != "node-1" {
		t.Error(f.Identity())
	}
	check(t, os.Symlink("2", filepath.Join(root, "..next")))
	check(t, os.Rename(filepath.Join(root, "..next"), filepath.Join(root, "..data")))
	if f.Identity().Name != "node-2" || f.Problem() != nil {
		t.Error(f.Identity(), f.Problem())
	}
}

// A folder is whole for whoever opens it, also while its certificate is replaced.
func TestOpenWhileRenewed(t *testing.T) {
	ca := newCA(t)
	dir := joined(t, ca, Invitation{Name: "anna", Role: User})
	renew := func() error {
		f, err := OpenFolder(dir)
		if err != nil {
			return err
		}
		request, err := NewRequest(dir)
		if err != nil {
			return err
		}
		chain, err := ca.Renew(f.Certificate(), request)
		if err != nil {
			return err
		}
		return SaveRenewed(dir, chain)
	}
	over := make(chan error)
	go func() {
		var err error
		for i := 0; i < 100 && err == nil; i++ {
			err = renew()
		}
		over <- err
	}()
	for opened := 0; ; opened++ {
		if _, err := OpenFolder(dir); err != nil {
			t.Errorf("after %d times: %v", opened, err)
		}
		select {
		case err := <-over:
			check(t, err)
			return
		default:
		}
	}
}

// Whatever a front answers to Enrol, nothing but a chain of the CA in the token is kept.
func FuzzSaveJoined(f *testing.F) {
	dir := f.TempDir()
	ca, err := InitCA(filepath.Join(dir, "ca"))
	if err != nil {
		f.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	request, err := NewRequest(folder)
	if err != nil {
		f.Fatal(err)
	}
	chain, err := ca.Sign(anna, request)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(chain, ca.PEM())
	f.Add(append(bytes.Clone(chain), ca.PEM()...), append(ca.PEM(), chain...))
	f.Fuzz(func(t *testing.T, chain, authority []byte) {
		if SaveJoined(folder, chain, authority, ca.Fingerprint()) != nil {
			return
		}
		f, err := OpenFolder(folder)
		if err != nil {
			t.Fatalf("what was saved cannot be read: %v", err)
		}
		if id := f.Identity(); id.String() != "user/anna" || len(f.load().authority) != 1 {
			t.Errorf("%v", id)
		}
	})
}
