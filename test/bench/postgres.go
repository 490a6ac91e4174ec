package main

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"slotd/internal/store/testdb"
)

// writesPostgres measures create_booking on PostgreSQL against pgbench, which runs the same statements that the server
// sends, taken from PostgreSQL's own log.
func (b *bench) writesPostgres() error {
	testdb.Durable = true
	server, err := testdb.StartPostgres()
	if err != nil {
		fmt.Fprintf(b.out, "create_booking, PostgreSQL: left out, %v\n", err)
		return nil
	}
	b.cleanups = append(b.cleanups, testdb.Stop)
	if err := server.Create("bench"); err != nil {
		return err
	}
	database := server.URL("bench")
	shops := b.shops(workspaces, "--database", database, "--data", b.tempDir())
	p := b.slotd(b.tempDir(), "--database", database)
	// Record the script while the server is idle: after a load it keeps sending mails for a long time.
	pg := &pgbench{binary: filepath.Join(server.Binaries, "pgbench"), database: database, dir: b.tempDir()}
	if err := pg.record(server, shops, p.addr); err != nil {
		return err
	}
	s := &side{process: p, request: bookings(shops, p.addr), check: isResult}
	s.runFor(b.round)
	s.requests.Store(0)
	s.cpu, s.wall = 0, 0

	for round := range b.rounds {
		s.runFor(b.round)
		if err := pg.run(round, b.round); err != nil {
			return err
		}
	}
	b.row("create_booking, PostgreSQL", s)
	fmt.Fprintf(b.out, "%-46s %9.0f tx/s   (%d statements a transaction)\n", "  pgbench, the same SQL", pg.perSecond(),
		pg.statements)
	fmt.Fprintf(b.out, "  ratio: %.2f by transactions/s\n\n", s.perSecond()/pg.perSecond())
	return nil
}

// pgbench is PostgreSQL's benchmark with the script that record makes.
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

// recordings is the number of bookings that record makes. One is enough if nothing disturbs it.
const recordings = 20

// record makes bookings with statement logging on and turns the log into a script. The log also holds what else the
// server does at that moment: the first booking loads the workspace, and the jobs of the previous one may still run.
// That can only add statements, so the shortest recording holds what a booking itself sends.
func (g *pgbench) record(server *testdb.Cluster, shops []*shop, addr string) error {
	db, err := sql.Open("pgx", g.database)
	if err != nil {
		return err
	}
	defer db.Close()
	all, err := idsOf(db, shops)
	if err != nil {
		return err
	}
	logging := func(level string) error {
		for _, s := range []string{"ALTER SYSTEM SET log_statement = '" + level + "'", "SELECT pg_reload_conf()"} {
			if _, err := db.Exec(s); err != nil {
				return err
			}
		}
		return nil
	}
	if err := logging("all"); err != nil {
		return err
	}
	shortest := ""
	for range recordings {
		time.Sleep(300 * time.Millisecond) // until backends read the setting and jobs end
		text, statements, err := recordOne(db, server.Log, shops[0], addr, all)
		if err != nil {
			return err
		}
		if shortest == "" || statements < g.statements {
			shortest, g.statements = text, statements
		}
	}
	g.script = filepath.Join(g.dir, "create.sql")
	if err := os.WriteFile(g.script, []byte(shortest), 0o644); err != nil {
		return err
	}
	return logging("none")
}

// recordOne books in shop s, which must belong to all[0], and returns a script of what was logged meanwhile.
func recordOne(db *sql.DB, log string, s *shop, addr string, all []ids) (text string, statements int, err error) {
	before, err := os.ReadFile(log)
	if err != nil {
		return "", 0, err
	}
	began := time.Now()
	start := firstDay().AddDate(0, 0, 60).Add(time.Duration(s.next.Load()) * 5 * time.Minute).UnixMilli()
	if err := isResult(dial(addr).roundTrip(s.book(addr))); err != nil {
		return "", 0, err
	}
	after, err := os.ReadFile(log)
	if err != nil {
		return "", 0, err
	}
	randomIDs, err := randomIDsSince(db, all[0].workspace, began)
	if err != nil {
		return "", 0, err
	}
	text, statements = scriptOf(string(after[len(before):]), start, all, randomIDs)
	return text, statements, nil
}

// randomIDsSince finds the random ids that the server gave to a workspace's activity rows.
func randomIDsSince(db *sql.DB, workspace int64, began time.Time) (randomIDs []int64, err error) {
	rows, err := db.Query(`SELECT id FROM activity WHERE workspace_id = $1 AND at >= $2`, workspace, began.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		randomIDs = append(randomIDs, id)
	}
	return randomIDs, rows.Err()
}

// ids holds the ids that differ between two workspaces in the server's statements.
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

// scriptOf writes one transaction for pgbench. Times are relative to :start, the booking's id consists of the client's
// number and its counter, the workspace is random, and so is each id that the server chose at random; everything else
// stays as the server sent it. There is one script for all workspaces, because each client prepares the statements of
// each script again, while the server has already prepared them.
func scriptOf(log string, start int64, all []ids, randomIDs []int64) (text string, statements int) {
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
	out.WriteString("\\set n :n + 1\n\\set start " + fmt.Sprint(start+400*24*3600*1000) +
		" + (:client_id * 1000000 + :n) * 300000\n")
	for i := range randomIDs {
		fmt.Fprintf(&out, "\\set drawn%d random(1, %d)\n", i, math.MaxInt64)
	}
	records := logLine.Split(log, -1)
	for i, r := range records {
		m := statement.FindStringSubmatch(strings.TrimSpace(r))
		if m == nil {
			continue
		}
		query := strings.Join(strings.Fields(strings.ReplaceAll(m[1], "-- name:", "/* name */ --")), " ")
		query = regexp.MustCompile(`/\* name \*/ -- \S+ :\w+ `).ReplaceAllString(query, "")
		if i+1 < len(records) {
			query = substitute(query, records[i+1], start, all[0], randomIDs)
		}
		out.WriteString(query + ";\n")
		statements++
	}
	return out.String(), statements
}

var uuidShape = regexp.MustCompile(`^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`)

func substitute(query, detail string, start int64, own ids, randomIDs []int64) string {
	values := map[string]string{}
	for _, m := range parameter.FindAllStringSubmatch(detail, -1) {
		values["$"+m[1]] = pgbenchValue(m[2], start, own, randomIDs)
	}
	return regexp.MustCompile(`\$\d+`).ReplaceAllStringFunc(query, func(p string) string { return values[p] })
}

func pgbenchValue(value string, start int64, own ids, randomIDs []int64) string {
	if uuidShape.MatchString(value) {
		return "('00000000-0000-7' || lpad((:client_id)::text, 3, '0') || '-8000-' || lpad((:n)::text, 12, '0'))"
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		// pgbench treats a colon as the start of a variable, even inside quotes.
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
	if i := slices.Index(randomIDs, n); i >= 0 {
		return fmt.Sprintf(":drawn%d", i)
	}
	if d := n - start; d > -10*24*3600*1000 && d < 10*24*3600*1000 {
		return fmt.Sprintf("(:start::bigint + (%d))", d)
	}
	return value
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

func (g *pgbench) run(round int, d time.Duration) error {
	seconds := max(1, int(d.Round(time.Second).Seconds()))
	args := []string{"-n", "-M", "prepared", "-c", "16", "-j", "2", "-T", fmt.Sprint(seconds), "-D",
		fmt.Sprintf("n=%d", round*100_000)}
	out, err := exec.Command(g.binary, append(args, "-f", g.script, g.database)...).CombinedOutput()
	m := tps.FindSubmatch(out)
	if err != nil || m == nil {
		return fmt.Errorf("pgbench: %v: %s", err, out)
	}
	rate, err := strconv.ParseFloat(string(m[1]), 64)
	g.rates = append(g.rates, rate)
	return err
}
