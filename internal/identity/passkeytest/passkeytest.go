// Package passkeytest is an authenticator in software, for tests of passkeys.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"slices"
	"testing"
)

// Flags of the authenticator data: https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data.
const (
	UserPresent  = 0x01
	UserVerified = 0x04
	hasKey       = 0x40
)

// Device holds one passkey, with an ES256 key and without attestation. Tests change its fields to make it lie.
type Device struct {
	T       testing.TB
	Key     *ecdsa.PrivateKey
	ID      []byte
	User    []byte // the handle of the user it was created for
	Host    string
	Origin  string
	Flags   byte
	Counter uint32
	Lie     func(clientData map[string]any)
}

// New returns a device for a site such as "https://book.example".
func New(t testing.TB, origin string) *Device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	site, err := url.Parse(origin)
	if err != nil {
		t.Fatal(err)
	}
	return &Device{T: t, Key: key, ID: []byte(rand.Text()), Host: site.Hostname(), Origin: origin,
		Flags: UserPresent | UserVerified}
}

// challenge is what a device uses of the server's options.
type challenge struct {
	PublicKey struct {
		Challenge string
		User      struct{ ID string }
	}
}

func (d *Device) read(options any) (c challenge) {
	d.T.Helper()
	text := d.json(options)
	if err := json.Unmarshal(text, &c); err != nil || c.PublicKey.Challenge == "" {
		d.T.Fatalf("no challenge in %s: %v", text, err)
	}
	return c
}

// Create answers the options for a new passkey.
func (d *Device) Create(options any) string {
	d.T.Helper()
	c := d.read(options)
	var err error
	if d.User, err = base64.RawURLEncoding.DecodeString(c.PublicKey.User.ID); err != nil {
		d.T.Fatal(err)
	}
	object := slices.Concat([]byte{0xa3}, text("fmt"), text("none"), text("attStmt"), []byte{0xa0}, text("authData"),
		blob(slices.Concat(d.data(hasKey), d.credential())))
	return d.answer(map[string]any{"clientDataJSON": Encode(d.clientData("webauthn.create", c)),
		"attestationObject": Encode(object)})
}

// Sign answers the options for signing in.
func (d *Device) Sign(options any) string {
	d.T.Helper()
	data, client := d.data(0), d.clientData("webauthn.get", d.read(options))
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(slices.Concat(data, hash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, d.Key, digest[:])
	if err != nil {
		d.T.Fatal(err)
	}
	return d.answer(map[string]any{"clientDataJSON": Encode(client), "authenticatorData": Encode(data),
		"signature": Encode(signature), "userHandle": Encode(d.User)})
}

func (d *Device) answer(response map[string]any) string {
	return string(d.json(map[string]any{"id": Encode(d.ID), "rawId": Encode(d.ID), "type": "public-key",
		"response": response, "clientExtensionResults": map[string]any{}}))
}

func (d *Device) clientData(kind string, c challenge) []byte {
	says := map[string]any{"type": kind, "challenge": c.PublicKey.Challenge, "origin": d.Origin, "crossOrigin": false}
	if d.Lie != nil {
		d.Lie(says)
	}
	return d.json(says)
}

// data returns the authenticator data: the site's hash, the flags and the counter.
func (d *Device) data(more byte) []byte {
	site := sha256.Sum256([]byte(d.Host))
	return binary.BigEndian.AppendUint32(append(site[:], d.Flags|more), d.Counter)
}

// credential returns the attested part: no model, the id, and the public key in COSE.
func (d *Device) credential() []byte {
	point, err := d.Key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		d.T.Fatal(err)
	}
	// {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
	cose := slices.Concat([]byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21}, blob(point[1:33]), []byte{0x22},
		blob(point[33:]))
	return slices.Concat(make([]byte, 16), binary.BigEndian.AppendUint16(nil, uint16(len(d.ID))), d.ID, cose)
}

func (d *Device) json(v any) []byte {
	d.T.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		d.T.Fatal(err)
	}
	return text
}

// Encode encodes bytes as the protocol does.
func Encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// text and blob encode short texts and bytes as CBOR.
func text(s string) []byte { return append([]byte{0x60 | byte(len(s))}, s...) }

func blob(b []byte) []byte {
	if len(b) < 256 {
		return append([]byte{0x58, byte(len(b))}, b...)
	}
	return append([]byte{0x59, byte(len(b) >> 8), byte(len(b))}, b...)
}
