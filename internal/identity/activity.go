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

// Actor is who does something, and from where.
type Actor struct {
	Name    string // "user:12", "token:tok_…", "operator", …
	Address string // of the client; empty: not known
}

// Operator is whoever runs commands on the server itself.
var Operator = Actor{Name: "operator", Address: "terminal"}

// UserActor is an owner on the pages.
func UserActor(userID int64, address string) Actor {
	return Actor{fmt.Sprintf("user:%d", userID), address}
}

// maxDetail bounds what one change can write: the whole of a workspace file would be megabytes.
const maxDetail = 4000

// Note adds to a workspace's activity, in the transaction of what it tells. It takes ids and an owner's own settings,
// never an attendee's data.
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
