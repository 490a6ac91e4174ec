package load

import (
	"database/sql"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"slotd/test/await"
)

// job is one entry of slotd jobs list.
type job struct {
	ID        string
	Kind      string
	State     string
	Due       time.Time
	Next      time.Time
	Failures  int
	LastError string `json:"last_error"`
}

// changeJobs returns the jobs that mail about a change, without reminders.
func (d *deployment) changeJobs(t *testing.T, flags ...string) []job {
	t.Helper()
	return slices.DeleteFunc(d.jobs(t, flags...), func(j job) bool { return j.Kind != "tell" })
}

func (d *deployment) jobs(t *testing.T, flags ...string) (jobs []job) {
	t.Helper()
	out := d.Run(t, append([]string{"jobs", "list", "--json"}, flags...)...)
	if err := json.Unmarshal([]byte(out), &jobs); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return jobs
}

// waiting counts the jobs that have not been given up.
func waiting(jobs []job) (n int) {
	for _, j := range jobs {
		if j.State == "waiting" {
			n++
		}
	}
	return n
}

// failures returns how often each mail about a change has failed. It reads the table, because starting the command
// again and again would slow down the server.
func (d *deployment) failures(t *testing.T) map[string]int {
	t.Helper()
	db := d.DB(t)
	defer db.Close()
	rows, err := db.Query(`SELECT id, failures FROM jobs WHERE kind = 'tell'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	failures := map[string]int{}
	for rows.Next() {
		var id string
		var n int
		if err := rows.Scan(&id, &n); err != nil {
			t.Fatal(err)
		}
		failures[id] = n
	}
	return failures
}

// awaitFailures waits until every waiting mail has failed more often than before. There must be one.
func (d *deployment) awaitFailures(t *testing.T, before map[string]int) {
	t.Helper()
	await.True(t, "every mail is tried", func() bool {
		failures := d.failures(t)
		for id, n := range failures {
			if n <= before[id] {
				return false
			}
		}
		return len(failures) > 0
	})
}

// lease is how long a claimed job belongs to its server.
const lease = time.Minute

// awaitIdle waits until no job is due or running. It reads the table, as failures does. A running job runs again at the
// end of its lease.
func (d *deployment) awaitIdle(t *testing.T) {
	t.Helper()
	db := d.DB(t)
	defer db.Close() // with nobody else on the file, the next server recovers it as it does after a crash
	await.True(t, "nothing is due or being done", func() bool {
		var next sql.NullInt64
		if err := db.QueryRow(`SELECT MIN(run_at) FROM jobs WHERE failed_at = 0`).Scan(&next); err != nil {
			t.Fatal(err)
		}
		soon := d.Now().Add(lease) // taken after the query, so no lease in it ends later
		return !next.Valid || !time.UnixMilli(next.Int64).Before(soon)
	})
}

// exitCode runs a command, which may fail, and returns its exit code.
func (d *deployment) exitCode(t *testing.T, args ...string) int {
	t.Helper()
	_, exit := d.Try("", args...)
	return exit
}
