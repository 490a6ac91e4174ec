package mail

import (
	"net/url"
	"strings"
	"testing"

	"slotd/internal/mail/invite"
)

// unfolded returns the file with one line per property.
func unfolded(ics []byte) string { return strings.ReplaceAll(string(ics), "\r\n ", "") }

func TestInvite_SaysWhatEachMayKnow(t *testing.T) {
	attendee := unfolded(InviteFile(sample(Booked, ToAttendee), invite.Request))
	host := unfolded(InviteFile(sample(Booked, ToHost), invite.Request))
	for _, want := range []string{"SUMMARY:Intro call with Ada Park\r\n",
		"LOCATION:https://meet.example/ada?room=7&x=1\r\n", "DTSTAMP:20261110T085905Z", "DTSTART:20261117T133000Z",
		`DESCRIPTION:Join: https://meet.example/ada?room=7&x=1\nWhere: Video call\nReschedule: https://book.acme.example/b/reschedule/SECRETr\nCancel: https://book.acme.example/b/cancel/SECRETc` + "\r\n"} {
		if !strings.Contains(attendee, want) {
			t.Errorf("the attendee's lacks %q:\n%s", want, attendee)
		}
	}
	for _, want := range []string{"SUMMARY:Intro call with Grace Hopper\r\n",
		`DESCRIPTION:With: Grace Hopper\nEmail: grace@example.com\nPhone: +1 555 0199\nJoin: https://meet.example/ada?room=7&x=1\nWhere: Video call\nNotes: About the compiler.\nMy number: +1 555 0100\nBooking ID: 0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e` + "\r\n"} {
		if !strings.Contains(host, want) {
			t.Errorf("the host's lacks %q:\n%s", want, host)
		}
	}
}

func TestPhone_HasNoLineWhereThereIsNone(t *testing.T) {
	n := sample(Booked, ToHost)
	n.Booking.Attendee.Phone = ""
	_, r := compose(t, n)
	if all := r.plain + r.html + unfolded(r.invite); strings.Contains(all, "Phone") {
		t.Error(all)
	}
}

func TestSecrets_StayWithTheirOwner(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		n.Booking.Notes, n.BookingURL = "NOTES", "https://book.acme.example/PUBLIC"
		n.Booking.Attendee.Phone = "PHONE"
		_, r := compose(t, n)
		all := r.plain + r.html + unfolded(r.invite)
		stands := n.Kind != Canceled && n.Kind != PaidTooLate
		for secret, may := range map[string]bool{
			"SECRETc": n.To == ToAttendee && stands,
			"SECRETr": n.To == ToAttendee && stands,
			"NOTES":   n.To == ToHost,
			"PHONE":   n.To == ToHost,
			"PUBLIC":  n.To == ToAttendee && !stands,
			"FILE":    stands,
		} {
			if strings.Contains(all, secret) != may {
				t.Errorf("%s in the mail: %v, want %v", secret, !may, may)
			}
		}
		// The id is also part of the UID, and the attendee's own address is in their own line.
		if face := r.plain + r.html; strings.Contains(face, n.Booking.ID.String()) != (n.To == ToHost) ||
			strings.Contains(face, "grace@") != (n.To == ToHost) {
			t.Error("booking id or e-mail:", r.plain)
		}
	})
}

func TestOrganizer_IsNeverTheRecipient(t *testing.T) {
	const host, attendee, server = "ada@acme.example", "grace@example.com", "slotd@mail.acme.example"
	for _, c := range []struct {
		to                     Recipient
		host, attendee, server string
		want                   string
	}{
		{ToAttendee, host, attendee, server, host},
		{ToAttendee, "Grace@Example.com", attendee, server, server},
		{ToAttendee, "", attendee, server, server},
		{ToAttendee, attendee, attendee, "GRACE@example.com", "noreply@example.com"},
		{ToAttendee, "noreply@x.example", "noreply@x.example", "noreply@x.example", "no-reply@x.example"},
		{ToHost, host, attendee, server, server},
		{ToHost, host, attendee, "ADA@acme.example", attendee},
		{ToHost, host, "Ada@acme.example", host, "noreply@acme.example"},
		{ToHost, host, "", host, "noreply@acme.example"},
	} {
		n := sample(Booked, c.to)
		n.Workspace.Host.Email, n.Booking.Attendee.Email, n.From.Address = c.host, c.attendee, c.server
		if got := n.organizer().Address; got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestAttendees_AreThoseWhoMayKnowEachOther(t *testing.T) {
	if got := unfolded(InviteFile(sample(Booked, ToAttendee), invite.Request)); strings.Count(got, "ATTENDEE;") != 1 ||
		!strings.Contains(got, "mailto:grace@example.com") ||
		!strings.Contains(got, `ORGANIZER;CN="Ada Park":mailto:ada@acme.example`) {
		t.Error(got)
	}
	if got := unfolded(InviteFile(sample(Booked, ToHost), invite.Request)); strings.Count(got, "ATTENDEE;") != 2 ||
		!strings.Contains(got, `ORGANIZER;CN="Acme Inc":mailto:slotd@mail.acme.example`) {
		t.Error(got)
	}
}

func TestAttendees_WhoIsBothIsOne(t *testing.T) {
	n := sample(Booked, ToHost)
	n.Booking.Attendee.Email = "Ada@Acme.example"
	if got := unfolded(InviteFile(n, invite.Request)); strings.Count(got, "ATTENDEE;") != 1 {
		t.Error(got)
	}
}

func TestLinks_ToOtherCalendarsHoldTheEvent(t *testing.T) {
	n := sample(Booked, ToAttendee)
	google, err := url.Parse(n.GoogleURL())
	if err != nil {
		t.Fatal(err)
	}
	q := google.Query()
	if q.Get("text") != "Intro call with Ada Park" || q.Get("dates") != "20261117T133000Z/20261117T140000Z" ||
		q.Get("location") != n.Booking.JoinURL || q.Get("details") != "Booked with Acme Inc" {
		t.Error(google)
	}
	outlook, err := url.Parse(n.OutlookURL())
	if err != nil {
		t.Fatal(err)
	}
	q = outlook.Query()
	if q.Get("subject") != "Intro call with Ada Park" || q.Get("startdt") != "2026-11-17T13:30:00Z" ||
		q.Get("enddt") != "2026-11-17T14:00:00Z" || q.Get("location") != n.Booking.JoinURL {
		t.Error(outlook)
	}
	if strings.Contains(google.String()+outlook.String(), "+") {
		t.Error("Outlook would show a plus for a space")
	}
}

func TestLinks_ToOtherCalendarsStayShort(t *testing.T) {
	n := sample(Booked, ToHost)
	n.Booking.EventTitle, n.Booking.Attendee.Name = strings.Repeat("🙂", 200), strings.Repeat("ä ", 100)
	n.Booking.Location, n.Workspace.Name = strings.Repeat("Straße 1, ", 500), strings.Repeat("&", 200)
	for _, join := range []string{"", "https://meet.example/" + strings.Repeat("r", 2000)} {
		n.Booking.JoinURL = join
		for _, link := range []string{n.GoogleURL(), n.OutlookURL()} {
			u, err := url.Parse(link)
			if err != nil || len(link) > 2000 || !strings.HasSuffix(u.Query().Get("location"), "…") ||
				strings.Contains(u.Query().Get("location"), "meet.example") {
				t.Errorf("%d characters, %v: %s", len(link), err, link)
			}
			if !strings.Contains(link, "T133000Z/") && !strings.Contains(link, "T13%3A30%3A00Z") {
				t.Errorf("no time in %s", link)
			}
		}
	}
}
