package identity

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"
)

const site = "https://book.example"

// Flags of the authenticator data: https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data.
const (
	userPresent  = 0x01
	userVerified = 0x04
	hasKey       = 0x40
)

// device is an authenticator in software: it holds one passkey, with an ES256 key and without attestation.
type device struct {
	t       testing.TB
	id      []byte
	key     *ecdsa.PrivateKey
	user    []byte // the user handle it returns
	flags   byte
	origin  string
	counter uint32
}

func newDevice(t testing.TB, userID int64) *device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &device{t: t, id: []byte(rand.Text()), key: key, user: userHandle(userID), flags: userPresent | userVerified,
		origin: site}
}

// create answers a challenge for a new passkey.
func (d *device) create(c *PasskeyChallenge) string {
	d.t.Helper()
	public, err := d.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		d.t.Fatal(err)
	}
	// The key in COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
	cose := slices.Concat([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, public[1:33], []byte{0x22, 0x58, 32},
		public[33:])
	data := slices.Concat(d.authenticatorData(d.flags|hasKey), make([]byte, 16), []byte{0, byte(len(d.id))}, d.id, cose)
	// In CBOR: {"fmt": "none", "attStmt": {}, "authData": data}.
	object := slices.Concat([]byte{0xa3, 0x63}, []byte("fmt"), []byte{0x64}, []byte("none"), []byte{0x67},
		[]byte("attStmt"), []byte{0xa0, 0x68}, []byte("authData"), []byte{0x58, byte(len(data))}, data)
	return d.response(map[string]string{"clientDataJSON": encode64(d.clientData("webauthn.create", c)),
		"attestationObject": encode64(object)})
}

// sign answers a challenge to sign in. The counter counts signatures.
func (d *device) sign(c *PasskeyChallenge) string {
	d.t.Helper()
	d.counter++
	data, client := d.authenticatorData(d.flags), d.clientData("webauthn.get", c)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(slices.Concat(data, hash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return d.response(map[string]string{"clientDataJSON": encode64(client), "authenticatorData": encode64(data),
		"signature": encode64(signature), "userHandle": encode64(d.user)})
}

func (d *device) authenticatorData(flags byte) []byte {
	host := sha256.Sum256([]byte("book.example"))
	return binary.BigEndian.AppendUint32(append(host[:], flags), d.counter)
}

func (d *device) clientData(kind string, c *PasskeyChallenge) []byte {
	d.t.Helper()
	var options struct {
		PublicKey struct{ Challenge string }
	}
	text, err := json.Marshal(c.Options)
	if err == nil {
		err = json.Unmarshal(text, &options)
	}
	if err != nil || options.PublicKey.Challenge == "" {
		d.t.Fatalf("no challenge in %s: %v", text, err)
	}
	return d.json(map[string]string{"type": kind, "challenge": options.PublicKey.Challenge, "origin": d.origin})
}

func (d *device) response(fields map[string]string) string {
	return string(d.json(map[string]any{"id": encode64(d.id), "rawId": encode64(d.id), "type": "public-key",
		"response": fields}))
}

func (d *device) json(v any) []byte {
	d.t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		d.t.Fatal(err)
	}
	return bytes.TrimSpace(text)
}

func encode64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
