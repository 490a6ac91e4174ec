package public

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestHome_SaysWhereToBeginWhileNobodyOwnsTheServer(t *testing.T) {
	w := newSQLiteWorld(t)
	unowned, broken := true, error(nil)
	w.Unowned = func(context.Context) (bool, error) { return unowned, broken }
	if page := w.get("/").Is(200).Page().Words(); !strings.Contains(page, "This server isn't set up yet") ||
		!strings.Contains(page, "link that slotd serve printed") || strings.Contains(page, "Sign in") {
		t.Error(page)
	}
	unowned = false
	if page := w.get("/").Is(200).Page().Words(); !strings.Contains(page, "This is a scheduling server") ||
		!strings.Contains(page, "Sign in") {
		t.Error(page)
	}
	w.captureLog()
	broken = errors.New("no database")
	w.get("/").Is(500)
}
