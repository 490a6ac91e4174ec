package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"slotd/internal/store/testdb"
	"slotd/test/harness"
	running "slotd/test/process"
)

// These servers run in this process, so that the race detector sees them.
func TestRace_ManyRequestsWhileTheWorkspaceChanges(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		token := pl.token("acme")
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		inside := &running.Process{Out: &running.Buffer{}, Log: &running.Buffer{}, Ended: make(chan struct{})}
		p := &program{in: strings.NewReader(""), out: inside.Out, err: inside.Log,
			getenv: func(string) (string, bool) { return "", false }}
		go func() {
			defer close(inside.Ended)
			inside.Exit = p.main(ctx, append([]string{"serve", "--listen", "127.0.0.1:0", "--log-level", "debug",
				"--rate-limit", "off"}, pl.flags...))
		}()
		s := &process{Process: &harness.Process{Process: inside}, t: t}
		s.url = "http://" + s.AwaitServing(t)

		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for day := range 3 {
					s.list("acme")
					if text, failed := s.call(token, "create_booking",
						bookingOf("intro", slotIn(2+8*day+i))); failed != "" {
						t.Error(text)
					}
				}
			})
		}
		for i := range 5 {
			if o := pl.apply(edit(t, acme, "Intro call", fmt.Sprintf("Title %d", i))); o.exit != 0 {
				t.Error(o.err)
			}
		}
		all.Wait()
		stop()
		if exit := s.Wait(t); exit != 0 {
			t.Errorf("exit %d: %s", exit, inside.Log)
		}
		if n := pl.rows("SELECT CAST(COUNT(*) AS TEXT) FROM claims"); n[0] != "24" {
			t.Errorf("%s bookings, want 24", n[0])
		}
	})
}

func TestServe_IsNotReadyWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	pl := onPostgres(t)
	s := pl.serve(nil)
	s.awaitOK("GET", "/readyz")
	cluster, err := testdb.StartPostgres()
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(pl.Database)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", cluster.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("DROP DATABASE " + strings.TrimPrefix(target.Path, "/") + " WITH (FORCE)"); err != nil {
		t.Fatal(err)
	}
	if status, body, _ := s.ask("GET", "/readyz", ""); status != 503 {
		t.Errorf("/readyz: %d %s", status, body)
	}
	if status, _, _ := s.ask("GET", "/healthz", ""); status != 200 {
		t.Errorf("/healthz: %d", status)
	}
}

func TestRace_AppliesCreateOneWorkspace(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(other) // creates the tables
		outcomes := make([]outcome, 6)
		var all sync.WaitGroup
		for i := range outcomes {
			all.Go(func() { outcomes[i] = pl.apply(acme) })
		}
		all.Wait()
		created := 0
		for _, o := range outcomes {
			if o.exit != 0 {
				t.Errorf("exit %d: %s", o.exit, o.err)
			}
			created += strings.Count(o.out, "workspace acme: created")
		}
		if created != 1 {
			t.Errorf("%d say that they created it", created)
		}
		pl.mustApply(acme).prints(t, "nothing changed")
	})
}

func TestRace_AppliesOnAnEmptyDatabase(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		outcomes := make([]outcome, 4)
		var all sync.WaitGroup
		for i := range outcomes {
			all.Go(func() { outcomes[i] = pl.apply(acme) })
		}
		all.Wait()
		for _, o := range outcomes {
			if o.exit != 0 {
				t.Errorf("exit %d: %s", o.exit, o.err)
			}
		}
	})
}
