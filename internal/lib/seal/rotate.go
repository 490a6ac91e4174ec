package seal

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Rotate puts a new key in front of the others and calls reseal, which opens every credential with k
// and seals it again. Then it forgets all keys but the new one and the one before, which a server may
// have sealed with while reseal ran.
//
// It may break off anywhere: the file then still opens everything, and another rotation ends what this
// one began. Only one runs at a time.
func Rotate(path string, reseal func(k *Keys) error) error {
	path, err := filepath.EvalSymlinks(path) // a link stays one
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

func addKey(path string) (*Keys, error) {
	k, err := Load(path)
	if err != nil {
		return nil, err
	}
	if len(k.all) == maxKeys { // so many rotations broke off: this one goes on with the last one's key
		return k, nil
	}
	if err := replace(path, append([]key{freshKey()}, k.all...), k.file); err != nil {
		return nil, fmt.Errorf("write the key file: %w", err)
	}
	return Load(path)
}

func dropKeys(k *Keys) error {
	if len(k.all) <= 2 {
		return nil
	}
	if err := replace(k.path, k.all[:2], k.file); err != nil {
		return fmt.Errorf("write the key file: %w", err)
	}
	return nil
}
