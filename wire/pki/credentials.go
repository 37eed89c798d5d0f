package pki

import (
	"google.golang.org/grpc/credentials"

	"patina/wire/config"
)

// ServerCredentials returns the settings of ServerTLS for a server of grpc. Those of a nil folder
// are nil, which means that connections are in the clear.
func (f *Folder) ServerCredentials() (credentials.TransportCredentials, error) {
	if f == nil {
		return nil, nil
	}
	settings, err := f.ServerTLS()
	if err != nil {
		return nil, err
	}
	return credentials.NewTLS(settings), nil
}

// EnrolCredentials returns the settings of EnrolTLS for a server of grpc.
func (f *Folder) EnrolCredentials() (credentials.TransportCredentials, error) {
	settings, err := f.EnrolTLS()
	if err != nil {
		return nil, err
	}
	return credentials.NewTLS(settings), nil
}

// NodeCredentials returns a function for the settings of a client of a node, which must have the
// node's name in its certificate. That of a nil folder is nil, which means that connections are in
// the clear.
func (f *Folder) NodeCredentials() func(config.Node) credentials.TransportCredentials {
	return f.CredentialsTo(Node)
}

// CredentialsTo is NodeCredentials for servers of a role.
func (f *Folder) CredentialsTo(role Role) func(config.Node) credentials.TransportCredentials {
	if f == nil {
		return nil
	}
	return func(n config.Node) credentials.TransportCredentials {
		settings, err := f.ClientTLS(Expected{Role: role, Name: n.Name})
		if err != nil { // a configuration has no node without a name
			panic(err)
		}
		return credentials.NewTLS(settings)
	}
}
