package seal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

const identity = "calendar 7 of workspace 42"

var secret = []byte("correct horse")

func keyPath(t *testing.T) string { return filepath.Join(t.TempDir(), "secret.key") }

func ensured(t *testing.T, path string) *Keys {
	t.Helper()
	k, err := Ensure(path)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sealed(t *testing.T, k *Keys, plain []byte) []byte {
	t.Helper()
	out, err := k.Seal(plain, identity)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func wantOpen(t *testing.T, k *Keys, box []byte) {
	t.Helper()
	if plain, err := k.Open(box, identity); err != nil || !bytes.Equal(plain, secret) {
		t.Errorf("opened: %q, %v", plain, err)
	}
}

func TestSeal_IsOpenedByEveryServerWithTheFile(t *testing.T) {
	path := keyPath(t)
	for _, plain := range [][]byte{secret, {}, bytes.Repeat([]byte{0, 255}, 50_000)} {
		box := sealed(t, ensured(t, path), plain)
		opened, err := ensured(t, path).Open(box, identity)
		if err != nil || !bytes.Equal(opened, plain) {
			t.Errorf("%d bytes: %v", len(plain), err)
		}
		if len(plain) > 0 && bytes.Contains(box, plain) {
			t.Error("it stands there in clear")
		}
	}
}

func TestSeal_NeverWritesTheSameTwice(t *testing.T) {
	k := ensured(t, keyPath(t))
	if bytes.Equal(sealed(t, k, secret), sealed(t, k, secret)) {
		t.Error("two rows with one password can be told")
	}
}

func TestOpen_RefusesAnotherRow(t *testing.T) {
	k := ensured(t, keyPath(t))
	box := sealed(t, k, secret)
	for _, other := range []string{"", identity + " ", "calendar 8 of workspace 42"} {
		if plain, err := k.Open(box, other); !errors.Is(err, errDamaged) {
			t.Errorf("%q: %q, %v", other, plain, err)
		}
	}
}

func TestOpen_RefusesEveryFlippedBitAndEveryLength(t *testing.T) {
	k := ensured(t, keyPath(t))
	box := sealed(t, k, secret)
	for i := range len(box) * 8 {
		damaged := bytes.Clone(box)
		damaged[i/8] ^= 1 << (i % 8)
		if plain, err := k.Open(damaged, identity); err == nil || plain != nil {
			t.Errorf("bit %d: %q, %v", i, plain, err)
		}
	}
	for n := range box {
		if _, err := k.Open(box[:n], identity); err == nil {
			t.Errorf("the first %d bytes are opened", n)
		}
	}
	if _, err := k.Open(append(box, 0), identity); err == nil {
		t.Error("one byte more is opened")
	}
}

func TestOpen_SaysThatTheKeyIsAnother(t *testing.T) {
	box := sealed(t, ensured(t, keyPath(t)), secret)
	if _, err := ensured(t, keyPath(t)).Open(box, identity); !errors.Is(err, ErrOtherKey) {
		t.Error(err)
	}
}

func TestRace_OfManyWhoEnsureAKeyOneWins(t *testing.T) {
	path := keyPath(t)
	boxes := make([][]byte, 20)
	var all sync.WaitGroup
	for i := range boxes {
		all.Go(func() { boxes[i] = sealed(t, ensured(t, path), secret) })
	}
	all.Wait()
	k := ensured(t, path)
	for _, box := range boxes {
		wantOpen(t, k, box)
	}
	wantFiles(t, path, "secret.key")
}

func TestEnsure_MakesAFileForItsOwnerAlone(t *testing.T) {
	path := keyPath(t)
	ensured(t, path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info.Size() != 45 {
		t.Errorf("%d bytes are not one line of 32 bytes in base64", info.Size())
	}
}

func TestEnsure_TakesTheFileOfEarlierVersions(t *testing.T) {
	path := keyPath(t)
	writeFile(t, path, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n", 0o600)
	wantOpen(t, ensured(t, path), sealed(t, ensured(t, path), secret))
	wantFiles(t, path, "secret.key")
}

// wantFiles checks the files in the directory: a leftover file may contain a key.
func wantFiles(t *testing.T, path string, names ...string) {
	t.Helper()
	found, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(names) {
		t.Fatalf("%v", found)
	}
	for i, name := range names {
		if found[i].Name() != name {
			t.Errorf("%s stands where %s should", found[i].Name(), name)
		}
	}
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // independent of the umask
		t.Fatal(err)
	}
}
