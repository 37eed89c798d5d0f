package modelcmd

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// residentBytes returns the memory of this process that is in use, or nil if the system does not
// say. It first frees memory that is not in use.
func residentBytes() *int64 {
	runtime.GC()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "VmRSS:" {
			if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				n <<= 10
				return &n
			}
		}
	}
	return nil
}
