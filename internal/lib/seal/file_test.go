package seal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const validKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

func TestLoad_RefusesWhatIsNoKeyFile(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		says string
	}{
		"empty":               {"", "is empty: put back a copy"},
		"blank lines":         {"\n \r\n\t\n", "is empty: put back a copy"},
		"half a key":          {validKey[:40] + "\n", "line 1"},
		"16 bytes":            {"AAECAwQFBgcICQoLDA0ODw==\n", "line 1"},
		"33 bytes":            {"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g\n", "line 1"},
		"two on one line":     {validKey + " " + validKey + "\n", "line 1"},
		"loose last bits":     {validKey[:42] + "9=\n", "line 1"},
		"URL alphabet":        {strings.Replace(validKey, "A", "_", 1) + "\n", "line 1"},
		"a second line":       {validKey + "\n\nsecret\n", "line 3"},
		"not text":            {"\x00\xff\x7fELF", "line 1"},
		"a byte order mark":   {"\ufeff" + validKey, "line 1"},
		"too many":            {strings.Repeat(validKey+"\n", maxKeys+1), "more than 100 keys"},
		"too large":           {strings.Repeat("\n", maxFileSize) + validKey, "larger than 8 KiB"},
		"one very long line":  {strings.Repeat("A", maxFileSize), "line 1"},
		"somebody's SSH key?": {"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n", "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			path := keyPath(t)
			writeFile(t, path, c.text, 0o600)
			_, err := Load(path)
			wantRefusal(t, err, path, c.says)
			if _, err := Ensure(path); err == nil {
				t.Error("Ensure takes it")
			}
			if text, _ := os.ReadFile(path); string(text) != c.text {
				t.Error("Ensure replaced it: the credentials are lost")
			}
		})
	}
}

// wantRefusal expects an error that names the file and shows nothing of its content.
func wantRefusal(t *testing.T, err error, path, says string) {
	t.Helper()
	if err == nil {
		t.Fatal("it was taken")
	}
	if !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	for _, shown := range []string{validKey[:8], "b3Blb", "ELF"} {
		if strings.Contains(err.Error(), shown) {
			t.Errorf("%v", err)
		}
	}
}

func TestLoad_ForgivesSpaceAroundKeys(t *testing.T) {
	for _, text := range []string{validKey, validKey + "\r\n", "\n  " + validKey + "\t\n\n"} {
		path := keyPath(t)
		writeFile(t, path, text, 0o600)
		if _, err := Load(path); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLoad_RefusesAFileOfOthers(t *testing.T) {
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o666} {
		path := keyPath(t)
		writeFile(t, path, validKey, mode)
		_, err := Load(path)
		wantRefusal(t, err, path, "chmod 600")
	}
	path := keyPath(t)
	writeFile(t, path, validKey, 0o400)
	if _, err := Load(path); err != nil {
		t.Errorf("one that is only read: %v", err)
	}
}

func TestLoad_RefusesWhatIsNotAFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, pipe, "/dev/zero"} {
		_, err := Load(path)
		wantRefusal(t, err, path, "is not a file")
	}
}

func TestEnsure_RefusesALinkToNothing(t *testing.T) {
	path := keyPath(t)
	if err := os.Symlink(filepath.Join(filepath.Dir(path), "unmounted"), path); err != nil {
		t.Fatal(err)
	}
	if _, err := Ensure(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestEnsure_SaysWhyItCannot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no such directory", "secret.key")
	if _, err := Ensure(path); err == nil || !strings.Contains(err.Error(), "make the key file") {
		t.Error(err)
	}
}
