package embed

import "patina/store"

// Load opens what Table returned of a model that was fitted to a repository. The bytes are not to be changed afterwards.
func Load(table []byte) (store.Adapter, error) {
	t, err := ReadTable(table)
	if err != nil {
		return nil, err
	}
	return New(t), nil
}
