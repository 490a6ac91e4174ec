package browser

import (
	"bytes"
	"os"
	"testing"
)

// The lock file names no registry, so that it works with every mirror.
func TestLockFile_NamesNoRegistry(t *testing.T) {
	t.Parallel()
	lock, err := os.ReadFile("npm/package-lock.json")
	must(t, err)
	if bytes.Contains(lock, []byte(`"resolved"`)) {
		t.Error(`npm/package-lock.json holds "resolved": remake it with the .npmrc beside it`)
	}
}
