package harbour

// Arrivals asks for the ships that arrive today.
func (c *Client) Arrivals() ([]string, error) {
	r, err := c.http.Get(c.Address + "/arrivals")
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	return r.Header.Values("Ship"), nil
}
