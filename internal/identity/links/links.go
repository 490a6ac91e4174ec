// Package links signs and verifies the links that are sent to attendees and owners. The secret in a link is an HMAC
// over its purpose, with a key from the database. Nothing is stored per link, every server accepts the links of every
// other server, and a reminder can print the same links again.
package links

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Purpose is the only thing that a link may be used for.
type Purpose string

const (
	Cancel       Purpose = "cancel"
	Reschedule   Purpose = "reschedule"
	Calendar     Purpose = "ics"      // the booking as a file for the attendee's calendar
	HostCalendar Purpose = "host-ics" // the booking as a file for the host's calendar
	Booking      Purpose = "booking"  // the booking's page for the attendee
	Pay          Purpose = "pay"      // leads to the booking's payment
	Unpaid       Purpose = "unpaid"   // leads back from an unfinished payment
	Form         Purpose = "form"     // not a link: proves when a form was issued
	Consent      Purpose = "consent"  // not a link: identifies the calendar that an owner gives consent for
	Setup        Purpose = "setup"    // creates the first owner
	SignIn       Purpose = "sign-in"  // signs an owner in
)

// Signer holds the signing keys, newest first. It signs with the first key and accepts all of them.
type Signer struct{ keys []key }

type key struct {
	id     int64
	secret []byte
}

// Load reads the keys from the database and creates the first one if there is none.
func Load(ctx context.Context, db *store.DB, now time.Time) (*Signer, error) {
	s := &Signer{}
	err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockSettings(ctx); err != nil {
			return err
		}
		rows, err := tx.LinkKeys(ctx)
		if err != nil || len(rows) > 0 {
			s.keys = keysFromRows(rows)
			return err
		}
		first := key{id: now.UnixMilli(), secret: make([]byte, 32)}
		rand.Read(first.secret)
		s.keys = []key{first}
		return tx.InsertLinkKey(ctx, sqlcgen.InsertLinkKeyParams{ID: first.id, Secret: first.secret,
			CreatedAt: now.UnixMilli()})
	})
	if err != nil {
		return nil, fmt.Errorf("load the keys of links: %w", err)
	}
	return s, nil
}

func keysFromRows(rows []sqlcgen.LinkKeysRow) []key {
	keys := make([]key, len(rows))
	for i, row := range rows {
		keys[i] = key{row.ID, row.Secret}
	}
	return keys
}

// A token consists of key id, workspace id, booking id and the first half of the MAC.
const (
	bodyLength = 8 + 8 + 16
	macLength  = 16
)

// Path returns the link's path on the server, such as /b/cancel/TOKEN.
func (s *Signer) Path(purpose Purpose, workspaceID int64, booking uuid.UUID) string {
	return "/b/" + string(purpose) + "/" + s.Token(purpose, workspaceID, booking)
}

// Token returns a signed token that is valid for this purpose only.
func (s *Signer) Token(purpose Purpose, workspaceID int64, id uuid.UUID) string {
	k := s.keys[0]
	body := make([]byte, 0, bodyLength+macLength)
	body = binary.BigEndian.AppendUint64(body, uint64(k.id))
	body = binary.BigEndian.AppendUint64(body, uint64(workspaceID))
	body = append(body, id[:]...)
	return base64.RawURLEncoding.EncodeToString(append(body, k.mac(purpose, body)...))
}

// Verify returns the workspace and booking that the token was signed for. ok is false if the token was not signed for
// this purpose.
func (s *Signer) Verify(purpose Purpose, token string) (workspaceID int64, booking uuid.UUID, ok bool) {
	if len(token) != base64.RawURLEncoding.EncodedLen(bodyLength+macLength) { // the decoder skips newlines
		return 0, uuid.Nil, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != bodyLength+macLength {
		return 0, uuid.Nil, false
	}
	body, mac := raw[:bodyLength], raw[bodyLength:]
	for _, k := range s.keys {
		if binary.BigEndian.Uint64(body) == uint64(k.id) && hmac.Equal(mac, k.mac(purpose, body)) {
			return int64(binary.BigEndian.Uint64(body[8:])), uuid.UUID(body[16:]), true
		}
	}
	return 0, uuid.Nil, false
}

// Pseudonym returns a keyed hash of a text, such as an e-mail address, for places that must not contain the text
// itself.
func (s *Signer) Pseudonym(workspaceID int64, text string) []byte {
	return s.keys[0].mac("pseudonym", fmt.Appendf(nil, "%d %s", workspaceID, strings.ToLower(text)))
}

func (k key) mac(purpose Purpose, body []byte) []byte {
	h := hmac.New(sha256.New, k.secret)
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	h.Write(body)
	return h.Sum(nil)[:macLength]
}
