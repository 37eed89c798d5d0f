package ui

import (
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// openFiles returns the number of open files of this process.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(list)
}

// memoryUsed returns the bytes that the process holds for its objects and goroutines.
func memoryUsed() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// allowFiles raises the limit of open files to n.
func allowFiles(t *testing.T, n uint64) {
	t.Helper()
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	if limit.Max < n {
		t.Skipf("this process may open %d files, and the test needs %d: ulimit -Hn", limit.Max, n)
	}
	if limit.Cur < n {
		limit.Cur = n
		must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	}
}

// Ten thousand connections that send half a request and stay must keep nobody with the token out,
// neither on a connection that is open nor on a new one. They must take little memory, and nothing
// must be left of them.
func TestTenThousandConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens ten thousand connections")
	}
	const many, callers, mostBytes = 10_000, 50, 64 << 20
	allowFiles(t, many+1000)
	s := siteOf(t, kettle, true)
	s.contains("/part/answers?q=what+heats+water", "boil.go") // opens the index
	before, had := memoryUsed(), openFiles(t)
	held := make([]net.Conn, many)
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			// Addresses of their own, so that their ports last.
			d := net.Dialer{Timeout: 2 * time.Minute, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+caller))}}
			for i := caller; i < many; i += callers {
				c, err := d.DialContext(t.Context(), "tcp4", s.server.Address)
				if err != nil {
					t.Error(err)
					return
				}
				held[i] = c
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+s.server.Address+"\r\n")
			}
		})
	}
	all.Wait()
	defer func() {
		for _, c := range held {
			if c != nil {
				_ = c.Close()
			}
		}
	}()
	if t.Failed() {
		return
	}
	if n := openFiles(t) - had; n < many || n > many+2*mostConnections {
		t.Errorf("%d more files are open, want the %d of the callers and %d of the server", n, many, mostConnections)
	}
	if more := memoryUsed() - before; more > mostBytes {
		t.Errorf("they take %d bytes, more than %d", more, mostBytes)
	} else {
		t.Logf("%d connections take %d kB, their callers' ends included", many, more>>10)
	}
	reused := new(atomic.Bool)
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused.Store(i.Reused) }})
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.server.Address+"/", nil)
	must(t, err)
	a, err := s.client.Do(r)
	must(t, err)
	if status, _ := body(t, a); status != http.StatusOK || !reused.Load() {
		t.Errorf("the reader's connection: status %d, still open: %v", status, reused.Load())
	}
	for range 10 {
		if answer := s.asking(s.request("GET", "/part/answers?q=what+heats+water")); !strings.HasPrefix(answer, "HTTP/1.1 200 ") || !strings.Contains(answer, "boil.go") {
			t.Fatalf("a new connection of the reader: %.200q", answer)
		}
	}
	for i, c := range held {
		_ = c.Close()
		held[i] = nil
	}
	for end := time.Now().Add(2 * time.Minute); openFiles(t) > had+10; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d files are open, %d were before", openFiles(t), had)
		}
	}
}
