package payments

import (
	"encoding/json"
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
)

// The host works day and night, so that no test depends on the hour it runs at.
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
	t      *testing.T
	token  string
	forms  []string          // of guests, taken from pages
	prices map[string]string // by event type, taken from there too
	heard  strings.Builder   // all that the server answered
}

func (d *deployment) office(t *testing.T) *office {
	t.Helper()
	d.command(t, workspace, "apply", "-f", "-")
	return &office{deployment: d, t: t, prices: map[string]string{},
		token: d.command(t, "", "token", "create", "--workspace", "acme", "--name", "test")}
}

var firstDay = time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 3)

// slot is the hour with this number, three days ahead and more.
func slot(n int) time.Time { return firstDay.Add(time.Duration(n) * time.Hour) }

func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func guestOf(n int) string { return fmt.Sprintf("guest%d@example.com", n) }

// answer is what a tool answered.
type answer struct {
	Slots    []string
	Refunded int64 `json:"refunded_cents"`
	Error    struct{ Code string }
}

func (o *office) call(s *server, tool string, arguments map[string]any) answer {
	o.t.Helper()
	a, err := o.tryCall(s, tool, arguments)
	if err != nil {
		o.t.Fatal(err)
	}
	return a
}

// tryCall is call for a server that may not live to answer.
func (o *office) tryCall(s *server, tool string, arguments map[string]any) (a answer, err error) {
	o.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		o.t.Fatal(err)
	}
	r, err := http.NewRequest("POST", s.url+"/api/mcp", strings.NewReader(string(body)))
	if err != nil {
		o.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+o.token)
	status, text, _ := o.ask(r)
	var envelope struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(text), &envelope); err != nil || len(envelope.Result.Content) == 0 ||
		json.Unmarshal([]byte(envelope.Result.Content[0].Text), &a) != nil {
		return a, fmt.Errorf("%s: %d %s", tool, status, text)
	}
	return a, nil
}

// ask sends a request and follows no redirects. A status of 0 is no answer.
func (o *office) ask(r *http.Request) (status int, text string, header http.Header) {
	o.t.Helper()
	client := &http.Client{Timeout: patience,
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
	o.heard.Write(all)
	return got.StatusCode, string(all), got.Header
}

// isOpen reports whether an hour is offered by the endpoint, and on the page.
func (o *office) isOpen(s *server, n int) (endpoint, page bool) {
	o.t.Helper()
	day := slot(n).Format(time.DateOnly)
	a := o.call(s, "get_availability",
		map[string]any{"workspace": "acme", "event_type": "usd", "start_date": day, "days": 1})
	_, text := o.open(s.url + "/acme/usd?tz=UTC&date=" + day)
	return slices.Contains(a.Slots, instant(slot(n))), strings.Contains(text, "?slot="+instant(slot(n)))
}

// payment is a line of what the operator lists.
type payment struct {
	BookingID string    `json:"booking_id"`
	StartsAt  time.Time `json:"starts_at"`
	State     string
	Due       struct {
		Cents int64 `json:"amount_cents"`
	}
	Ledger []struct {
		Kind   string
		Amount int64 `json:"amount_cents"`
	}
}

// entries are the ledger in short.
func (p payment) entries() string {
	var all []string
	for _, e := range p.Ledger {
		all = append(all, fmt.Sprint(e.Kind, " ", e.Amount))
	}
	return strings.Join(all, ", ")
}

// payment is that of the guest who wanted an hour.
func (o *office) payment(n int) (of payment) {
	o.t.Helper()
	var all []payment
	said := o.command(o.t, "", "payments", "list", "--workspace", "acme", "--json")
	if err := json.Unmarshal([]byte(said), &all); err != nil {
		o.t.Fatalf("%s: %v", said, err)
	}
	for _, p := range all {
		if p.StartsAt.Equal(slot(n)) {
			of = p
		}
	}
	return of
}

// unlisted is the state of what nobody has paid for and nobody can pay for any more.
const unlisted = ""

func (o *office) await(n int, state string) (p payment) {
	o.t.Helper()
	commandsSay(o.t, fmt.Sprintf("booking %d is %q", n, state), func() bool {
		p = o.payment(n)
		return p.State == state
	})
	return p
}

// rests waits until nothing is left to be done for half a day.
func (o *office) rests() {
	o.t.Helper()
	commandsSay(o.t, "there are no jobs left", func() bool {
		var jobs []struct{ Next time.Time } // zero: it was given up
		said := o.command(o.t, "", "jobs", "list", "--json")
		if err := json.Unmarshal([]byte(said), &jobs); err != nil {
			o.t.Fatalf("%s: %v", said, err)
		}
		for _, j := range jobs {
			if j.Next.Before(o.now().Add(12 * time.Hour)) {
				return false
			}
		}
		return true
	})
}

// wantReconciled has Stripe asked whether it knows the same.
func (o *office) wantReconciled() {
	o.t.Helper()
	if said, err := o.try("", "payments", "reconcile", "--workspace", "acme"); err != nil {
		o.t.Errorf("reconcile: %v: %s", err, said)
	}
}

// mails are what was told of a booking, or of all with a star in its place.
func (o *office) mails(booking string) (names []string) {
	o.t.Helper()
	found, err := filepath.Glob(filepath.Join(o.data, "outbox", booking+".*.eml"))
	if err != nil {
		o.t.Fatal(err)
	}
	for _, path := range found {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), booking+"."), ".eml"))
	}
	return names
}

var (
	booked   = []string{"0.booked.attendee", "0.booked.host"}
	canceled = []string{"0.booked.attendee", "0.booked.host", "1.canceled.attendee", "1.canceled.host"}
)

func (o *office) awaitMails(booking string, want []string) {
	o.t.Helper()
	eventually(o.t, fmt.Sprint("the mails ", want), func() bool { return slices.Equal(o.mails(booking), want) })
}

// read is a mail's text, as far as it is ASCII.
func (o *office) read(booking, name string) string {
	o.t.Helper()
	text, err := os.ReadFile(filepath.Join(o.data, "outbox", booking+"."+name+".eml"))
	if err != nil {
		o.t.Fatal(err)
	}
	return softBreak.ReplaceAllString(string(text), "")
}

var softBreak = regexp.MustCompile(`=\r?\n`)
