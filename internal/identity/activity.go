package identity

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Actor is the originator of an action: who it is and where the request came from.
type Actor struct {
	Name    string // "user:12", "token:tok_…", "operator", …
	Address string // of the client; empty if unknown
}

// Operator is the actor for commands that run on the server itself.
var Operator = Actor{Name: "operator", Address: "terminal"}

// UserActor returns the actor for an owner who uses the web pages.
func UserActor(userID int64, address string) Actor {
	return Actor{fmt.Sprintf("user:%d", userID), address}
}

// maxDetail limits the bytes that one entry can store: a whole workspace file would be megabytes.
const maxDetail = 4000

// RecordActivity adds an entry to a workspace's activity log, in the same transaction as the change it describes. The
// entry may contain ids and an owner's own settings, never an attendee's data.
func RecordActivity(ctx context.Context, tx *store.Tx, workspaceID int64, by Actor, kind, detail string,
	now time.Time) error {
	if len(detail) > maxDetail {
		detail = strings.ToValidUTF8(detail[:maxDetail], "") + " …"
	}
	err := tx.InsertActivity(ctx, sqlcgen.InsertActivityParams{
		WorkspaceID: workspaceID, At: now.UnixMilli(), ID: rand.Int64(), Actor: by.Name, Kind: kind, Detail: detail,
		Address: by.Address,
	})
	if err != nil {
		return fmt.Errorf("note that %s: %w", kind, err)
	}
	return nil
}
