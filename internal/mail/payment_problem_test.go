package mail

import (
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"slotd"
)

var paymentProblemKinds = []PaymentProblemKind{RefundDue, PaymentDisputed}

func samplePaymentProblem(trouble PaymentProblemKind) PaymentProblem {
	n := sample(Canceled, ToHost)
	n.Booking.HostZone = n.Workspace.TimeZone
	return PaymentProblem{
		Kind: trouble, From: n.From, To: netmail.Address{Name: "Ada Park", Address: "ada@acme.example"},
		Workspace: "Acme Inc", Slug: "acme",
		Booking: n.Booking, Amount: slotd.Price{AmountCents: 5000, Currency: "usd"}, Payment: "pi_3Q0example",
		ID: n.Booking.ID.String() + "." + string(trouble),
	}
}

func TestPaymentMail_TextsAreTheGoldenOnes(t *testing.T) {
	for _, trouble := range paymentProblemKinds {
		r := parse(t, PaymentMail(samplePaymentProblem(trouble), now).Data)
		golden(t, strings.ReplaceAll(string(trouble), "_", "-")+".txt",
			"Subject: "+r.decoded(t, "Subject")+"\n\n"+r.plain)
	}
}

func TestPaymentMail_GoesToTheOwnerAsOneMail(t *testing.T) {
	seen := map[string]bool{}
	for _, trouble := range paymentProblemKinds {
		about := samplePaymentProblem(trouble)
		m := PaymentMail(about, now)
		r := parse(t, m.Data)
		if m.To != "ada@acme.example" || r.address(t, "To") != about.To || r.address(t, "From").Name != "Acme Inc" ||
			r.header.Get("Auto-Submitted") != "auto-generated" {
			t.Errorf("%s: %v", trouble, r.header)
		}
		if later := PaymentMail(about, now.AddDate(0, 0, 1)); later.ID != m.ID || seen[m.ID] ||
			!strings.HasPrefix(m.ID, about.Booking.ID.String()) {
			t.Errorf("%s: the mail is %s, and tried again %s", trouble, m.ID, later.ID)
		}
		seen[m.ID] = true
		if !strings.Contains(r.plain, "Booking ID:  "+about.Booking.ID.String()+"\n") {
			t.Errorf("%s: no booking id:\n%s", trouble, r.plain)
		}
	}
}

func TestPaymentMail_ForeignTextChangesNothingButWords(t *testing.T) {
	for _, trouble := range paymentProblemKinds {
		harmless := parse(t, PaymentMail(samplePaymentProblem(trouble), now).Data)
		want, lines := shapeOf(t, harmless), strings.Count(harmless.plain, "\n")
		for _, s := range hostile {
			about := samplePaymentProblem(trouble)
			for _, field := range []*string{&about.Workspace, &about.Slug, &about.Payment, &about.From.Name,
				&about.To.Name, &about.Booking.EventTitle, &about.Booking.Attendee.Name, &about.Booking.HostZone} {
				*field = s
			}
			m := PaymentMail(about, now)
			r := parse(t, m.Data)
			if diff := cmp.Diff(want, shapeOf(t, r)); diff != "" || strings.Count(r.plain, "\n") != lines {
				t.Errorf("%q (-harmless +hostile):\n%s\n%s", s, diff, r.plain)
			}
			expectWellFormed(t, m, r)
		}
	}
}

func TestPaymentMail_KnowsAnErasedGuest(t *testing.T) {
	about := samplePaymentProblem(RefundDue)
	about.Booking.Attendee = slotd.Attendee{}
	if r := parse(t, PaymentMail(about, now).Data); !strings.Contains(r.plain, "Guest:       unknown\n") {
		t.Error(r.plain)
	}
}
