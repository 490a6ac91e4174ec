package seal

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Rotate puts a new key before the others and calls reseal, which opens every credential with k and seals it again.
// Then it removes all keys except the new one and the previous one, which a server may have used to seal while reseal
// ran.
//
// Rotate may be interrupted at any point: the keys in the file can still open everything, and another rotation
// completes the work. Only one rotation runs at a time.
func Rotate(path string, reseal func(k *Keys) error) error {
	path, err := filepath.EvalSymlinks(path) // keep a symbolic link
	if err != nil {
		return fmt.Errorf("read the key file: %w", err)
	}
	unlock, err := lock(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer unlock()
	k, err := addKey(path)
	if err != nil {
		return err
	}
	if err := reseal(k); err != nil {
		return fmt.Errorf("seal the credentials with the new key: %w", err)
	}
	return dropKeys(k)
}

var errRotating = errors.New("another slotd key rotate is at work on this key file: wait until it has ended")

// addKey puts a new key at the front of the key file.
func addKey(path string) (*Keys, error) {
	k, err := Load(path)
	if err != nil {
		return nil, err
	}
	if len(k.all) == maxKeys { // that many rotations were interrupted: continue with the key of the last one
		return k, nil
	}
	if err := replace(path, append([]key{generateKey()}, k.all...), k.file); err != nil {
		return nil, fmt.Errorf("write the key file: %w", err)
	}
	return Load(path)
}

// dropKeys removes all keys but the first two from the key file.
func dropKeys(k *Keys) error {
	if len(k.all) <= 2 {
		return nil
	}
	if err := replace(k.path, k.all[:2], k.file); err != nil {
		return fmt.Errorf("write the key file: %w", err)
	}
	return nil
}
