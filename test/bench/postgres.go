package main

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"slotd/internal/store/testdb"
)

// writesPostgres measures create_booking on PostgreSQL beside pgbench, which runs the very
// statements that the server sends, taken from PostgreSQL's own log.
func (b *bench) writesPostgres() error {
	server, err := testdb.StartPostgres()
	if err != nil {
		fmt.Fprintf(b.out, "create_booking, PostgreSQL: left out, %v\n", err)
		return nil
	}
	b.stops = append(b.stops, testdb.Stop)
	if err := server.Create("bench"); err != nil {
		return err
	}
	database := server.URL("bench")
	shops := b.shops(workspaces, "--database", database, "--data", b.tempDir())
	p := b.slotd(b.tempDir(), "--database", database)
	s := &side{process: p, request: bookings(shops, p.addr), check: isResult}
	s.runFor(b.round)
	s.requests.Store(0)
	s.cpu, s.wall = 0, 0

	pg := &pgbench{binary: filepath.Join(server.Binaries, "pgbench"), database: database, dir: b.tempDir()}
	if err := pg.record(server, shops, p.addr); err != nil {
		return err
	}
	for round := range b.rounds {
		s.runFor(b.round)
		if err := pg.run(round, b.round); err != nil {
			return err
		}
	}
	b.row("create_booking, PostgreSQL", s)
	fmt.Fprintf(b.out, "%-46s %9.0f tx/s   (%d statements a transaction)\n", "  pgbench, the same SQL", pg.perSecond(), pg.statements)
	fmt.Fprintf(b.out, "  ratio: %.2f by transactions/s\n\n", s.perSecond()/pg.perSecond())
	return nil
}

type pgbench struct {
	binary     string
	database   string
	dir        string
	script     string
	statements int
	rates      []float64
}

func (g *pgbench) perSecond() float64 {
	sum := 0.0
	for _, r := range g.rates {
		sum += r
	}
	return sum / float64(len(g.rates))
}

// record books once with statement logging on, and turns that into a script.
func (g *pgbench) record(server *testdb.Cluster, shops []*shop, addr string) error {
	db, err := sql.Open("pgx", g.database)
	if err != nil {
		return err
	}
	defer db.Close()
	logging := func(level string) error {
		for _, s := range []string{"ALTER SYSTEM SET log_statement = '" + level + "'", "SELECT pg_reload_conf()"} {
			if _, err := db.Exec(s); err != nil {
				return err
			}
		}
		time.Sleep(300 * time.Millisecond) // backends read the setting between two statements
		return nil
	}
	if err := logging("all"); err != nil {
		return err
	}
	s := shops[0]
	before, err := os.ReadFile(server.Log)
	if err != nil {
		return err
	}
	start := firstDay().AddDate(0, 0, 60).Add(time.Duration(s.next.Load()) * 5 * time.Minute).UnixMilli()
	if err := isResult(dial(addr).roundTrip(s.book(addr))); err != nil {
		return err
	}
	after, err := os.ReadFile(server.Log)
	if err != nil {
		return err
	}
	ids, err := idsOf(db, shops)
	if err != nil {
		return err
	}
	text, statements := scriptOf(string(after[len(before):]), start, ids)
	g.script, g.statements = filepath.Join(g.dir, "create.sql"), statements
	if err := os.WriteFile(g.script, []byte(text), 0o644); err != nil {
		return err
	}
	return logging("none")
}

// ids are what differs between two workspaces in the server's statements.
type ids struct{ workspace, host, eventType int64 }

func idsOf(db *sql.DB, shops []*shop) ([]ids, error) {
	all := make([]ids, len(shops))
	for i, s := range shops {
		row := db.QueryRow(`SELECT w.id, h.id, e.id FROM workspaces w JOIN hosts h ON h.workspace_id = w.id
			JOIN event_types e ON e.workspace_id = w.id AND e.slug = 'quick' WHERE w.slug = $1`, s.slug)
		if err := row.Scan(&all[i].workspace, &all[i].host, &all[i].eventType); err != nil {
			return nil, err
		}
	}
	return all, nil
}

var (
	logLine   = regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d [^\[]*\[\d+\] `)
	statement = regexp.MustCompile(`(?s)^LOG:  (?:execute [^:]+|statement): (.*)$`)
	parameter = regexp.MustCompile(`\$(\d+) = '((?:[^']|'')*)'`)
)

// scriptOf writes one transaction for pgbench. Times move with :start, the booking's id is made
// of the client's number and its count, the workspace is drawn by lot; everything else stays as the
// server sent it. It is one script for all workspaces, because each client prepares the statements of
// each script anew, which the server has behind it.
func scriptOf(log string, start int64, all []ids) (text string, statements int) {
	var out strings.Builder
	fmt.Fprintf(&out, "\\set k random(0, %d)\n", len(all)-1)
	choose := func(name string, id func(ids) int64) {
		out.WriteString("\\set " + name + " case")
		for k, i := range all {
			fmt.Fprintf(&out, " when :k = %d then %d", k, id(i))
		}
		out.WriteString(" end\n")
	}
	choose("workspace", func(i ids) int64 { return i.workspace })
	choose("host", func(i ids) int64 { return i.host })
	choose("event", func(i ids) int64 { return i.eventType })
	out.WriteString("\\set n :n + 1\n\\set start " + fmt.Sprint(start+400*24*3600*1000) + " + (:client_id * 1000000 + :n) * 300000\n")
	records := logLine.Split(log, -1)
	for i, r := range records {
		m := statement.FindStringSubmatch(strings.TrimSpace(r))
		if m == nil || strings.Contains(m[1], "changed_seq >=") || strings.Contains(m[1], "pg_snapshot_xmin") || strings.HasPrefix(m[1], "ALTER") || strings.HasPrefix(m[1], "-- ping") {
			continue
		}
		query := strings.Join(strings.Fields(strings.ReplaceAll(m[1], "-- name:", "/* name */ --")), " ")
		query = regexp.MustCompile(`/\* name \*/ -- \S+ :\w+ `).ReplaceAllString(query, "")
		if i+1 < len(records) {
			query = substitute(query, records[i+1], start, all[0])
		}
		out.WriteString(query + ";\n")
		statements++
	}
	return out.String(), statements
}

var uuidShape = regexp.MustCompile(`^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`)

func substitute(query, detail string, start int64, own ids) string {
	values := map[string]string{}
	for _, m := range parameter.FindAllStringSubmatch(detail, -1) {
		values["$"+m[1]] = pgbenchValue(m[2], start, own)
	}
	return regexp.MustCompile(`\$\d+`).ReplaceAllStringFunc(query, func(p string) string { return values[p] })
}

func pgbenchValue(value string, start int64, own ids) string {
	if uuidShape.MatchString(value) {
		return "('00000000-0000-7' || lpad((:client_id)::text, 3, '0') || '-8000-' || lpad((:n)::text, 12, '0'))"
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		// pgbench takes a colon for a variable, also inside quotes.
		return "E'" + strings.NewReplacer(`\`, `\\`, ":", `\x3a`).Replace(value) + "'"
	}
	switch n {
	case own.workspace:
		return ":workspace"
	case own.host:
		return ":host"
	case own.eventType:
		return ":event"
	}
	if d := n - start; d > -10*24*3600*1000 && d < 10*24*3600*1000 {
		return fmt.Sprintf("(:start::bigint + (%d))", d)
	}
	return value
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

func (g *pgbench) run(round int, d time.Duration) error {
	seconds := max(1, int(d.Round(time.Second).Seconds()))
	args := []string{"-n", "-M", "prepared", "-c", "16", "-j", "2", "-T", fmt.Sprint(seconds), "-D", fmt.Sprintf("n=%d", round*100_000)}
	out, err := exec.Command(g.binary, append(args, "-f", g.script, g.database)...).CombinedOutput()
	m := tps.FindSubmatch(out)
	if err != nil || m == nil {
		return fmt.Errorf("pgbench: %v: %s", err, out)
	}
	rate, err := strconv.ParseFloat(string(m[1]), 64)
	g.rates = append(g.rates, rate)
	return err
}
