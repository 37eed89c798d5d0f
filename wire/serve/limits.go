package serve

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"patina/wire"
)

const (
	// watchAge is how long one Watch lasts, at most. The watcher begins the next one at once, on a
	// new connection where the old one has come of age. It must be shorter than the grace of an old
	// connection, because a Watch that is cut off looks like a node that died.
	watchAge = 5 * time.Minute
	// aliveTime and aliveWait end connections whose other end has vanished: its streams hold
	// generations.
	aliveTime = 10 * time.Second
	aliveWait = 3 * time.Second
	// pingTime is the shortest time between pings that a client may send.
	pingTime = 5 * time.Second
)

// NewGRPC returns a server of grpc with the limits of the wire, in which a panic costs its call
// only. Without credentials it speaks in the clear, and must listen on a loopback address or a
// socket of the user.
func NewGRPC(c credentials.TransportCredentials, log *slog.Logger, more ...grpc.ServerOption) *grpc.Server {
	if c == nil {
		c = insecure.NewCredentials()
	}
	return grpc.NewServer(append([]grpc.ServerOption{
		grpc.Creds(c),
		grpc.MaxRecvMsgSize(wire.MaxRequest),
		grpc.MaxSendMsgSize(wire.MaxReply),
		grpc.MaxConcurrentStreams(wire.MaxStreams),
		grpc.MaxHeaderListSize(wire.MaxHeaders),
		grpc.ConnectionTimeout(wire.HandshakeTime),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: pingTime, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time: aliveTime, Timeout: aliveWait,
			MaxConnectionIdle: wire.IdleTime,
			MaxConnectionAge:  wire.ConnectionAge, MaxConnectionAgeGrace: watchAge + wire.MaxBudget,
		}),
		grpc.ChainUnaryInterceptor(recovering(log)),
		grpc.ChainStreamInterceptor(recoveringStream(log)),
	}, more...)...)
}

func recovering(log *slog.Logger) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, r any, of *grpc.UnaryServerInfo, h grpc.UnaryHandler) (out any, err error) {
		defer recovered(log, of.FullMethod, &err)
		return h(ctx, r)
	}
}

func recoveringStream(log *slog.Logger) grpc.StreamServerInterceptor {
	return func(s any, st grpc.ServerStream, of *grpc.StreamServerInfo, h grpc.StreamHandler) (err error) {
		defer recovered(log, of.FullMethod, &err)
		return h(s, st)
	}
}

// recovered turns a panic of a call into its error, because grpc lets it end the process.
func recovered(log *slog.Logger, method string, err *error) {
	if x := recover(); x != nil {
		log.Error("panic in a call", "method", method, "panic", x, "stack", string(debug.Stack()))
		*err = status.Error(codes.Internal, "a defect ended this call; the log of the node has more")
	}
}
