package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// machine describes this computer in one line, as far as the system reports it.
func machine(ctx context.Context) string {
	parts := []string{processor(ctx), fmt.Sprintf("%d cores", runtime.NumCPU())}
	if n := memory(ctx); n > 0 {
		parts = append(parts, fmt.Sprintf("%.0f GiB", float64(n)/(1<<30)))
	}
	parts = append(parts, runtime.GOOS+"/"+runtime.GOARCH, runtime.Version())
	return strings.Join(parts, ", ")
}

func processor(ctx context.Context) string {
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		return name
	}
	if name, err := output(ctx, "", "sysctl", "-n", "machdep.cpu.brand_string"); err == nil {
		return name
	}
	return "unknown processor"
}

// memory returns the size of main memory in bytes, or 0 if it is unknown.
func memory(ctx context.Context) int64 {
	if kib, ok := strings.CutSuffix(field("/proc/meminfo", "MemTotal"), " kB"); ok {
		n, _ := strconv.ParseInt(kib, 10, 64)
		return n << 10
	}
	if s, err := output(ctx, "", "sysctl", "-n", "hw.memsize"); err == nil {
		n, _ := strconv.ParseInt(s, 10, 64)
		return n
	}
	return 0
}

// field reads "name : value" from a file in /proc. It returns "" if there is no such file or name.
func field(file, name string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// load returns the load average over the last minute, or "unknown".
func load(ctx context.Context) string {
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		first, _, _ := strings.Cut(string(b), " ")
		return first
	}
	if s, err := output(ctx, "", "sysctl", "-n", "vm.loadavg"); err == nil { // "{ 1.23 1.10 0.98 }"
		if fields := strings.Fields(s); len(fields) > 1 {
			return fields[1]
		}
	}
	return "unknown"
}
