package calsync

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"golang.org/x/oauth2"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// saveToken replaces the stored token with a fresh one. If another server was faster, its token stays, and ours is
// used only this time. If the stored one was merely sealed again, ours replaces it.
func (s *Service) saveToken(ctx context.Context, src *source, old, fresh *oauth2.Token) error {
	sealed, err := workspace.Credential{Token: fresh}.Seal(s.Keys, src.workspaceID, &src.calendar)
	if err != nil {
		return err
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: src.workspaceID, ID: src.calendar.ID})
		if err != nil {
			return err
		}
		stored, err := workspace.OpenCredential(s.Keys, src.workspaceID, &src.calendar, row.Sealed)
		if err != nil || stored.Token == nil || stored.Token.RefreshToken != old.RefreshToken {
			return err
		}
		_, err = tx.SealCalendar(ctx, sqlcgen.SealCalendarParams{WorkspaceID: src.workspaceID, ID: src.calendar.ID,
			Sealed: sealed, Sealed_2: row.Sealed})
		return err
	})
	if err == nil || errors.Is(err, sql.ErrNoRows) { // no rows: it was disconnected
		return nil
	}
	s.Log.Error("the fresh token of a calendar cannot be kept", "workspace", src.workspaceID, "calendar",
		src.calendar.Name, "error", err)
	return fmt.Errorf("keep the fresh token of calendar %d: %w", src.calendar.ID, err)
}

// hasOtherToken reports whether another server has stored a token since ours was loaded: if two servers refresh the
// same token at once, some services accept only the first.
func (s *Service) hasOtherToken(ctx context.Context, src *source) bool {
	row, err := s.DB.Read().Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: src.workspaceID, ID: src.calendar.ID})
	return err == nil && !bytes.Equal(row.Sealed, src.sealed)
}
