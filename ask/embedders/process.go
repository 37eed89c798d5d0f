package embedders

import (
	"errors"
	"sync"

	"patina/registry/models"
)

// Process returns the pool of this process. Nothing is opened before a text is embedded.
var Process = sync.OnceValue(func() *Pool {
	return NewPool(func(models.Model) (Embedder, error) { return nil, errors.New("this build opens no models") })
})
