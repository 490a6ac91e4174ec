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

// Credential opens a calendar's door. It is kept sealed, and only ever together with the address it
// is for: in another calendar's row, or beside another address, it cannot be opened.
type Credential struct {
	Password string        `json:"password,omitempty"`
	Token    *oauth2.Token `json:"token,omitempty"`
}

// Seal makes the credential readable with the key file only.
func (c Credential) Seal(keys *seal.Keys, workspaceID int64, cal *slotd.Calendar) ([]byte, error) {
	return keys.Seal([]byte(encode(c)), sealedFor(workspaceID, cal))
}

// OpenCredential is zero where nothing is sealed.
func OpenCredential(keys *seal.Keys, workspaceID int64, cal *slotd.Calendar, sealed []byte) (c Credential, err error) {
	if len(sealed) == 0 {
		return c, nil
	} else if keys == nil {
		return c, seal.ErrOtherKey
	}
	plain, err := keys.Open(sealed, sealedFor(workspaceID, cal))
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(plain, &c)
}

// Sealed is a calendar whose credential is kept.
type Sealed struct {
	WorkspaceID int64
	slotd.Calendar
	sealed []byte
}

// Locked are the calendars whose credentials the keys do not open.
func LockedCredentials(ctx context.Context, db *store.DB, keys *seal.Keys) (locked []Sealed, err error) {
	all, err := sealed(ctx, db.Read())
	for _, c := range all {
		if _, err := OpenCredential(keys, c.WorkspaceID, &c.Calendar, c.sealed); err != nil {
			locked = append(locked, c)
		}
	}
	return locked, err
}

// Reseal seals every credential and payment account anew, all or none. Those that the keys do not open stay as they
// are: to whoever has their key they are worth what they were.
func Reseal(ctx context.Context, db *store.DB, keys *seal.Keys) (resealed int, locked []string, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		all, err := sealed(ctx, tx.Queries)
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
		accounts, lockedAccounts, err := resealAccounts(ctx, tx, keys)
		resealed, locked = resealed+accounts, append(locked, lockedAccounts...)
		return err
	})
	return resealed, locked, err
}

func (s *Sealed) reseal(ctx context.Context, tx *store.Tx, keys *seal.Keys, credential Credential) error {
	anew, err := credential.Seal(keys, s.WorkspaceID, &s.Calendar)
	if err != nil {
		return err
	}
	n, err := tx.SealCalendar(ctx,
		sqlcgen.SealCalendarParams{WorkspaceID: s.WorkspaceID, ID: s.ID, Sealed: anew, Sealed_2: s.sealed})
	if err == nil && n == 0 {
		err = errors.New("it was changed meanwhile: try again")
	}
	return err
}

func sealed(ctx context.Context, q *sqlcgen.Queries) ([]Sealed, error) {
	rows, err := q.SealedCalendars(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the sealed calendars: %w", err)
	}
	all := make([]Sealed, len(rows))
	for i, row := range rows {
		all[i] = Sealed{WorkspaceID: row.WorkspaceID, Calendar: slotd.Calendar{ID: row.ID, Name: row.Name},
			sealed: row.Sealed}
		if err := json.Unmarshal([]byte(row.Settings), &all[i].Calendar); err != nil {
			return nil, fmt.Errorf("settings of calendar %s: %w", row.Name, err)
		}
	}
	return all, nil
}

// sealedFor names what a credential is sealed for: another calendar cannot open it.
func sealedFor(workspaceID int64, cal *slotd.Calendar) string {
	return fmt.Sprintf("calendar %d %d %s %q %q %q", workspaceID, cal.ID, cal.Type, cal.URL, cal.Username, cal.Calendar)
}
