package load

import (
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"testing"
	"time"
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
	out := d.command(t, "", append([]string{"jobs", "list", "--json"}, flags...)...)
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

func failures(jobs []job) (n int) {
	for _, j := range jobs {
		n += j.Failures
	}
	return n
}

// lease is how long a claimed job belongs to its server.
const lease = time.Minute

// awaitIdle waits until no job is due or running. A running job is listed with the end of its lease.
func (d *deployment) awaitIdle(t *testing.T) {
	t.Helper()
	eventually(t, "nothing is due or being done", func() bool {
		listed := d.jobs(t)
		soon := d.now().Add(lease) // taken after the list, so no lease in it ends later
		return !slices.ContainsFunc(listed, func(j job) bool { return j.State == "waiting" && j.Next.Before(soon) })
	})
}

// exitCode runs a command, which may fail, and returns its exit code.
func (d *deployment) exitCode(t *testing.T, args ...string) int {
	t.Helper()
	err := d.program(args...).Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return 0
}
