package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A usage is the cost of one process and of the children that it waited for.
type usage struct {
	wall time.Duration // from before its start until after its end
	cpu  time.Duration // user and system
	peak int64         // resident memory of the largest process, in bytes
	out  []byte        // standard output
}

// Figures of a usage.
func wallSeconds(u usage) float64   { return u.wall.Seconds() }
func cpuSeconds(u usage) float64    { return u.cpu.Seconds() }
func peakMegabytes(u usage) float64 { return float64(u.peak) / megabyte }

// shutdown is the time that an interrupted process may take to clean up.
const shutdown = 5 * time.Second

// process runs a command in the copied tree. It returns an error for exit codes other than 0 and
// those in fine, which may be nil.
func (b *bench) process(ctx context.Context, fine []int, name string, args ...string) (usage, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = b.tree.root
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = shutdown
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	began := time.Now()
	err := c.Run()
	u := usage{wall: time.Since(began), out: out.Bytes()}
	var failed *exec.ExitError
	if errors.As(err, &failed) && slices.Contains(fine, failed.ExitCode()) {
		err = nil
	}
	if err != nil {
		return u, fmt.Errorf("run %s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	u.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if r, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peak = int64(r.Maxrss) * rssUnit()
	}
	return u, nil
}

// processorTime returns the CPU time of this process so far, user and system.
func processorTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// residentOwn returns this process's resident memory in bytes, without mapped files. It returns 0
// if the system does not report it.
func residentOwn() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "RssAnon:")
	var kilobytes int64
	if _, err := fmt.Sscan(after, &kilobytes); err != nil {
		return 0
	}
	return kilobytes << 10
}

// rssUnit returns the unit of ru_maxrss in bytes (getrusage(2)).
func rssUnit() int64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1024
}

// scrapeInto runs patina scrape with a given store.
func (b *bench) scrapeInto(ctx context.Context, store string) (usage, error) {
	return b.process(ctx, nil, b.patina, "scrape", "--json", "--store", store)
}

// nothingRelevant is patina scry's exit code for an empty answer, which is not a failure.
const nothingRelevant = 1

// scry runs patina scry. Its deadline is long because a slow machine must not cost a channel.
func (b *bench) scry(ctx context.Context, args ...string) (usage, error) {
	return b.process(ctx, []int{nothingRelevant}, b.patina,
		append([]string{"scry", "--timeout", "1m", "--store", b.store}, args...)...)
}
