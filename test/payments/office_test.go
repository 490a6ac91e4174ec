package payments

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

// workspace offers every hour of the day, so that no test depends on the time at which it runs.
const workspace = `
workspace: {slug: acme, name: Acme, time_zone: UTC}
host: {name: Ada, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["00:00-24:00"], tue: ["00:00-24:00"], wed: ["00:00-24:00"], thu: ["00:00-24:00"], fri: ["00:00-24:00"], sat: ["00:00-24:00"], sun: ["00:00-24:00"]}}}
event_types:
  - {slug: free, title: Chat, duration_minutes: 60, location: {type: video}, reminders_minutes_before: []}
  - {slug: usd, title: Advice, duration_minutes: 60, location: {type: video}, reminders_minutes_before: [], price: {amount_cents: 5000, currency: usd}, refund_policy: {full_until_hours_before: 24}}
  - {slug: eur, title: Beratung, duration_minutes: 60, location: {type: video}, reminders_minutes_before: [], price: {amount_cents: 4999, currency: eur}}
  - {slug: jpy, title: Soudan, duration_minutes: 60, location: {type: video}, reminders_minutes_before: [], price: {amount_cents: 500, currency: jpy}}
  - {slug: kwd, title: Istishara, duration_minutes: 60, location: {type: video}, reminders_minutes_before: [], price: {amount_cents: 12340, currency: kwd}}
`

// office is a workspace as its guests, its host and its operator use it.
type office struct {
	*deployment
	t         *testing.T
	token     string
	forms     []string          // form tokens from pages
	prices    map[string]string // prices from pages, by event type
	responses strings.Builder   // all responses of the server
}

func (d *deployment) office(t *testing.T) *office {
	t.Helper()
	d.Apply(t, workspace)
	return &office{deployment: d, t: t, prices: map[string]string{}, token: d.Token(t, "acme")}
}

var firstDay = time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 3)

// slot returns the start of hour n, counted from midnight three days ahead.
func slot(n int) time.Time { return firstDay.Add(time.Duration(n) * time.Hour) }

func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func guestOf(n int) string { return fmt.Sprintf("guest%d@example.com", n) }

// answer is the result of a tool.
type answer struct {
	Slots    []string
	Refunded int64 `json:"refunded_cents"`
	Error    struct{ Code string }
}

func (o *office) call(s *harness.Server, tool string, arguments map[string]any) answer {
	o.t.Helper()
	a, err := o.tryCall(s, tool, arguments)
	if err != nil {
		o.t.Fatal(err)
	}
	return a
}

// tryCall is like call, for a server that may be killed before it responds.
func (o *office) tryCall(s *harness.Server, tool string, arguments map[string]any) (a answer, err error) {
	o.t.Helper()
	r, err := harness.ToolRequest(s.URL, o.token, tool, arguments)
	if err != nil {
		o.t.Fatal(err)
	}
	_, text, _ := o.do(r)
	return a, harness.ToolResult([]byte(text), &a)
}

// do sends a request and follows no redirects. The status is 0 if there is no response.
func (o *office) do(r *http.Request) (status int, text string, header http.Header) {
	o.t.Helper()
	client := &http.Client{Timeout: await.Patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := client.Do(r)
	if err != nil {
		return 0, err.Error(), nil
	}
	defer got.Body.Close()
	all, err := io.ReadAll(got.Body)
	if err != nil {
		return 0, err.Error(), nil
	}
	o.responses.Write(all)
	return got.StatusCode, string(all), got.Header
}

// isOpen reports whether the endpoint and the page offer hour n.
func (o *office) isOpen(s *harness.Server, n int) (endpoint, page bool) {
	o.t.Helper()
	day := slot(n).Format(time.DateOnly)
	a := o.call(s, "get_availability",
		map[string]any{"workspace": "acme", "event_type": "usd", "start_date": day, "days": 1})
	_, text := o.open(s.URL + "/acme/usd?tz=UTC&date=" + day)
	return slices.Contains(a.Slots, instant(slot(n))), strings.Contains(text, "?slot="+instant(slot(n)))
}

// wantReconciled checks with the reconcile command that Stripe and the ledger agree.
func (o *office) wantReconciled() {
	o.t.Helper()
	if output, exit := o.Try("", "payments", "reconcile", "--workspace", "acme"); exit != 0 {
		o.t.Errorf("reconcile: exit %d, %s", exit, output)
	}
}

// mails returns the names of the mails about a booking, or about all bookings if it is "*".
func (o *office) mails(booking string) (names []string) {
	o.t.Helper()
	found, err := filepath.Glob(filepath.Join(o.Data, "outbox", booking+".*.eml"))
	if err != nil {
		o.t.Fatal(err)
	}
	for _, path := range found {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), booking+"."), ".eml"))
	}
	return names
}

var (
	bookedMails   = []string{"0.booked.attendee", "0.booked.host"}
	canceledMails = []string{"0.booked.attendee", "0.booked.host", "1.canceled.attendee", "1.canceled.host"}
)

func (o *office) awaitMails(booking string, want []string) {
	o.t.Helper()
	await.True(o.t, fmt.Sprint("the mails ", want), func() bool { return slices.Equal(o.mails(booking), want) })
}

// read returns a mail's text. It decodes soft line breaks only, which is enough for ASCII.
func (o *office) read(booking, name string) string {
	o.t.Helper()
	text, err := os.ReadFile(filepath.Join(o.Data, "outbox", booking+"."+name+".eml"))
	if err != nil {
		o.t.Fatal(err)
	}
	return softBreak.ReplaceAllString(string(text), "")
}

var softBreak = regexp.MustCompile(`=\r?\n`)
