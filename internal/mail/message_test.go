package mail

import (
	"bytes"
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/internal/mail/invite"
)

func TestMail_HasItsPartsInOrder(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		_, r := compose(t, n)
		want := []string{"text/plain; charset=UTF-8", "text/html; charset=UTF-8"}
		top := `multipart/alternative; boundary="=_alternative"`
		if hasInvite(n) {
			want = append(want, "text/calendar; method="+string(n.method())+"; charset=UTF-8",
				"application/ics; name=invite.ics")
			top = `multipart/mixed; boundary="=_mixed"`
		}
		if got := r.header.Get("Content-Type"); got != top {
			t.Error(got)
		}
		var got []string
		for _, p := range r.parts {
			got = append(got, p.contentType)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("parts %q, want %q", got, want)
		}
	})
}

// hasInvite reports whether the mail carries an invite. It does not if the event is in the calendar already or never
// was.
func hasInvite(n *Notice) bool { return n.Kind != Reminder && n.Kind != PaidTooLate }

func TestInvite_ArrivesByteForByte(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		if !hasInvite(n) {
			return
		}
		_, r := compose(t, n)
		method := map[Kind]invite.Method{Booked: invite.Request, Rescheduled: invite.Request,
			Canceled: invite.Cancel}[n.Kind]
		want := InviteFile(n, method)
		if !bytes.Equal(r.invite, want) || !bytes.Equal(r.attached, want) {
			t.Errorf("invite\n%s\nattached\n%s\nwant\n%s", r.invite, r.attached, want)
		}
		if !bytes.HasPrefix(want, []byte("BEGIN:VCALENDAR\r\n")) ||
			!bytes.Contains(want, []byte("METHOD:"+string(method)+"\r\n")) ||
			!bytes.Contains(want, []byte("SEQUENCE:2\r\n")) {
			t.Errorf("%s", want)
		}
	})
}

func TestHeaders_SayWhoAndWhen(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		m, r := compose(t, n)
		to, reply := netmail.Address{Name: "Grace Hopper", Address: "grace@example.com"},
			netmail.Address{Name: "Ada Park", Address: "ada@acme.example"}
		if n.To == ToHost {
			to, reply = reply, to
		}
		if r.address(t, "To") != to || r.address(t, "Reply-To") != reply ||
			r.address(t, "From") != (netmail.Address{Name: "Acme Inc", Address: "slotd@mail.acme.example"}) {
			t.Errorf("%v", r.header)
		}
		if m.To != to.Address || m.From != "slotd@mail.acme.example" {
			t.Errorf("envelope from %s to %s", m.From, m.To)
		}
		if date, err := r.header.Date(); err != nil || !date.Equal(now) {
			t.Errorf("date %v, %v", date, err)
		}
		if r.header.Get("Auto-Submitted") != "auto-generated" || r.header.Get("MIME-Version") != "1.0" {
			t.Errorf("%v", r.header)
		}
	})
}

func TestFrom_ShowsItsOwnNameFirst(t *testing.T) {
	n := sample(Booked, ToHost)
	n.From.Name = "Bookings"
	if _, r := compose(t, n); r.address(t, "From").Name != "Bookings" {
		t.Errorf("%v", r.header)
	}
}

func TestMessageID_IsStableAndItsOwn(t *testing.T) {
	safe := regexp.MustCompile(`^[a-z0-9.-]+$`)
	seen := map[string]bool{}
	once := func(t *testing.T, n *Notice) {
		m, r := compose(t, n)
		again, err := Compose(n, now.Add(time.Hour))
		if err != nil || again.ID != m.ID ||
			!strings.Contains(string(again.Data), "\r\nMessage-ID: <"+m.ID+"@mail.acme.example>\r\n") {
			t.Errorf("a later try is %s, %v, the first was %s", again.ID, err, m.ID)
		}
		if r.header.Get("Message-ID") != "<"+m.ID+"@mail.acme.example>" || !safe.MatchString(m.ID) || seen[m.ID] {
			t.Errorf("id %q of %v", m.ID, r.header)
		}
		seen[m.ID] = true
		thread := "<" + n.Booking.ID.String() + "." + string(n.To) + "@mail.acme.example>"
		if r.header.Get("References") != thread || r.header.Get("In-Reply-To") != thread {
			t.Errorf("thread of %v", r.header)
		}
	}
	eachMail(t, func(t *testing.T, n *Notice) {
		once(t, n)
		n.Booking.Sequence++
		once(t, n)
		n.Booking.ID[0]++
		once(t, n)
		if n.Minutes = 60; n.Kind == Reminder {
			once(t, n)
		}
	})
}

func TestCompose_RefusesWhatCannotBeSent(t *testing.T) {
	for about, change := range map[string]func(*Notice){
		"no such mail":          func(n *Notice) { n.Kind = "deleted" },
		"no such recipient":     func(n *Notice) { n.To = "everyone" },
		"a host's reminder":     func(n *Notice) { n.Kind, n.To = Reminder, ToHost },
		"a host's payment":      func(n *Notice) { n.Kind, n.To = PaidTooLate, ToHost },
		"no sender":             func(n *Notice) { n.From.Address = "" },
		"a sender with a break": func(n *Notice) { n.From.Address = "a@b.example\r\nBcc: x@y.example" },
		"no recipient":          func(n *Notice) { n.Booking.Attendee.Email = "" },
		"two recipients":        func(n *Notice) { n.Booking.Attendee.Email = "a@b.example, c@d.example" },
		"a break in one":        func(n *Notice) { n.Booking.Attendee.Email = "a@b.example\r\nBcc: x@y.example" },
		"a name in one":         func(n *Notice) { n.Booking.Attendee.Email = "A <a@b.example>" },
	} {
		n := sample(Booked, ToAttendee)
		change(n)
		if m, err := Compose(n, now); err == nil {
			t.Errorf("%s: %s", about, m.Data)
		}
	}
}

func TestMail_GoesOutAlthoughTheOtherHasNoAddress(t *testing.T) {
	n := sample(Canceled, ToHost)
	n.Booking.Attendee.Email = ""
	_, r := compose(t, n)
	if _, has := r.header["Reply-To"]; has || strings.Count(string(r.invite), "ATTENDEE") != 1 {
		t.Errorf("%v\n%s", r.header, r.invite)
	}
}

func TestTestMail_IsWhole(t *testing.T) {
	m := TestMail(netmail.Address{Address: "slotd@acme.example"}, "ops@example.com\r\nBcc: x@y.example", now,
		"A/b\r\nc:1")
	r := parse(t, m.Data)
	if m.ID != "test.a-b--c-1" || r.header.Get("Message-ID") != "<test.a-b--c-1@acme.example>" || len(r.header) != 9 ||
		!strings.Contains(r.plain, "test email") {
		t.Errorf("%s\n%s", m.ID, m.Data)
	}
}
