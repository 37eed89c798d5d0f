package enrol

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"patina/wire/nodepb"
	"patina/wire/pki"
)

// A Server signs the certificates of those who join and of those who renew. It implements Enrol and
// Renew of nodepb.FrontServer, and is safe for concurrent use.
//
// Enrol is the one call that a caller without a certificate may make. So a front that offers it
// accepts such connections (pki.Folder.EnrolTLS), and every other call of it must refuse them.
type Server struct {
	ca        *pki.CA
	isRevoked func(name, serial string) bool
	log       *slog.Logger
	limits    limits
}

// NewServer returns a Server that signs with a CA. Without a CA, each call is refused with code
// FAILED_PRECONDITION, so that the caller asks another front. isRevoked reports whether a
// certificate is refused now, as config.Config has it. log may be nil.
func NewServer(ca *pki.CA, isRevoked func(name, serial string) bool, log *slog.Logger) *Server {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Server{ca: ca, isRevoked: isRevoked, log: log}
}

var errNoCA = status.Error(codes.FailedPrecondition, "this front has no CA; ask another front")

// Enrol implements nodepb.FrontServer. An unknown, a used and an expired secret get the same
// answer, of code PERMISSION_DENIED.
func (s *Server) Enrol(ctx context.Context, m *nodepb.EnrolRequest) (*nodepb.Certificate, error) {
	if s.ca == nil {
		return nil, errNoCA
	}
	from := addressOf(ctx)
	if !s.limits.enrol.takeToken(from) {
		return nil, status.Error(codes.ResourceExhausted, "too many tokens were tried; try again in a minute")
	}
	chain, err := s.ca.Enrol(m.GetSecret(), m.GetCsr())
	switch {
	case errors.Is(err, pki.ErrRefused):
		s.log.Warn("a token was refused", "from", from)
		return nil, status.Error(codes.PermissionDenied, err.Error())
	case errors.Is(err, pki.ErrRequest):
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return s.reply(chain, err, "enrolled", "from", from)
}

// Renew implements nodepb.FrontServer. The caller must show a certificate that is valid and not
// revoked, in the call's own connection. A user that a front names in metadata does not count.
func (s *Server) Renew(ctx context.Context, m *nodepb.RenewRequest) (*nodepb.Certificate, error) {
	id, old, err := pki.PeerCertificate(ctx)
	if err != nil {
		return nil, status.Error(codes.Unauthenticated, err.Error())
	}
	if s.isRevoked(id.Name, id.Serial) {
		s.log.Warn("a revoked certificate was not renewed", "of", id.String(), "serial", id.Serial)
		return nil, status.Errorf(codes.Unauthenticated,
			"the certificate of %q is revoked; get another one with \"patina node join\"", id.Name)
	}
	if s.ca == nil {
		return nil, errNoCA
	}
	if !s.limits.renew.takeToken(id.String()) {
		return nil, status.Error(codes.ResourceExhausted, "it was renewed too often; try again in a minute")
	}
	chain, err := s.ca.Renew(old, m.GetCsr())
	if errors.Is(err, pki.ErrRequest) {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return s.reply(chain, err, "renewed", "of", id.String(), "serial", id.Serial)
}

// reply returns the certificate that was signed. An error of the CA is for the log only, because it
// names files of this machine.
func (s *Server) reply(chain []byte, err error, what string, about ...any) (*nodepb.Certificate, error) {
	if err != nil {
		s.log.Error("a certificate was not signed", append(about, "error", err)...)
		return nil, status.Error(codes.Internal, "the front cannot sign; its log says why")
	}
	if id, err := pki.ChainIdentity(chain); err == nil {
		about = append(about, "certificate", id.String(), "new", id.Serial, "until", id.NotAfter)
	}
	s.log.Info("a certificate was "+what, about...)
	return &nodepb.Certificate{Chain: chain, Authority: s.ca.PEM()}, nil
}

// addressOf returns where a call comes from, for limits. Who has an address of IPv6 has some 2^64
// of them, so it is the network there.
func addressOf(ctx context.Context) string {
	p, ok := peer.FromContext(ctx)
	if !ok || p.Addr == nil {
		return ""
	}
	host, _, err := net.SplitHostPort(p.Addr.String())
	if err != nil {
		return p.Addr.String()
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}
