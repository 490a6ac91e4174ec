package booking

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Idempotency identifies a request, so that sending it again returns the first success.
type Idempotency struct {
	TokenID string
	Key     string
	Form    string // of a page's form: its name. The key is its content, which a guest may correct and send again
}

// FormIdempotency identifies a form by its name and by what was typed, so that a double click makes one booking.
func FormIdempotency(form uuid.UUID, content string) *Idempotency {
	sum := sha256.Sum256([]byte(content))
	return &Idempotency{TokenID: "page", Form: fmt.Sprintf("%x", form[:]), Key: fmt.Sprintf("%x", sum[:12])}
}

// stored returns the key as it is stored. All keys of a form start with its prefix.
func (i *Idempotency) stored() string { return i.prefix() + i.Key }

func (i *Idempotency) prefix() string {
	if i.Form == "" {
		return ""
	}
	return i.Form + "."
}

const idempotencyTTL = 24 * time.Hour

// firstResult returns the first success with the same key, as it was returned then: since then the booking may have
// been moved, and somebody else may have the slot. It returns nil if there is none.
func (s *Service) firstResult(ctx context.Context, q *sqlcgen.Queries, actor Actor, r Request) (*slotd.Booking, error) {
	if r.Idempotency == nil {
		return nil, nil
	}
	row, err := q.IdempotencyKey(ctx, sqlcgen.IdempotencyKeyParams{
		WorkspaceID: actor.WorkspaceID, TokenID: r.Idempotency.TokenID, Key: r.Idempotency.stored(),
		CreatedAt: s.now().Add(-idempotencyTTL).UnixMilli(),
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look for a repeat: %w", err)
	}
	if !bytes.Equal(row.ArgumentsHash, r.hash()) {
		return nil, slotd.Because(slotd.KeyReused, slotd.Facts{})
	}
	found, err := q.Booking(ctx, sqlcgen.BookingParams{WorkspaceID: actor.WorkspaceID, ID: row.BookingID})
	if err != nil {
		return nil, fmt.Errorf("load the repeated booking %s: %w", row.BookingID, err)
	}
	b, err := FromRow(found)
	if err != nil || b.State == slotd.Expired || b.IsHeld() && b.Hold.IsOver(s.now()) { // it was never definite
		return nil, err
	}
	b.StartsAt, b.EndsAt = time.UnixMilli(row.StartsAt).UTC(), time.UnixMilli(row.EndsAt).UTC()
	return b, nil
}

func saveIdempotency(ctx context.Context, tx *store.Tx, actor Actor, r Request, b *slotd.Booking) error {
	if r.Idempotency == nil {
		return nil
	}
	err := tx.ForgetIdempotencyKeys(ctx, sqlcgen.ForgetIdempotencyKeysParams{
		WorkspaceID: actor.WorkspaceID, CreatedAt: b.CreatedAt.Add(-idempotencyTTL).UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("forget old keys: %w", err)
	}
	err = tx.PutIdempotencyKey(ctx, sqlcgen.PutIdempotencyKeyParams{
		WorkspaceID: actor.WorkspaceID, TokenID: r.Idempotency.TokenID, Key: r.Idempotency.stored(), ArgumentsHash: r.hash(),
		BookingID: b.ID.String(), StartsAt: b.StartsAt.UnixMilli(), EndsAt: b.EndsAt.UnixMilli(),
		CreatedAt: b.CreatedAt.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("remember the key: %w", err)
	}
	return nil
}

// hash covers the meaning of the arguments: the same instant with another offset has the same hash.
func (r *Request) hash() []byte {
	arguments := []string{r.EventType, slotd.Instant(r.StartsAt), r.Attendee.Name, r.Attendee.Email,
		r.Attendee.TimeZone, r.Notes}
	if r.Attendee.Phone != "" { // a request without a number keeps the hash that older versions stored
		arguments = append(arguments, r.Attendee.Phone)
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // strings always encode
	}
	sum := sha256.Sum256(text)
	return sum[:]
}
