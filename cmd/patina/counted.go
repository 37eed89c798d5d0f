package main

import (
	"errors"

	"patina/cmd/internal/cli"
	"patina/querylog"
)

// maxClient bounds the name of a client in the log, in bytes.
const maxClient = 64

// counted runs a command and logs how much it has printed.
func (s *scrying) counted(tool, mode string, run func() error) error {
	out := &cli.Counter{Writer: s.Out}
	s.Out, s.sent = out, querylog.Delivery{Tool: tool, Mode: mode}
	err := run()
	s.Out = out.Writer
	_, ended := errors.AsType[cli.Exit](err)
	s.deliver(out.N, err != nil && !ended)
	return err
}

// deliver logs that an answer was delivered, if wanted. Where that fails the answer stands all the
// same, and "patina eval tokens sessions" knows less.
func (s *scrying) deliver(bytes int, failed bool) {
	if !s.settings.LogQueries || s.place.Home == "" {
		return
	}
	d := s.sent
	d.Bytes, d.Failed, d.Root = bytes, failed, s.place.Root
	d.Client = d.Client[:min(len(d.Client), maxClient)]
	_ = querylog.In(s.place.Home).Deliver(d)
}
