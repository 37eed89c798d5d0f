package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// CanAsk reports whether somebody can be asked: there is a terminal to read from and one to write
// to.
func (a *App) CanAsk() bool { return Terminal(a.In) && Terminal(a.Errs) }

// Confirm asks a question that is answered by yes or no, and reports whether the answer is yes. An
// empty line means byDefault. The end of the input, an interrupt and every other answer mean no. It
// must only be called if CanAsk returns true.
func (a *App) Confirm(ctx context.Context, question string, byDefault bool) bool {
	choice := "[y/N]"
	if byDefault {
		choice = "[Y/n]"
	}
	fmt.Fprintf(a.Errs, "patina: %s %s ", question, choice)
	reply, err := UnlessOver(ctx, func() (string, error) { return bufio.NewReader(a.In).ReadString('\n') })
	switch strings.ToLower(strings.TrimSpace(reply)) {
	case "y", "yes":
		return true
	case "":
		return byDefault && err == nil
	}
	return false
}
