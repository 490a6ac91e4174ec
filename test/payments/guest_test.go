package payments

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"slotd/internal/money/stripe/stripetest"
	"slotd/test/harness"
)

// open reads a page.
func (o *office) open(address string) (status int, text string) {
	o.t.Helper()
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		o.t.Fatal(err)
	}
	status, text, _ = o.do(r)
	return status, text
}

// post sends a form and returns the address that the response redirects to.
func (o *office) post(address string, fields url.Values) (status int, text, to string) {
	o.t.Helper()
	r, err := http.NewRequest("POST", address, strings.NewReader(fields.Encode()))
	if err != nil {
		o.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, text, header := o.do(r)
	return status, text, header.Get("Location")
}

var formField, priceField = regexp.MustCompile(`name="form" value="([^"]+)"`),
	regexp.MustCompile(`name="price" value="([^"]+)"`)

// form returns the token of a form that was opened a while ago, because the server delays a guest who sends a form
// right after opening it.
func (o *office) form(s *harness.Server) (token string) {
	o.t.Helper()
	const minForms = 20
	for len(o.forms) < minForms {
		_, page := o.open(s.URL + "/acme/usd?slot=" + instant(slot(freeHour)))
		found := formField.FindStringSubmatch(page)
		if found == nil {
			o.t.Fatalf("there is no form: %s", page)
		}
		o.forms = append(o.forms, found[1])
	}
	token, o.forms = o.forms[0], o.forms[1:]
	return token
}

// price returns the price in the form, to which the guest agrees.
func (o *office) price(s *harness.Server, eventType string) string {
	o.t.Helper()
	if o.prices[eventType] == "" {
		_, page := o.open(s.URL + "/acme/" + eventType + "?slot=" + instant(slot(freeHour)))
		found := priceField.FindStringSubmatch(page)
		if found == nil {
			o.t.Fatalf("there is no price: %s", page)
		}
		o.prices[eventType] = found[1]
	}
	return o.prices[eventType]
}

// hold fills in and sends the form for an hour. The status is 303 if the time is held.
func (o *office) hold(s *harness.Server, eventType string, n int) (status int, text, to string) {
	o.t.Helper()
	return o.post(s.URL+"/acme/"+eventType, url.Values{
		"slot": {instant(slot(n))}, "tz": {"UTC"}, "form": {o.form(s)}, "price": {o.price(s, eventType)},
		"name": {guestName}, "email": {guestOf(n)}, "notes": {guestNotes},
	})
}

const (
	freeHour   = 200 // never booked
	guestName  = "Grace Okafor"
	guestNotes = "about my inheritance"
)

func (o *office) mustHold(s *harness.Server, eventType string, n int) {
	o.t.Helper()
	if status, text, _ := o.hold(s, eventType, n); status != http.StatusSeeOther {
		o.t.Fatalf("guest %d: %d %s", n, status, text)
	}
}

// checkout returns the latest checkout session of the guest who wants hour n.
func (o *office) checkout(n int) (found stripetest.Session) {
	o.t.Helper()
	for _, s := range o.stripe.Sessions() {
		if s.Email == guestOf(n) {
			found = s
		}
	}
	return found
}

// pay pays at the guest's checkout. sendCompleted delivers the event about it.
func (o *office) pay(n int) {
	o.t.Helper()
	if err := o.stripe.Pay(o.checkout(n).ID); err != nil {
		o.t.Fatal(err)
	}
}

// completed returns Stripe's event about the payment of the guest who wants hour n.
func (o *office) completed(n int) (event []byte) {
	o.t.Helper()
	for _, e := range o.stripe.Events() {
		if e.Kind == "checkout.session.completed" && strings.Contains(string(e.Body), `"`+o.checkout(n).ID+`"`) {
			event = e.Body
		}
	}
	if event == nil {
		o.t.Fatalf("guest %d has not paid", n)
	}
	return event
}

// sendCompleted sends the completed event to a server.
func (o *office) sendCompleted(s *harness.Server, n int) {
	o.t.Helper()
	if status, err := o.send(s, "", o.completed(n)); err != nil || status != http.StatusOK {
		o.t.Fatalf("%d, %v", status, err)
	}
}

// send delivers an event with a valid signature. The query names the account.
func (o *office) send(s *harness.Server, query string, body []byte) (status int, err error) {
	return stripetest.Post(s.URL+"/api/stripe/webhook"+query, body,
		stripetest.Signature(body, o.stripe.Secret, time.Now()))
}

// confirmedBooking holds an hour, pays for it, delivers the event and returns the confirmed booking's payment.
func (o *office) confirmedBooking(s *harness.Server, n int) payment {
	o.t.Helper()
	o.mustHold(s, "usd", n)
	o.pay(n)
	o.sendCompleted(s, n)
	p := o.await(n, "confirmed")
	o.awaitMails(p.BookingID, bookedMails)
	return p
}

// cancel cancels a booking as the host.
func (o *office) cancel(s *harness.Server, booking string) answer {
	o.t.Helper()
	return o.call(s, "cancel_booking", map[string]any{"booking_id": booking})
}

// findLink finds the path of a booking link in a page or a mail.
func findLink(text, purpose string) string {
	found := regexp.MustCompile(fmt.Sprintf(`/b/%s/[A-Za-z0-9_-]+`, purpose)).FindString(html.UnescapeString(text))
	return found
}
