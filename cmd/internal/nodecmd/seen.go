package nodecmd

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/internal/safeio"
	"patina/wire/metrics"
	"patina/wire/pki"
)

// addressesFile is the file of a home folder that says where its node or front listens, for
// "patina node status --self". It has a meaning only while a process works there.
const addressesFile = "node.addresses.json"

// maxAddresses bounds addressesFile, in bytes.
const maxAddresses = 4 << 10

// addresses are where a process listens.
type addresses struct {
	Role   pki.Role `json:"role"`
	Name   string   `json:"name"`
	Listen string   `json:"listen"`
	Status string   `json:"status,omitempty"` // of metrics and health; "" where there is none
}

// A seen shows others the process that runs here, besides its answers.
type seen struct {
	*metrics.Recorder
	status       net.Listener // nil: nobody may look
	end          context.CancelFunc
	done         chan struct{} // closed when nobody is answered any more
	addresses    addresses
	certificates *pki.Folder // nil: there is none
	log          *slog.Logger
}

// addStatusFlag adds the flag for the address of metrics and health.
func addStatusFlag(c *cobra.Command, address *string) {
	c.Flags().StringVar(address, "status", "", "`address` of metrics and health, such as 127.0.0.1:7471")
}

// openSeen listens on the address of metrics and health, unless that is empty. The caller must call
// close, also after an error of serve.
func openSeen(
	ctx context.Context, role pki.Role, name, address string, certificates *pki.Folder, log *slog.Logger,
) (*seen, error) {
	var l net.Listener
	if address != "" {
		err := metrics.CheckAddress(address)
		if err == nil {
			l, err = net.Listen("tcp", address)
		}
		if err != nil {
			return nil, cli.Hint(err, "name another address with --status HOST:PORT")
		}
	}
	r, err := metrics.Open(ctx, metrics.Options{Role: string(role), Name: name, Version: cli.Version, Log: log})
	if err != nil {
		if l != nil {
			err = errors.Join(err, l.Close())
		}
		return nil, err
	}
	s := &seen{Recorder: r, status: l, end: func() {}, done: make(chan struct{}), addresses: addresses{Role: role, Name: name}, certificates: certificates, log: log}
	if certificates != nil {
		r.AddCertificate(s.expires())
	}
	return s, nil
}

// expires returns what says when the certificate in force expires, or nil without one.
func (s *seen) expires() func() time.Time {
	if s.certificates == nil {
		return nil
	}
	return func() time.Time { return s.certificates.Certificate().NotAfter }
}

// serve answers for metrics and health until close, and writes down in a home folder where the
// process listens.
func (s *seen) serve(home string, listens net.Addr, h metrics.Health) error {
	s.addresses.Listen = listens.String()
	if s.status != nil {
		s.addresses.Status = s.status.Addr().String()
		s.log.Info("metrics and health", "address", s.addresses.Status)
		ctx, end := context.WithCancel(context.Background())
		s.end = end
		go func() {
			defer close(s.done)
			if err := s.Serve(ctx, s.status, h); err != nil {
				s.log.Warn("no metrics and health", "why", err.Error())
			}
		}()
	}
	b, err := json.Marshal(s.addresses)
	if err != nil {
		return err
	}
	path := filepath.Join(home, addressesFile) // of this process alone: it has claimed the folder
	if err := os.WriteFile(path+".next", append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".next", path)
}

// close ends what openSeen and serve began, after the last call.
func (s *seen) closeSeen() error {
	s.end()
	if s.status != nil && s.addresses.Listen != "" {
		<-s.done
	} else if s.status != nil {
		_ = s.status.Close()
	}
	return s.Close(context.Background())
}

// readAddresses returns where the process of a home folder listens.
func readAddresses(home string) (a addresses, err error) {
	b, err := safeio.ReadFile(filepath.Join(home, addressesFile), maxAddresses)
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(b, &a)
}
