package front

import (
	"crypto/tls"
	"testing"

	"google.golang.org/grpc/credentials"

	"patina/wire/pki"
)

// serverCredentials returns those of a server with the settings of a folder.
func serverCredentials(t testing.TB, settings func() (*tls.Config, error)) credentials.TransportCredentials {
	t.Helper()
	c, err := settings()
	if err != nil {
		t.Fatal(err)
	}
	return credentials.NewTLS(c)
}

func clientCredentials(t testing.TB, f *pki.Folder, to pki.Expected) credentials.TransportCredentials {
	t.Helper()
	c, err := f.ClientTLS(to)
	if err != nil {
		t.Fatal(err)
	}
	return credentials.NewTLS(c)
}
