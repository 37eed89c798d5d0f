// Package harbour talks to the harbour service about berths and arrivals.
package harbour

import (
	"fmt"
	"net/http"
	"time"
)

// A Client asks the harbour service over HTTP. A call returns when the service has answered.
type Client struct {
	Address string
	http    http.Client
}

// New returns a client that waits ten seconds at most.
func New(address string) *Client {
	return &Client{Address: address, http: http.Client{Timeout: 10 * time.Second}}
}

// Berth asks for the berth of a ship.
func (c *Client) Berth(ship string) (string, error) {
	r, err := c.http.Get(c.Address + "/berths/" + ship)
	if err != nil {
		return "", fmt.Errorf("berth of %s: %w", ship, err)
	}
	defer r.Body.Close()
	return r.Header.Get("Berth"), nil
}
