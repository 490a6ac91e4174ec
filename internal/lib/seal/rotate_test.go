package seal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

var errStop = errors.New("stop")

func nothing(*Keys) error { return nil }

func rotate(t *testing.T, path string, reseal func(k *Keys) error) {
	t.Helper()
	if err := Rotate(path, reseal); err != nil {
		t.Fatal(err)
	}
}

func wantKeys(t *testing.T, path string, n int) []key {
	t.Helper()
	k, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(k.all) != n {
		t.Errorf("%d keys, not %d", len(k.all), n)
	}
	return k.all
}

func TestRotate_SealsAnewAndForgetsOldKeys(t *testing.T) {
	path := keyPath(t)
	row := sealed(t, ensured(t, path), secret)
	for _, keys := range []int{2, 2, 2} {
		before := row
		rotate(t, path, func(k *Keys) error {
			wantOpen(t, k, row)
			row = sealed(t, k, secret)
			return nil
		})
		if bytes.Equal(before[1:headSize], row[1:headSize]) {
			t.Error("sealed with the key before")
		}
		wantKeys(t, path, keys)
		wantOpen(t, ensured(t, path), row)
		wantOpen(t, ensured(t, path), before) // a server may have written it in the meantime
	}
	wantFiles(t, path, "secret.key")
}

func TestRotate_IsSeenByRunningServers(t *testing.T) {
	path := keyPath(t)
	server, other := ensured(t, path), ensured(t, path)
	for range 5 {
		rotate(t, path, nothing)
		box := sealed(t, server, secret)
		first := wantKeys(t, path, 2)[0]
		if !bytes.Equal(box[1:headSize], first.id[:]) {
			t.Error("sealed with a key that is not the first")
		}
		wantOpen(t, other, box)
	}
}

func TestKeys_OpenButDoNotSealWithoutTheirFile(t *testing.T) {
	path := keyPath(t)
	server := ensured(t, path)
	box := sealed(t, server, secret)
	elsewhere := sealed(t, ensured(t, keyPath(t)), secret)
	for _, spoil := range []func() error{
		func() error { return os.WriteFile(path, []byte("half a key\n"), 0o600) },
		func() error { return os.Remove(path) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		wantOpen(t, server, box)
		if _, err := server.Seal(secret, identity); err == nil {
			t.Error("sealed with a key that no file holds")
		}
		if _, err := server.Open(elsewhere, identity); !errors.Is(err, ErrOtherKey) {
			t.Error(err)
		}
	}
}

func TestRotate_ThatBreaksOffLosesNothing(t *testing.T) {
	path := keyPath(t)
	rows := [][]byte{sealed(t, ensured(t, path), secret)}
	for i := range 4 {
		err := Rotate(path, func(k *Keys) error {
			rows = append(rows, sealed(t, k, secret))
			return errStop
		})
		if !errors.Is(err, errStop) {
			t.Fatal(err)
		}
		wantKeys(t, path, i+2)
		for _, row := range rows {
			wantOpen(t, ensured(t, path), row)
		}
	}
	rotate(t, path, nothing)
	wantKeys(t, path, 2)
}

// Repeatedly interrupted rotations must not produce a file that Load rejects.
func TestRotate_NeverOverfillsTheFile(t *testing.T) {
	path := keyPath(t)
	first := sealed(t, ensured(t, path), secret)
	for range maxKeys + 3 {
		_ = Rotate(path, func(*Keys) error { return errStop })
	}
	wantKeys(t, path, maxKeys)
	wantOpen(t, ensured(t, path), first)
	rotate(t, path, nothing)
	wantKeys(t, path, 2)
}

// A crash between writing the new file and renaming it leaves a temporary file, before the first and before the second
// write.
func TestRotate_IsNotHeldUpByWhatACrashLeft(t *testing.T) {
	for _, leftover := range []string{"", "half a li", validKey + "\n"} {
		path := keyPath(t)
		ensured(t, path)
		rotate(t, path, nothing) // from now on a rotation writes the file twice
		row := sealed(t, ensured(t, path), secret)
		writeFile(t, path+".new", leftover, 0o600)
		wantOpen(t, ensured(t, path), row)
		rotate(t, path, func(k *Keys) error {
			writeFile(t, path+".new", leftover, 0o644)
			wantOpen(t, k, row)
			return nil
		})
		wantOpen(t, ensured(t, path), row)
		wantFiles(t, path, "secret.key")
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

func TestRotate_KeepsTheLinkAndTheOwner(t *testing.T) {
	path := keyPath(t)
	ensured(t, path)
	_ = os.Chown(path, 12345, 23456) // only root can do this, and only root needs it
	before := owner(t, path)
	link := filepath.Join(t.TempDir(), "link.key")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	rotate(t, link, nothing)
	wantKeys(t, path, 2)
	if after := owner(t, path); before != after {
		t.Errorf("the owner was %v and is %v", before, after)
	}
}

func owner(t *testing.T, path string) [2]uint32 {
	t.Helper()
	var stat syscall.Stat_t
	if err := syscall.Stat(path, &stat); err != nil {
		t.Fatal(err)
	}
	return [2]uint32{stat.Uid, stat.Gid}
}

// What servers seal during a rotation is never lost, whichever of the two keys they use.
func TestRace_ServersSealDuringARotation(t *testing.T) {
	path := keyPath(t)
	server := ensured(t, path)
	for range 10 {
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				for range 20 {
					wantOpen(t, server, sealed(t, server, secret))
				}
			})
		}
		rotate(t, path, nothing)
		all.Wait()
	}
}
