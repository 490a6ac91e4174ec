package store_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

// table describes a table in terms that both databases can report.
type table struct {
	columns []string // name, type and whether it is NOT NULL, in order
	key     []string // the primary key's columns, in order
}

func sameTables(a, b map[string]table) bool {
	return maps.EqualFunc(a, b, func(a, b table) bool {
		return slices.Equal(a.columns, b.columns) && slices.Equal(a.key, b.key)
	})
}

func catalog(t *testing.T, db *store.DB) map[string]table {
	t.Helper()
	query := `SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`
	if db.IsPostgres() {
		query = `SELECT c.table_name, c.column_name, c.data_type, CASE c.is_nullable WHEN 'NO' THEN 1 ELSE 0 END, COALESCE((
				SELECT k.ordinal_position FROM information_schema.table_constraints p
				JOIN information_schema.key_column_usage k ON k.constraint_name = p.constraint_name AND k.table_schema = p.table_schema
				WHERE p.constraint_type = 'PRIMARY KEY' AND p.table_schema = 'public' AND p.table_name = c.table_name AND k.column_name = c.column_name), 0)
			FROM information_schema.columns c WHERE c.table_schema = 'public' ORDER BY c.table_name, c.ordinal_position`
	}
	rows, err := db.Reader().Query(query)
	must(t, err)
	defer rows.Close()
	tables, keys := map[string]table{}, map[string]map[string]int{}
	for rows.Next() {
		var name, column, kind string
		var required, position int
		must(t, rows.Scan(&name, &column, &kind, &required, &position))
		// SQLite does not report NOT NULL for the column of a single-column primary key.
		notNull := required == 1 || position > 0
		entry := tables[name]
		entry.columns = append(entry.columns, fmt.Sprintf("%s %s %t", column, strings.ToLower(kind), notNull))
		if position > 0 {
			if keys[name] == nil {
				keys[name] = map[string]int{}
			}
			keys[name][column] = position
			entry.key = slices.SortedFunc(maps.Keys(keys[name]),
				func(a, b string) int { return cmp.Compare(keys[name][a], keys[name][b]) })
		}
		tables[name] = entry
	}
	must(t, rows.Err())
	return tables
}

func TestSchema_IsTheSameOnBothDatabases(t *testing.T) {
	lite, pg := catalog(t, testdb.Open(t, testdb.SQLite(t))), catalog(t, testdb.Open(t, testdb.Postgres(t)))
	if len(lite) < 10 {
		t.Fatalf("found only %d tables", len(lite))
	}
	if got, want := slices.Sorted(maps.Keys(pg)), slices.Sorted(maps.Keys(lite)); !slices.Equal(got, want) {
		t.Errorf("tables on PostgreSQL %v, on SQLite %v", got, want)
	}
	for name := range lite {
		if !slices.Equal(lite[name].columns, pg[name].columns) {
			t.Errorf("%s on PostgreSQL: %v\non SQLite: %v", name, pg[name].columns, lite[name].columns)
		}
		if !slices.Equal(lite[name].key, pg[name].key) {
			t.Errorf("%s has the key %v on PostgreSQL and %v on SQLite", name, pg[name].key, lite[name].key)
		}
	}
}

// directory lists the tables that find a workspace or belong to the whole deployment.
var directory = []string{"settings", "link_keys", "workspaces", "tokens", "users", "passkeys", "sessions", "tickets",
	"stripe_events", "schema_version", "schema_steps"}

func TestSchema_EveryKeyStartsWithTheWorkspace(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		for name, table := range catalog(t, db) {
			if slices.Contains(directory, name) {
				continue
			}
			if len(table.key) == 0 || table.key[0] != "workspace_id" {
				t.Errorf("%s has the primary key %v", name, table.key)
			}
		}
	})
}

// Unique keys and indexes start with the workspace too, so that the tables can be sharded by workspace.
func TestSchema_EveryIndexStartsWithTheWorkspace(t *testing.T) {
	db := testdb.Open(t, testdb.SQLite(t))
	rows, err := db.Reader().Query(`SELECT m.name, i.name, c.name FROM sqlite_master m JOIN pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c
		WHERE m.type = 'table' AND c.seqno = 0`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var table, index, column string
		must(t, rows.Scan(&table, &index, &column))
		// These indexes serve queries across workspaces: which workspaces changed or have jobs that are due or late,
		// whose payment it is, and a user's memberships.
		if slices.Contains(directory, table) ||
			slices.Contains([]string{"workspace_versions_changed", "jobs_due", "jobs_retried", "checkouts_payment",
				"checkouts_session", "members_user"}, index) {
			continue
		}
		if column != "workspace_id" {
			t.Errorf("%s: the index %s starts with %s", table, index, column)
		}
	}
	must(t, rows.Err())
}

// acrossWorkspaces lists the queries that read all workspaces on purpose. Most of them serve the operator.
var acrossWorkspaces = []string{"ChangedVersions", "WorkspacesWithDueJobs", "Jobs", "PlaceOfJob", "RetryFailedJobs",
	"DropFailedJobs", "OldestDueJob", "OldestRetriedJob", "CountFailedJobs", "SealedCalendars", "PullJobs", "CheckoutBySession", "CheckoutByPayment", "SealedPaymentAccounts", "WorkspacesOfUser"}

func TestQueries_EachStaysInsideOneWorkspace(t *testing.T) {
	text, err := os.ReadFile("queries.sql")
	must(t, err)
	names := regexp.MustCompile(`(?m)^-- name: (\w+) :\w+$`)
	uses := regexp.MustCompile(`(?i)\b(?:FROM|INTO|UPDATE|JOIN)\s+(\w+)`)
	insert := regexp.MustCompile(`(?is)^INTO\s+\w+\s*\(\s*workspace_id\b.*?\)\s*(VALUES|SELECT)\s*\(?\s*\$1\b`)
	where := regexp.MustCompile(`(?is)\bWHERE\b.*?\bworkspace_id = \$1\b`)
	inWorkspace := func(s string) bool {
		return where.MatchString(s) &&
			!regexp.MustCompile(`(?i)\bOR\b`).MatchString(s)
	}
	known := catalog(t, testdb.Open(t, testdb.SQLite(t)))
	found := names.FindAllStringSubmatchIndex(string(text), -1)
	if len(found) < 30 {
		t.Fatalf("found only %d queries", len(found))
	}
	for i, at := range found {
		name, end := string(text[at[2]:at[3]]), len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		query := strings.ReplaceAll(string(text[at[1]:end]), "DO UPDATE SET", "DO CHANGE")
		tables := uses.FindAllStringSubmatchIndex(query, -1)
		if len(tables) == 0 {
			t.Errorf("%s uses no table", name)
		}
		for j, use := range tables {
			table, until := query[use[2]:use[3]], len(query)
			if j+1 < len(tables) {
				until = tables[j+1][0]
			}
			if _, ok := known[table]; !ok {
				t.Errorf("%s: %q is no table", name, table)
			}
			if slices.Contains(directory, table) || slices.Contains(acrossWorkspaces, name) {
				continue
			}
			if part := query[use[0]:until]; !inWorkspace(part) && !insert.MatchString(part) {
				t.Errorf("%s uses %s without its workspace_id: %s", name, table, part)
			}
		}
	}
}
