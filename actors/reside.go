package actors

import (
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// A process that stays collects its garbage once it is as much as what is alive and the ballast
// together. An engine keeps some 30 MB alive and a question leaves 3 MB behind: by what is alive
// alone, every tenth question paid for a collection, 10% of the processor time. Where more than the
// ballast is alive, less garbage is kept than at 200%, by which servers collected before.
const ballast = 64 << 20

// quiet is how long after its last question a process that stays gives its free memory back. That
// takes some 15 ms.
const quiet = 30 * time.Second

var (
	held []byte                     // the ballast; never touched, so it takes addresses and no memory
	rest atomic.Pointer[time.Timer] // gives memory back; nil in processes that do not stay
)

// Reside prepares this process to keep engines open. GOGC and GOMEMLIMIT in the environment take
// precedence.
func Reside() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" || rest.Load() != nil {
		return
	}
	held = make([]byte, ballast)
	debug.SetGCPercent(100)
	rest.Store(time.AfterFunc(quiet, debug.FreeOSMemory))
}

// stayAwake puts off giving memory back.
func stayAwake() {
	if t := rest.Load(); t != nil {
		t.Reset(quiet)
	}
}
