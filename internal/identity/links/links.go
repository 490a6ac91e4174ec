// Package links signs the attendee's own links and recognises them. A link's secret is an HMAC
// over what it is for, with a key that lives in the database: nothing about a single link is
// stored, every server accepts every server's links, and a reminder can print them again.
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

// Purpose is the one thing a link may be used for.
type Purpose string

const (
	Cancel       Purpose = "cancel"
	Reschedule   Purpose = "reschedule"
	Calendar     Purpose = "ics"      // the booking as a file, for the attendee's calendar
	HostCalendar Purpose = "host-ics" // and for the host's
	Booking      Purpose = "booking"  // the booking as a page, for the attendee
	Pay          Purpose = "pay"      // the way to its payment
	Unpaid       Purpose = "unpaid"   // and back, without
	Form         Purpose = "form"     // no link: says when a form was given out
	Consent      Purpose = "consent"  // no link: says which calendar an owner agrees about
	Setup        Purpose = "setup"    // makes the first owner
	SignIn       Purpose = "sign-in"  // an owner's
)

// Signer holds the keys, the newest first. It signs with the first and accepts all.
type Signer struct{ keys []key }

type key struct {
	id     int64
	secret []byte
}

// Load reads the keys, and makes the first one in an empty database.
func Load(ctx context.Context, db *store.DB, now time.Time) (*Signer, error) {
	s := &Signer{}
	err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockSettings(ctx); err != nil {
			return err
		}
		rows, err := tx.LinkKeys(ctx)
		if err != nil || len(rows) > 0 {
			s.keys = keysOf(rows)
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

func keysOf(rows []sqlcgen.LinkKeysRow) []key {
	keys := make([]key, len(rows))
	for i, row := range rows {
		keys[i] = key{row.ID, row.Secret}
	}
	return keys
}

// A token is key id, workspace id, booking id and the first half of the MAC.
const (
	bodyLength = 8 + 8 + 16
	macLength  = 16
)

// Path is the link's path on the server: /b/cancel/TOKEN.
func (s *Signer) Path(purpose Purpose, workspaceID int64, booking uuid.UUID) string {
	return "/b/" + string(purpose) + "/" + s.Token(purpose, workspaceID, booking)
}

// Token is what only we can have written, for this purpose alone.
func (s *Signer) Token(purpose Purpose, workspaceID int64, id uuid.UUID) string {
	k := s.keys[0]
	body := make([]byte, 0, bodyLength+macLength)
	body = binary.BigEndian.AppendUint64(body, uint64(k.id))
	body = binary.BigEndian.AppendUint64(body, uint64(workspaceID))
	body = append(body, id[:]...)
	return base64.RawURLEncoding.EncodeToString(append(body, k.mac(purpose, body)...))
}

// Verify says which booking a link's token is about, if it was signed for this purpose.
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

// Pseudonym stands for a text, such as an address, where the text itself must not stand.
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
