// Package seal encrypts stored credentials, such as calendar passwords and payment keys, so that the database alone is
// not enough to read them. The keys are in a separate file, one per line. The first key seals, all keys open.
//
// The package decides how a credential is sealed and which key is used. It never stores a credential.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// ErrOtherKey is the error for a credential from a server with another key file, or for one sealed with a key that a
// rotation has removed.
var ErrOtherKey = errors.New("the credential was sealed with a key that is not in the key file: put back the key " +
	"file it was " +
	"sealed with, or enter the credential again")

var errDamaged = errors.New("the sealed credential is damaged, or was moved from elsewhere: enter the credential again")

// Keys are the current keys of a key file. Another process may rotate them at any time.
type Keys struct {
	path string

	mu   sync.Mutex
	all  []key
	file fs.FileInfo // the file that all was read from
}

// Load reads the key file. It rejects a file that other users can read.
func Load(path string) (*Keys, error) {
	k := &Keys{path: path}
	if err := k.read(); err != nil {
		return nil, err
	}
	return k, nil
}

// Ensure loads the key file. If there is none, it creates one first.
func Ensure(path string) (*Keys, error) {
	k, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	if err := create(path); err != nil {
		return nil, fmt.Errorf("make the key file: %w", err)
	}
	return Load(path)
}

// A sealed credential consists of the version, the key's id, a nonce and the ciphertext with its tag.
const (
	version  = 1
	headSize = 1 + idSize
)

// Seal encrypts a credential. Open needs the same identity to decrypt it. The identity names the database row that the
// credential belongs to, so that a person who can write to the database cannot move it to another row. Seal fails if
// the key file cannot be read anymore: after a restart the credential could not be opened.
func (k *Keys) Seal(plain []byte, identity string) ([]byte, error) {
	first, err := k.first()
	if err != nil {
		return nil, err
	}
	sealed := append([]byte{version}, first.id[:]...)
	return first.aead.Seal(sealed, nil, plain, []byte(identity)), nil
}

// Open decrypts a sealed credential.
func (k *Keys) Open(sealed []byte, identity string) ([]byte, error) {
	if len(sealed) < headSize || sealed[0] != version {
		return nil, errDamaged
	}
	key, ok := k.find([idSize]byte(sealed[1:headSize]))
	if !ok {
		return nil, ErrOtherKey
	}
	plain, err := key.aead.Open(nil, nil, sealed[headSize:], []byte(identity))
	if err != nil {
		return nil, errDamaged
	}
	return plain, nil
}

// first returns the key that seals. It reads the file again if it has changed.
func (k *Keys) first() (key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if info, err := os.Stat(k.path); err != nil || !sameFile(info, k.file) {
		if err := k.read(); err != nil {
			return key{}, err
		}
	}
	return k.all[0], nil
}

// find returns the key with the id. If it is unknown, find reads the file again.
func (k *Keys) find(id [idSize]byte) (key, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found, ok := k.lookup(id); ok {
		return found, true
	}
	if err := k.read(); err != nil {
		return key{}, false
	}
	return k.lookup(id)
}

func (k *Keys) lookup(id [idSize]byte) (key, bool) {
	for _, candidate := range k.all {
		if candidate.id == id {
			return candidate, true
		}
	}
	return key{}, false
}

// read replaces the keys with those in the file. On an error it leaves them unchanged.
func (k *Keys) read() error {
	all, file, err := readFile(k.path)
	if err == nil {
		k.all, k.file = all, file
	}
	return err
}

// sameFile reports whether the file is unchanged. It compares more than time and size because a rotation replaces the
// file, perhaps within one tick of a coarse clock, and perhaps with one of the same size.
func sameFile(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

const (
	keySize = 32 // AES-256
	idSize  = 4
)

type key struct {
	secret [keySize]byte
	id     [idSize]byte // the first bytes of the secret's SHA-256
	aead   cipher.AEAD
}

func newKey(secret [keySize]byte) key {
	block, err := aes.NewCipher(secret[:])
	if err != nil {
		panic(err) // only for a wrong key length
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // only for a wrong block size
	}
	sum := sha256.Sum256(secret[:])
	return key{secret, [idSize]byte(sum[:idSize]), aead}
}

func generateKey() key {
	var secret [keySize]byte
	rand.Read(secret[:])
	return newKey(secret)
}
