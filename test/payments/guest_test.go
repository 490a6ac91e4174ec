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
)

// open reads a page.
func (o *office) open(address string) (status int, text string) {
	o.t.Helper()
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		o.t.Fatal(err)
	}
	status, text, _ = o.ask(r)
	return status, text
}

// post sends a form, and returns where it leads to.
func (o *office) post(address string, fields url.Values) (status int, text, to string) {
	o.t.Helper()
	r, err := http.NewRequest("POST", address, strings.NewReader(fields.Encode()))
	if err != nil {
		o.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, text, header := o.ask(r)
	return status, text, header.Get("Location")
}

var formField, priceField = regexp.MustCompile(`name="form" value="([^"]+)"`),
	regexp.MustCompile(`name="price" value="([^"]+)"`)

// form is one that was opened a while ago, if possible: a guest who opens one and sends it at once is kept waiting.
func (o *office) form(s *server) (token string) {
	o.t.Helper()
	const some = 20
	for len(o.forms) < some {
		_, page := o.open(s.url + "/acme/usd?slot=" + instant(slot(freeHour)))
		found := formField.FindStringSubmatch(page)
		if found == nil {
			o.t.Fatalf("there is no form: %s", page)
		}
		o.forms = append(o.forms, found[1])
	}
	token, o.forms = o.forms[0], o.forms[1:]
	return token
}

// price is what the form says that the guest agrees to.
func (o *office) price(s *server, eventType string) string {
	o.t.Helper()
	if o.prices[eventType] == "" {
		_, page := o.open(s.url + "/acme/" + eventType + "?slot=" + instant(slot(freeHour)))
		found := priceField.FindStringSubmatch(page)
		if found == nil {
			o.t.Fatalf("there is no price: %s", page)
		}
		o.prices[eventType] = found[1]
	}
	return o.prices[eventType]
}

// hold fills in the form for an hour and presses the button. It is 303 if the time is held.
func (o *office) hold(s *server, eventType string, n int) (status int, text, to string) {
	o.t.Helper()
	return o.post(s.url+"/acme/"+eventType, url.Values{
		"slot": {instant(slot(n))}, "tz": {"UTC"}, "form": {o.form(s)}, "price": {o.price(s, eventType)},
		"name": {guestName}, "email": {guestOf(n)}, "notes": {guestNotes},
	})
}

const (
	freeHour   = 200 // which nobody wants
	guestName  = "Grace Okafor"
	guestNotes = "about my inheritance"
)

func (o *office) mustHold(s *server, eventType string, n int) {
	o.t.Helper()
	if status, text, _ := o.hold(s, eventType, n); status != http.StatusSeeOther {
		o.t.Fatalf("guest %d: %d %s", n, status, text)
	}
}

// checkout is where the guest who wants an hour pays.
func (o *office) checkout(n int) (found stripetest.Session) {
	o.t.Helper()
	for _, s := range o.stripe.Sessions() {
		if s.Email == guestOf(n) {
			found = s
		}
	}
	return found
}

// pay is what a guest does there. What Stripe tells of it is told by tell.
func (o *office) pay(n int) {
	o.t.Helper()
	if err := o.stripe.Pay(o.checkout(n).ID); err != nil {
		o.t.Fatal(err)
	}
}

// completed is what Stripe tells when the guest who wants an hour has paid.
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

// tell sends that to a server.
func (o *office) tell(s *server, n int) {
	o.t.Helper()
	if status, err := o.send(s, "", o.completed(n)); err != nil || status != http.StatusOK {
		o.t.Fatalf("%d, %v", status, err)
	}
}

// send delivers an event with a right signature. The query says whose account it is.
func (o *office) send(s *server, query string, body []byte) (status int, err error) {
	return stripetest.Post(s.url+"/api/stripe/webhook"+query, body,
		stripetest.Signature(body, o.stripe.Secret, time.Now()))
}

// confirmed is a booking that was held, paid for and told of.
func (o *office) confirmed(s *server, n int) payment {
	o.t.Helper()
	o.mustHold(s, "usd", n)
	o.pay(n)
	o.tell(s, n)
	p := o.await(n, "confirmed")
	o.awaitMails(p.BookingID, booked)
	return p
}

// cancel is the host's.
func (o *office) cancel(s *server, booking string) answer {
	o.t.Helper()
	return o.call(s, "cancel_booking", map[string]any{"booking_id": booking})
}

// link finds an address of the program in a page or a mail.
func link(text, purpose string) string {
	found := regexp.MustCompile(fmt.Sprintf(`/b/%s/[A-Za-z0-9_-]+`, purpose)).FindString(html.UnescapeString(text))
	return found
}
