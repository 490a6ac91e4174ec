package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/oauth2"

	"slotd"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Credential gives access to a calendar. It is stored sealed and bound to its address: in another calendar's row, or
// together with another address, it cannot be opened.
type Credential struct {
	Password string        `json:"password,omitempty"`
	Token    *oauth2.Token `json:"token,omitempty"`
}

// Seal encrypts the credential, so that it can be read only with the key file.
func (c Credential) Seal(keys *seal.Keys, workspaceID int64, cal *slotd.Calendar) ([]byte, error) {
	return keys.Seal([]byte(encode(c)), credentialIdentity(workspaceID, cal))
}

// OpenCredential decrypts a sealed credential. It returns the zero value if sealed is empty.
func OpenCredential(keys *seal.Keys, workspaceID int64, cal *slotd.Calendar, sealed []byte) (c Credential, err error) {
	if len(sealed) == 0 {
		return c, nil
	} else if keys == nil {
		return c, seal.ErrOtherKey
	}
	plain, err := keys.Open(sealed, credentialIdentity(workspaceID, cal))
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(plain, &c)
}

// SealedCalendar is a calendar with a stored credential.
type SealedCalendar struct {
	WorkspaceID int64
	slotd.Calendar
	sealed []byte
}

// LockedCredentials returns the calendars whose credentials cannot be opened with the keys.
func LockedCredentials(ctx context.Context, db *store.DB, keys *seal.Keys) (locked []SealedCalendar, err error) {
	all, err := sealedCalendars(ctx, db.Read())
	for _, c := range all {
		if _, err := OpenCredential(keys, c.WorkspaceID, &c.Calendar, c.sealed); err != nil {
			locked = append(locked, c)
		}
	}
	return locked, err
}

// Resealer seals again, within a transaction, whatever else is stored sealed. It counts that, and names what the keys
// cannot open.
type Resealer func(ctx context.Context, tx *store.Tx, keys *seal.Keys) (resealed int, locked []string, err error)

// Reseal seals every credential again, and then what the others seal, all of them or none. It leaves alone what the
// keys cannot open: it is still usable for an operator who has the right key.
func Reseal(ctx context.Context, db *store.DB, keys *seal.Keys, others ...Resealer) (resealed int, locked []string,
	err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		all, err := sealedCalendars(ctx, tx.Queries)
		if err != nil {
			return err
		}
		resealed, locked = 0, nil
		for _, c := range all {
			credential, err := OpenCredential(keys, c.WorkspaceID, &c.Calendar, c.sealed)
			if err != nil {
				locked = append(locked, "calendar "+c.Name)
				continue
			}
			if err := c.reseal(ctx, tx, keys, credential); err != nil {
				return fmt.Errorf("reseal the credential of calendar %s: %w", c.Name, err)
			}
			resealed++
		}
		for _, reseal := range others {
			otherResealed, otherLocked, err := reseal(ctx, tx, keys)
			resealed, locked = resealed+otherResealed, append(locked, otherLocked...)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return resealed, locked, err
}

func (s *SealedCalendar) reseal(ctx context.Context, tx *store.Tx, keys *seal.Keys, credential Credential) error {
	newSealed, err := credential.Seal(keys, s.WorkspaceID, &s.Calendar)
	if err != nil {
		return err
	}
	n, err := tx.SealCalendar(ctx,
		sqlcgen.SealCalendarParams{WorkspaceID: s.WorkspaceID, ID: s.ID, Sealed: newSealed, Sealed_2: s.sealed})
	if err == nil && n == 0 {
		err = errors.New("it was changed meanwhile: try again")
	}
	return err
}

func sealedCalendars(ctx context.Context, q *sqlcgen.Queries) ([]SealedCalendar, error) {
	rows, err := q.SealedCalendars(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the sealed calendars: %w", err)
	}
	all := make([]SealedCalendar, len(rows))
	for i, row := range rows {
		all[i] = SealedCalendar{WorkspaceID: row.WorkspaceID, Calendar: slotd.Calendar{ID: row.ID, Name: row.Name},
			sealed: row.Sealed}
		if err := json.Unmarshal([]byte(row.Settings), &all[i].Calendar); err != nil {
			return nil, fmt.Errorf("settings of calendar %s: %w", row.Name, err)
		}
	}
	return all, nil
}

// credentialIdentity names what a credential is sealed for, so that another calendar cannot open it.
func credentialIdentity(workspaceID int64, cal *slotd.Calendar) string {
	return fmt.Sprintf("calendar %d %d %s %q %q %q", workspaceID, cal.ID, cal.Type, cal.URL, cal.Username, cal.Calendar)
}
