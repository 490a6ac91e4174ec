package worlds

import (
	"path/filepath"

	"slotd/internal/lib/seal"
)

// NewKeys returns the keys of another key file, which open nothing that Keys have sealed.
func (w *World) NewKeys() *seal.Keys {
	w.T.Helper()
	keys, err := seal.Ensure(filepath.Join(w.T.TempDir(), "secret.key"))
	w.Must(err)
	return keys
}
