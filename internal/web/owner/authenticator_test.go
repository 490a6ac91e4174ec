package owner

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"testing"
)

// device is a software authenticator with one passkey: ES256, no attestation. Tests set its fields to make it lie.
type device struct {
	t       testing.TB
	key     *ecdsa.PrivateKey
	id      []byte
	handle  []byte // of the user that it was created for
	host    string
	origin  string
	flags   byte
	counter uint32
	lie     func(clientData map[string]any)
}

const userPresent, userVerified, hasKey = 0x01, 0x04, 0x40

func newDevice(t testing.TB) *device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d := &device{t: t, key: key, id: make([]byte, 32), host: "book.example", origin: baseURL,
		flags: userPresent | userVerified}
	rand.Read(d.id)
	return d
}

// asked is a challenge from the server.
type asked struct {
	Ticket  string
	Options struct {
		PublicKey struct {
			Challenge, RPID, UserVerification string
			RP                                struct{ ID string }
			User                              struct{ ID, Name, DisplayName string }
			Attestation                       string
			AuthenticatorSelection            struct{ ResidentKey, UserVerification string }
			ExcludeCredentials                []struct{ ID string }
		}
	}
}

func (b *window) ask(path string) (q asked) {
	b.w.T.Helper()
	p := b.post(path)
	if p.Status != http.StatusOK || p.Header.Get("Content-Type") != "application/json" ||
		p.Header.Get("Cache-Control") != "no-store" {
		b.w.T.Fatalf("%s: %d %v %s", path, p.Status, p.Header, p.Body)
	}
	b.w.Must(json.Unmarshal([]byte(p.Body), &q))
	return q
}

// makes returns the device's answer to a challenge for a new passkey.
func (d *device) makes(q asked) string {
	d.t.Helper()
	var err error
	if d.handle, err = base64.RawURLEncoding.DecodeString(q.Options.PublicKey.User.ID); err != nil {
		d.t.Fatal(err)
	}
	object := cat([]byte{0xa3}, text("fmt"), text("none"), text("attStmt"), []byte{0xa0}, text("authData"),
		blob(cat(d.data(hasKey), d.credential())))
	return d.answer(map[string]any{"clientDataJSON": b64(d.clientData("webauthn.create", q)),
		"attestationObject": b64(object)})
}

// signs returns the device's answer to a challenge for a sign-in.
func (d *device) signs(q asked) string {
	d.t.Helper()
	data, client := d.data(0), d.clientData("webauthn.get", q)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(cat(data, hash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, digest[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return d.answer(map[string]any{"clientDataJSON": b64(client), "authenticatorData": b64(data),
		"signature": b64(signature), "userHandle": b64(d.handle)})
}

func (d *device) answer(response map[string]any) string {
	out, err := json.Marshal(map[string]any{"id": b64(d.id), "rawId": b64(d.id), "type": "public-key",
		"response": response, "clientExtensionResults": map[string]any{}})
	if err != nil {
		d.t.Fatal(err)
	}
	return string(out)
}

func (d *device) clientData(kind string, q asked) []byte {
	says := map[string]any{"type": kind, "challenge": q.Options.PublicKey.Challenge, "origin": d.origin,
		"crossOrigin": false}
	if d.lie != nil {
		d.lie(says)
	}
	out, err := json.Marshal(says)
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// data returns the authenticator data: the site's hash, the flags and the counter.
func (d *device) data(more byte) []byte {
	site := sha256.Sum256([]byte(d.host))
	return binary.BigEndian.AppendUint32(append(site[:], d.flags|more), d.counter)
}

// credential returns the attested part: no model, the id, and the public key in COSE format.
func (d *device) credential() []byte {
	point, err := d.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		d.t.Fatal(err)
	}
	cose := cat([]byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21}, blob(point[1:33]), []byte{0x22},
		blob(point[33:]))
	return cat(make([]byte, 16), binary.BigEndian.AppendUint16(nil, uint16(len(d.id))), d.id, cose)
}

func b64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func cat(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// text and blob encode short texts and bytes as CBOR.
func text(s string) []byte { return append([]byte{0x60 | byte(len(s))}, s...) }

func blob(b []byte) []byte {
	if len(b) < 256 {
		return append([]byte{0x58, byte(len(b))}, b...)
	}
	return append([]byte{0x59, byte(len(b) >> 8), byte(len(b))}, b...)
}
