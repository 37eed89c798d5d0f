package actors

import (
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// ballast is garbage that a resident process may have before it collects, in addition to its live
// memory. An engine keeps 30 MB alive and a question leaves 3 MB, so without ballast every tenth
// question paid for a collection, 10% of the processor time. With more than the ballast alive, less
// garbage is kept than at GOGC=200.
const ballast = 64 << 20

// quiet is the time after its last question at which a resident process returns free memory. That
// takes about 15 ms.
const quiet = 30 * time.Second

var (
	held []byte                     // the ballast; must not be touched, so that it takes no memory
	rest atomic.Pointer[time.Timer] // returns memory; nil unless Reside was called
)

// Reside prepares this process to keep engines open. It does nothing if GOGC or GOMEMLIMIT is set
// in the environment.
func Reside() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" || rest.Load() != nil {
		return
	}
	held = make([]byte, ballast)
	debug.SetGCPercent(100)
	rest.Store(time.AfterFunc(quiet, debug.FreeOSMemory))
}

// stayAwake postpones returning memory.
func stayAwake() {
	if t := rest.Load(); t != nil {
		t.Reset(quiet)
	}
}
