package nodecmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

const (
	// A process that ends is started again after firstPause, then after twice as long, up to
	// longestPause. One that has run for steadyTime begins anew with firstPause.
	firstPause   = time.Second
	longestPause = 30 * time.Second
	steadyTime   = 10 * time.Second
	// mostShort is how often in a row it may end before steadyTime.
	mostShort = 4
)

// A child is a node or front that up has started.
type child struct {
	name    string
	program string
	args    []string
	home    string // its PATINA_HOME
	log     *prefixes
}

// keep runs the process until ctx ends, and then lets it finish. It returns an error if the process
// ends again and again.
func (c *child) keepRunning(ctx context.Context) error {
	pause, short := firstPause, 0
	for {
		began := time.Now()
		err := c.runOnce(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if time.Since(began) >= steadyTime {
			pause, short = firstPause, 0
		} else if short++; short == mostShort {
			return cli.Hint(fmt.Errorf("%s ended %d times, each time soon after its start: %w", c.name, short, err),
				"its last lines above say why")
		}
		c.log.say("up", fmt.Sprintf("%s has ended (%v), and is started again in %v", c.name, err, pause))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
}

// errEnded is the error of a process that ended by itself, without one.
var errEnded = errors.New("exit status 0")

// runOnce runs the process until it ends. When ctx ends, the process is asked to finish.
func (c *child) runOnce(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, c.program, c.args...)
	cmd.Env = append(withoutPatina(os.Environ()), "PATINA_HOME="+c.home)
	lines := c.log.linesOf(c.name)
	defer lines.flush()
	cmd.Stdout, cmd.Stderr = lines, lines
	cmd.SysProcAttr = apart()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = drainGrace + time.Second
	if err := cmd.Run(); err != nil {
		return err
	}
	return errEnded
}

// withoutPatina returns an environment without the settings that would be of another process: its
// home and its fronts.
func withoutPatina(env []string) (out []string) {
	for _, v := range env {
		if !strings.HasPrefix(v, "PATINA_HOME=") && !strings.HasPrefix(v, "PATINA_MOTHER=") {
			out = append(out, v)
		}
	}
	return out
}

// prefixes write the lines of several processes, each after the name of its process.
type prefixes struct {
	w     io.Writer
	width int // of the longest name
	mu    sync.Mutex
}

// say writes one line.
func (p *prefixes) say(name, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "%-*s | %s\n", p.width, name, layout.Plain(line))
}

// linesOf returns a writer for the output of one process. It must not be used concurrently.
func (p *prefixes) linesOf(name string) *lines { return &lines{to: p, name: name} }

// A lines writer cuts output into lines.
type lines struct {
	to   *prefixes
	name string
	rest []byte
}

// maxLine bounds a line, in bytes: a longer one is cut into several.
const maxLine = 64 << 10

func (l *lines) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok && len(l.rest) <= maxLine {
			return len(b), nil
		}
		l.to.say(l.name, string(line))
		l.rest = rest
	}
}

// flush writes the rest after the last end of a line.
func (l *lines) flush() {
	if len(l.rest) > 0 {
		l.to.say(l.name, string(l.rest))
		l.rest = nil
	}
}
