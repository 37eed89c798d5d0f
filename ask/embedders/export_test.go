package embedders

import "patina/registry/models"

// Counting makes the pool count what its models do from now on. They are opened as before.
func (p *Pool) Counting() *Counts {
	c := &Counts{}
	open := openModel
	p.open = func(m models.Model) (Embedder, error) {
		e, err := open(m)
		if err != nil {
			return nil, err
		}
		c.Opened.Add(1)
		return counting{e, c}, nil
	}
	return c
}
