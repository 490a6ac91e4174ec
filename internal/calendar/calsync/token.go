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

// keepToken replaces the stored token by a fresh one. If another server was quicker, its token stays
// and ours serves this time only; if the stored one was merely sealed anew, ours takes its place.
func (s *Service) keepToken(ctx context.Context, src *source, old, fresh *oauth2.Token) error {
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
	if err == nil || errors.Is(err, sql.ErrNoRows) { // none: it was disconnected
		return nil
	}
	s.Log.Error("the fresh token of a calendar cannot be kept", "workspace", src.workspaceID, "calendar",
		src.calendar.Name, "error", err)
	return fmt.Errorf("keep the fresh token of calendar %d: %w", src.calendar.ID, err)
}

// hasOtherToken reports whether another server has stored a token since ours was loaded: of two that
// refresh the same one at once, some services only serve the first.
func (s *Service) hasOtherToken(ctx context.Context, src *source) bool {
	row, err := s.DB.Read().Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: src.workspaceID, ID: src.calendar.ID})
	return err == nil && !bytes.Equal(row.Sealed, src.sealed)
}
