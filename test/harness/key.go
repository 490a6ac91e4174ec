package harness

import (
	"os"
	"strings"
	"testing"
)

// ForgetOldKeys removes all keys but the newest from a key file, so that whatever can still be read was sealed with it.
func ForgetOldKeys(t testing.TB, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	newest, old, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if old == "" {
		t.Fatal("the previous key was not kept")
	}
	if err := os.WriteFile(path, []byte(newest+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}
