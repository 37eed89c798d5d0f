package embed

import "patina/store/doc"

// Load opens a fitted model from the bytes that its Table method returned. The caller must not
// change them while the model is in use.
func Load(table []byte) (doc.Adapter, error) {
	t, err := ReadTable(table)
	if err != nil {
		return nil, err
	}
	return New(t), nil
}
