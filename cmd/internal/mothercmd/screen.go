package mothercmd

import (
	"fmt"
	"io"
	"sync"

	"patina/cmd/internal/cli"
)

// clearLine moves to the start of a terminal's line and removes its text.
const clearLine = "\r\x1b[K"

// A screen keeps one line of progress below the lines that several goroutines print. It draws
// nothing if there is no terminal.
type screen struct {
	mu       sync.Mutex
	terminal io.Writer // nil means there is none
	drawn    string
}

// newScreen returns the screen of a command with its standard error.
func newScreen(errs io.Writer) *screen {
	if !cli.Terminal(errs) {
		return &screen{}
	}
	return &screen{terminal: errs}
}

// show replaces the line of progress. An empty line removes it.
func (s *screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal != nil {
		s.drawn = line
		fmt.Fprint(s.terminal, clearLine+line)
	}
}

// above returns a writer of whole lines, for several goroutines. They are printed above the line of
// progress. The writer is not a terminal, so what prints to it draws no progress of its own.
func (s *screen) above(w io.Writer) io.Writer { return &aboveWriter{s, w} }

type aboveWriter struct {
	screen *screen
	to     io.Writer
}

// Write implements io.Writer.
func (w *aboveWriter) Write(b []byte) (int, error) {
	w.screen.mu.Lock()
	defer w.screen.mu.Unlock()
	if w.screen.drawn == "" {
		return w.to.Write(b)
	}
	fmt.Fprint(w.screen.terminal, clearLine)
	n, err := w.to.Write(b)
	fmt.Fprint(w.screen.terminal, w.screen.drawn)
	return n, err
}
