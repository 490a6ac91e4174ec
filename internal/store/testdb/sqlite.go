package testdb

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/sqlite"

	"slotd/test/await"
)

// fileName is the name of every test's SQLite file.
const fileName = "slotd.db"

// SQLite returns the path of a SQLite file that does not exist yet.
func SQLite(t testing.TB) string { return filepath.Join(t.TempDir(), fileName) }

// Connections to such a file wait for each other with the tests' patience: on a busy machine a write can take longer
// than the five seconds that the program waits, and a connection that a test opens by itself would not wait at all.
func init() {
	pragma := fmt.Sprintf("PRAGMA busy_timeout = %d", await.Patience.Milliseconds())
	sqlite.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, dsn string) error {
		if !strings.Contains(dsn, fileName) {
			return nil
		}
		_, err := conn.ExecContext(context.Background(), pragma, nil)
		return err
	})
}
