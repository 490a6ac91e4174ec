package main

import (
	"database/sql"
	"fmt"
	"path/filepath"

	_ "modernc.org/sqlite"
)

// growth measures get_availability in workspaces with more and more bookings outside the requested range.
func (b *bench) growth() error {
	sizes := []int{100, 10_000, b.largest}
	dirs, shops := make([]string, len(sizes)), make([][]*shop, len(sizes))
	for i, n := range sizes {
		dirs[i] = b.tempDir()
		shops[i] = b.shops(1, "--data", dirs[i])
		if err := seed(filepath.Join(dirs[i], "slotd.db"), n); err != nil {
			return fmt.Errorf("seed %d bookings: %w", n, err)
		}
	}
	sides := make([]*side, len(sizes))
	for i := range sizes {
		p := b.slotd(dirs[i])
		sides[i] = &side{process: p, request: mixed(shops[i], p.addr), check: isResult}
		sides[i].runFor(b.round) // loads the snapshot
		sides[i].requests.Store(0)
		sides[i].cpu, sides[i].wall = 0, 0
	}
	for range b.rounds {
		for _, s := range sides {
			s.runFor(b.round)
		}
	}
	for i, s := range sides {
		b.row(fmt.Sprintf("get_availability, %d bookings elsewhere", sizes[i]), s)
	}
	last := sides[len(sides)-1]
	fmt.Fprintf(b.out, "  %d bookings cost %.2f × the CPU of 100\n\n", b.largest,
		last.cpuPerRequest()/sides[0].cpuPerRequest())
	return nil
}

// seed inserts n bookings of one minute: half of them past, half two years ahead. They do not overlap, so it drops the
// trigger that rejects overlaps while it inserts.
func seed(file string, n int) error {
	db, err := sql.Open("sqlite", file+"?_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var trigger string
	if err := db.QueryRow(`SELECT sql FROM sqlite_master WHERE name = 'claims_overlap_insert'`).Scan(&trigger); err != nil {
		return err
	}
	const day = 24 * 3600 * 1000
	future := firstDay().UnixMilli() + 700*day
	rows := fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d),
		b AS (SELECT printf('%%08x-0000-7000-8000-%%012x', i, i) AS id,
			CASE WHEN i %% 2 = 0 THEN %d + i * 30000 ELSE %d - i * 30000 END AS at,
			w.id AS workspace, h.id AS host, e.id AS event_type
			FROM n, workspaces w, hosts h, event_types e WHERE e.slug = 'quick')`, n-1, future, firstDay().UnixMilli()-30*day)
	for _, statement := range []string{
		`DROP TRIGGER claims_overlap_insert`,
		rows + `INSERT INTO bookings (workspace_id, id, host_id, event_type_id, state, starts_at, ends_at, host_wall, host_zone, buffer_before_minutes, buffer_after_minutes,
			event_title, location, join_url, terms, refunded_cents, sequence, attendee_name, attendee_email, attendee_time_zone, notes, created_at)
			SELECT workspace, id, host, event_type, 'confirmed', at, at + 60000, '', 'UTC', 0, 0, 'Quick', 'Video call', '',
			'{"reminders_minutes_before":[]}', 0, 0, 'Grace Okafor', 'grace@bench.example', 'UTC', '', 0 FROM b`,
		rows + `INSERT INTO claims SELECT workspace, host, id, event_type, at, at, at + 60000, 0 FROM b`,
		trigger,
	} {
		if _, err := db.Exec(statement); err != nil {
			return err
		}
	}
	return nil
}
