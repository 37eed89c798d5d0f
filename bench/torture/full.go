package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// leastDisk has room for ten updates of a small tree, each with hundreds of new functions.
const leastDisk = 64 << 20

// full gives the index a small disk: one that is too small for the first scrape, then one that is
// filled before updates.
func full(ctx context.Context, t *torture) error {
	r := rand.New(rand.NewSource(t.seed))
	files, err := t.sources()
	if err != nil {
		return err
	}
	size, err := t.storeSize(ctx)
	if err != nil {
		return err
	}
	disk := filepath.Join(t.work, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		return err
	}
	mount := func(options string) error {
		out, err := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", options, "tmpfs", disk).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %w: %s", errNoDisk, err, out)
		}
		return nil
	}
	if err := mount(fmt.Sprintf("size=%d", size/2)); err != nil {
		return err
	}
	defer func() { _ = exec.Command("umount", disk).Run() }()
	dir := filepath.Join(disk, "store")
	if err := t.refused(ctx, dir); err != nil {
		return fmt.Errorf("first scrape: %w", err)
	}
	if _, err := digest(ctx, dir); err == nil {
		return errors.New("first scrape: half an index was published")
	}
	if err := mount(fmt.Sprintf("remount,size=%d", max(leastDisk, 8*size))); err != nil {
		return err
	}
	if err := t.scrape(ctx, dir); err != nil {
		return fmt.Errorf("with room again: %w", err)
	}
	refused := 0
	for i := range 10 {
		old, err := digest(ctx, dir)
		if err != nil {
			return err
		}
		if err := t.change(r, files, i, 300); err != nil {
			return err
		}
		filler := filepath.Join(disk, "filler")
		if err := fill(filler, int64(r.Intn(1<<20))); err != nil {
			return err
		}
		args := []string{}
		if i%3 == 2 {
			args = append(args, "--full")
		}
		if err := t.refused(ctx, dir, args...); err == nil {
			refused++
			if now, err := digest(ctx, dir); err != nil || now != old {
				return fmt.Errorf("full disk, update %d: the index is not as it was (%v)", i, err)
			}
		} else if !errors.Is(err, errFits) {
			return fmt.Errorf("full disk, update %d: %w", i, err)
		}
		if err := errors.Join(os.Remove(filler), t.scrape(ctx, dir)); err != nil {
			return fmt.Errorf("with room again, update %d: %w", i, err)
		}
	}
	fmt.Fprintf(t.out, "  first scrape on too small a disk and %d of 10 updates on a full one were refused with the reason; nothing was lost, and all went well with room again\n", refused)
	if refused == 0 {
		return errors.New("no update met a full disk")
	}
	return nil
}

// storeSize returns the size of an index on the tree, in bytes.
func (t *torture) storeSize(ctx context.Context) (int64, error) {
	dir := filepath.Join(t.work, "sized")
	if err := t.scrape(ctx, dir); err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(dir)
	var size int64
	for _, e := range entries {
		if i, err := e.Info(); err == nil {
			size += i.Size()
		}
	}
	return size, err
}

var (
	errFits   = errors.New("the scrape went well")
	errNoDisk = errors.New("mount a tmpfs")
)

// refused runs a scrape, which must fail with an error about the full disk. It returns errFits if
// the scrape succeeds.
func (t *torture) refused(ctx context.Context, dir string, args ...string) error {
	out, err := t.command(ctx, dir, append([]string{"scrape"}, args...)...).CombinedOutput()
	if err == nil {
		return errFits
	}
	if text := string(out); !strings.Contains(text, "no space left") || !strings.Contains(text, "hint: ") ||
		strings.Contains(text, "panic") {
		return fmt.Errorf("it says %q", text)
	}
	return nil
}

// fill writes zeros to a file until the disk is full, then frees room bytes.
func fill(name string, room int64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	block := make([]byte, 64<<10)
	size := int64(0)
	for {
		n, err := f.Write(block)
		size += int64(n)
		if err != nil {
			break
		}
	}
	return errors.Join(f.Truncate(max(0, size-room)), f.Close())
}
