package load

import (
	"testing"

	"slotd/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m, 8) }

// deployment is a database with the workspace acme, on which the tests start and stop servers.
type deployment struct {
	*harness.Deployment
	token string
}

// eachDeployment runs the test on a SQLite file and on PostgreSQL, with the workspace applied.
func eachDeployment(t *testing.T, workspace string, test func(t *testing.T, d *deployment)) {
	harness.Each(t, func(t *testing.T, d *harness.Deployment) { test(t, deploy(t, d, workspace)) })
}

func onSQLite(t *testing.T, workspace string) *deployment {
	t.Helper()
	return deploy(t, harness.OnSQLite(t), workspace)
}

func onPostgres(t *testing.T, workspace string) *deployment {
	t.Helper()
	return deploy(t, harness.OnPostgres(t), workspace)
}

func deploy(t *testing.T, d *harness.Deployment, workspace string) *deployment {
	t.Helper()
	d.Apply(t, workspace)
	return &deployment{d, d.Token(t, "acme")}
}

// sendThrough makes servers that start from now on send their mails through the mail server. Without one, mails go to
// the outbox.
func (d *deployment) sendThrough(mails *mailServer) {
	d.Setenv("SLOTD_SMTP", "smtp://"+mails.addr)
	d.Setenv("SLOTD_MAIL_FROM", "bookings@acme.example")
}

// withMailServer returns a deployment on SQLite with a mail server of its own.
func withMailServer(t *testing.T) (*deployment, *mailServer) {
	t.Helper()
	d, mails := onSQLite(t, allDay), startMailServer(t)
	d.sendThrough(mails)
	return d, mails
}
