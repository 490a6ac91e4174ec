package mail

import (
	"html"
	"strings"
	"testing"

	"slotd"
)

func TestPrice_TextsAreTheGoldenOnes(t *testing.T) {
	for name, n := range map[string]*Notice{
		"paid-booked":                paid(sample(Booked, ""), 0),
		"paid-canceled":              paid(sample(Canceled, ""), 5000),
		"paid-canceled-not-refunded": paid(sample(Canceled, ""), 0),
	} {
		for _, to := range []Recipient{ToAttendee, ToHost} {
			n.To = to
			_, r := compose(t, n)
			golden(t, name+"-"+string(to)+".txt", "Subject: "+r.decoded(t, "Subject")+"\n\n"+r.plain)
		}
	}
}

func TestPrice_IsInBothFacesOrInNone(t *testing.T) {
	goesBack := " will be refunded to your original payment method; this can take up to ten days"
	for _, c := range []struct {
		what     Kind
		to       Recipient
		price    slotd.Price
		refunded int64
		want     string // if empty, there is no such row
	}{
		{Booked, ToAttendee, slotd.Price{AmountCents: 5000, Currency: "usd"}, 0, "50.00 USD, paid"},
		{Booked, ToHost, slotd.Price{AmountCents: 500, Currency: "jpy"}, 0, "500 JPY, paid"},
		{Rescheduled, ToAttendee, slotd.Price{AmountCents: 5000, Currency: "usd"}, 0, ""},
		{Reminder, ToAttendee, slotd.Price{AmountCents: 5000, Currency: "usd"}, 0, ""},
		{Canceled, ToAttendee, slotd.Price{AmountCents: 12340, Currency: "kwd"}, 12340, "12.340 KWD" + goesBack},
		// the rest was refunded before
		{Canceled, ToAttendee, slotd.Price{AmountCents: 5000, Currency: "eur"}, 2000, "20.00 EUR" + goesBack},
		{Canceled, ToHost, slotd.Price{AmountCents: 5000, Currency: "eur"}, 5000, "50.00 EUR will be refunded to the guest"},
		{Canceled, ToAttendee, slotd.Price{AmountCents: 5000, Currency: "usd"}, 0,
			"50.00 USD, no refund for this cancellation"},
		{Canceled, ToHost, slotd.Price{AmountCents: 5000, Currency: "usd"}, 0,
			"50.00 USD, no refund for this cancellation"},
		{PaidTooLate, ToAttendee, slotd.Price{AmountCents: 5000, Currency: "usd"}, 5000, "50.00 USD" + goesBack},
	} {
		n := sample(c.what, c.to)
		n.Booking.Price, n.Booking.RefundedCents = &c.price, c.refunded
		_, r := compose(t, n)
		inText, inHTML := strings.Contains(r.plain, "\nPrice:       "+c.want+"\n"),
			strings.Contains(r.html, "<bdi>"+c.want+"</bdi>")
		if has := strings.Contains(r.plain, "Price:") || strings.Contains(r.html, ">Price<"); c.want == "" && has ||
			c.want != "" && !(inText && inHTML) {
			t.Errorf("%s to %s, want %q:\n%s", c.what, c.to, c.want, r.plain)
		}
		if strings.Contains(r.decoded(t, "Subject"), c.price.String()) {
			t.Errorf("the subject tells the price: %s", r.decoded(t, "Subject"))
		}
	}
}

func TestPaidTooLate_SaysInBothFacesThatNothingIsBooked(t *testing.T) {
	_, r := compose(t, sample(PaidTooLate, ToAttendee))
	const note = "Nothing was booked, and you'll get a full refund."
	for face, text := range map[string]string{"text": r.plain, "HTML": html.UnescapeString(r.html)} {
		if !strings.Contains(text, note) || !strings.Contains(text, "https://book.acme.example/acme/intro") {
			t.Errorf("the %s:\n%s", face, text)
		}
		for _, gone := range []string{"SECRET", "meet.example", "calendar.google.com"} {
			if strings.Contains(text, gone) {
				t.Errorf("the %s leads to what there is not: %s", face, gone)
			}
		}
	}
}
