package browser

import (
	"bytes"
	"os"
	"testing"
)

// No registry's address stands in the lock file, so that it serves behind every mirror.
func TestLockFile_NamesNoRegistry(t *testing.T) {
	lock, err := os.ReadFile("npm/package-lock.json")
	must(t, err)
	if bytes.Contains(lock, []byte(`"resolved"`)) {
		t.Error(`npm/package-lock.json holds "resolved": remake it with the .npmrc beside it`)
	}
}
