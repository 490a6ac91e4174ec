// Package seal keeps stored credentials unreadable for whoever has the database alone: calendar
// passwords, payment keys. The keys lie in a file beside it, one per line; the first seals, all open.
//
// It decides how a credential is sealed and which key is used. It never stores one.
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

// ErrOtherKey is the answer to a credential of a server with another key file, or of a key that was
// rotated away.
var ErrOtherKey = errors.New("the credential was sealed with a key that is not in the key file: put back the key " +
	"file it was " +
	"sealed with, or enter the credential again")

var errDamaged = errors.New("the sealed credential is damaged, or was moved from elsewhere: enter the credential again")

// Keys are those of a key file, as it is now: another process may rotate them at any time.
type Keys struct {
	path string

	mu   sync.Mutex
	all  []key
	file fs.FileInfo // the file that they were read from
}

// Load reads the key file. It refuses one that others can read.
func Load(path string) (*Keys, error) {
	k := &Keys{path: path}
	if err := k.read(); err != nil {
		return nil, err
	}
	return k, nil
}

// Ensure loads the key file, and makes it first if there is none.
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

// A sealed credential is the version, the key's id, a nonce and the ciphertext with its tag.
const (
	version  = 1
	headSize = 1 + idSize
)

// Seal makes what only Open with the same identity reads: that of the row which the credential
// belongs to, so that nobody who can write to the database moves it to another's. It fails if the key
// file cannot be read any more: after a restart nobody could open the credential.
func (k *Keys) Seal(plain []byte, identity string) ([]byte, error) {
	first, err := k.first()
	if err != nil {
		return nil, err
	}
	sealed := append([]byte{version}, first.id[:]...)
	return first.aead.Seal(sealed, nil, plain, []byte(identity)), nil
}

// Open returns what was sealed.
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

// first is the key that seals now.
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

// find looks into the file again for a key that it does not know.
func (k *Keys) find(id [idSize]byte) (key, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found, ok := k.held(id); ok {
		return found, true
	}
	if err := k.read(); err != nil {
		return key{}, false
	}
	return k.held(id)
}

func (k *Keys) held(id [idSize]byte) (key, bool) {
	for _, one := range k.all {
		if one.id == id {
			return one, true
		}
	}
	return key{}, false
}

// read replaces the keys by the file's, or leaves them as they are.
func (k *Keys) read() error {
	all, file, err := readFile(k.path)
	if err == nil {
		k.all, k.file = all, file
	}
	return err
}

// Rotation puts another file in the old one's place: in the same moment of a coarse clock perhaps,
// and of the same size.
func sameFile(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

const (
	keySize = 32 // AES-256
	idSize  = 4
)

type key struct {
	secret [keySize]byte
	id     [idSize]byte // the beginning of the secret's SHA-256
	aead   cipher.AEAD
}

func newKey(secret [keySize]byte) key {
	block, err := aes.NewCipher(secret[:])
	if err != nil {
		panic(err) // only for another length
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // only for another block size
	}
	sum := sha256.Sum256(secret[:])
	return key{secret, [idSize]byte(sum[:idSize]), aead}
}

func freshKey() key {
	var secret [keySize]byte
	rand.Read(secret[:])
	return newKey(secret)
}
