package public

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/mail"
)

// key returns the database key of a booking.
func (w *world) key(b object) (workspaceID int64, id uuid.UUID) {
	w.t.Helper()
	p, err := w.Cache.Workspace(background, "acme")
	w.must(err)
	return p.WorkspaceID, uuid.MustParse(b["booking_id"].(string))
}

// link returns one of the booking's links.
func (w *world) link(b object, purpose links.Purpose) string {
	w.t.Helper()
	workspaceID, id := w.key(b)
	return w.Links.Path(purpose, workspaceID, id)
}

func (w *world) stored(b object) *slotd.Booking {
	w.t.Helper()
	workspaceID, id := w.key(b)
	found, err := booking.Load(background, w.db.Read(), workspaceID, id)
	w.must(err)
	return found
}

// countMails counts the queued mails of a kind.
func (w *world) countMails(what mail.Kind) (n int) {
	w.t.Helper()
	w.must(w.raw.QueryRow(`SELECT COUNT(*) FROM jobs WHERE kind = 'tell' AND detail LIKE $1`,
		`%"what":"`+string(what)+`"%`).Scan(&n))
	return n
}

// dump returns the complete content of a SQLite database.
func (w *world) dump() string {
	w.t.Helper()
	var lines []string
	for _, name := range w.rows(`SELECT name FROM sqlite_master WHERE type = 'table'`) {
		table := strings.Trim(name, "[]")
		for _, row := range w.rows("SELECT * FROM " + table) {
			lines = append(lines, table+" "+row)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (w *world) rows(query string) (all []string) {
	w.t.Helper()
	rows, err := w.raw.Query(query)
	w.must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.must(err)
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		w.must(rows.Scan(into...))
		all = append(all, fmt.Sprint(values))
	}
	w.must(rows.Err())
	return all
}

func TestCancel_WithAReason(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		page := w.get(w.link(b, links.Cancel)).ok()
		if form := page.first("#cancel"); form.attr("method") != "post" ||
			page.first("h1").words() != "Cancel this booking?" {
			t.Fatal(page.first("main").words())
		}
		got := w.post(w.link(b, links.Cancel), url.Values{"reason": {" I am ill,\r\nsorry. "}}).is(http.StatusSeeOther)
		if to := got.header.Get("Location"); to != w.link(b, links.Cancel) {
			t.Errorf("it leads to %s", to)
		}
		page = w.get(w.link(b, links.Cancel)).ok()
		if page.first("h1").words() != "This booking is canceled" ||
			!strings.Contains(page.words(), "I am ill, sorry.") || page.has("form") {
			t.Error(page.first("main").words())
		}
		kept := w.stored(b)
		if kept.State != slotd.Canceled || kept.CancelReason != "I am ill,\nsorry." ||
			w.countMails(mail.Canceled) != 2 {
			t.Errorf("%s %q, %d mails", kept.State, kept.CancelReason, w.countMails(mail.Canceled))
		}
		p, err := w.Cache.Workspace(background, "acme")
		w.must(err)
		if n := w.Booking.Notice(p, kept, mail.Canceled, mail.ToHost); n.Reason != kept.CancelReason {
			t.Errorf("the host reads %q", n.Reason)
		}
		w.get("/acme/intro?slot="+at("02-02 09:00")).ok().first("#book").mustBe(t, "form") // the time is free again
	})
}

func (n *node) mustBe(t *testing.T, tag string) {
	t.Helper()
	if n.tag != tag {
		t.Errorf("there is no <%s>", tag)
	}
}

func TestCancel_TwiceIsOnce(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		var first string
		for i, reason := range []string{"", "another one", ""} {
			w.post(w.link(b, links.Cancel), url.Values{"reason": {reason}}).is(http.StatusSeeOther)
			body := w.get(w.link(b, links.Cancel)).is(http.StatusOK).body
			if i == 0 {
				first = body
			} else if body != first {
				t.Error("the second time shows another page")
			}
		}
		if kept := w.stored(b); kept.CancelReason != "" || kept.Sequence != 1 || w.countMails(mail.Canceled) != 2 {
			t.Errorf("%q, sequence %d, %d mails", kept.CancelReason, kept.Sequence, w.countMails(mail.Canceled))
		}
	})
}

func TestCancel_AReasonThatIsNoneIsKept(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 09:00"))
	before := w.dump()
	for reason, kept := range map[string]string{strings.Repeat("é", 1001): strings.Repeat("é", 1001),
		"a\x00b": "a\ufffdb", "a\x1b[31mb": "a\x1b[31mb", "a\rb": "a\rb", strings.Repeat("b",
			50_000): strings.Repeat("b", 1001)} {
		page := w.post(w.link(b, links.Cancel),
			url.Values{"reason": {reason}}).is(http.StatusUnprocessableEntity).page()
		if got := page.first("#reason"); got.content() != kept || got.attr("aria-invalid") != "true" ||
			!page.has(".alert") {
			t.Errorf("%.20q became %.40q: %s", reason, got.content(), page.first(".alert").words())
		}
	}
	if w.dump() != before {
		t.Error("something was written")
	}
	w.post(w.link(b, links.Cancel), url.Values{"reason": {strings.Repeat("😀", 1000)}}).is(http.StatusSeeOther)
}

func TestOwnPages_AfterTheEndOnlyShow(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		w.clock.Set(time.Date(2027, 2, 2, 9, 29, 59, 0, time.UTC))
		w.get(w.link(b, links.Cancel)).ok().first("#cancel").mustBe(t, "form")
		w.clock.Advance(time.Second)
		before := w.counts()
		for _, purpose := range []links.Purpose{links.Booking, links.Cancel, links.Reschedule} {
			page := w.get(w.link(b, purpose)).ok()
			if page.first("h1").words() != "This booking is over" || page.has("form") ||
				strings.Contains(page.content(), "Cancel booking") {
				t.Errorf("%s: %s", purpose, page.first("main").words())
			}
		}
		for purpose, form := range map[links.Purpose]url.Values{links.Cancel: {"reason": {"x"}},
			links.Reschedule: {"slot": {at("02-02 12:00")}}} {
			page := w.post(w.link(b, purpose), form).is(http.StatusConflict).page()
			if page.first("h1").words() != "This booking is over" || !page.has("dl.booking") {
				t.Errorf("%s: %s", purpose, page.first("main").words())
			}
		}
		if kept := w.stored(b); kept.State != slotd.Confirmed || kept.Sequence != 0 || w.counts() != before {
			t.Errorf("%+v", kept)
		}
	})
}

var allPurposes = []links.Purpose{links.Booking, links.Cancel, links.Reschedule, links.Calendar, links.HostCalendar,
	links.Pay, links.Unpaid}

// withButton are the purposes whose pages have a button that changes something.
var withButton = []links.Purpose{links.Cancel, links.Reschedule, links.Unpaid}

func TestLinks_ThatAreNoneSaySoKindly(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 09:00"))
	gone := object{"booking_id": uuid.NewString()}
	before := w.dump()
	for _, purpose := range allPurposes {
		_, token, _ := strings.Cut(w.link(b, purpose), "/"+string(purpose)+"/")
		paths := []string{w.link(gone, purpose), w.link(b, purpose) + "A", w.link(b, purpose)[:40],
			"/b/" + string(purpose) + "/x", "/b/" + string(purpose) + "/" + token[:63] + string(token[63]^1)}
		for _, other := range append(allPurposes, links.Form) {
			if other != purpose {
				_, wrong, _ := strings.Cut(w.link(b, other), "/"+string(other)+"/")
				paths = append(paths, "/b/"+string(purpose)+"/"+wrong)
			}
		}
		for _, path := range paths {
			answers := []answer{w.get(path).is(http.StatusNotFound)}
			if slices.Contains(withButton, purpose) {
				answers = append(answers, w.post(path, url.Values{"slot": {at("02-02 12:00")}}).is(http.StatusNotFound))
			}
			for _, got := range answers {
				if h := got.page().first("h1").words(); h != "There is no such booking" ||
					strings.Contains(got.body, "Grace") {
					t.Errorf("%s: %s", path, h)
				}
			}
		}
	}
	if w.dump() != before {
		t.Error("something was written")
	}
}

func TestReschedule_ToAnOpenTime(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		link := w.link(b, links.Reschedule)
		page := w.get(link + "?slot=" + at("02-03 10:00")).ok()
		form := page.first("#move")
		if page.first("h1").words() != "Move this booking?" || form.attr("action") != link ||
			form.attr("method") != "post" {
			t.Fatal(page.first("main").words())
		}
		to := w.post(link, form.fields()).is(http.StatusSeeOther).header.Get("Location")
		if to != w.link(b, links.Booking) || w.get(to).ok().first("h1").words() != "Your booking has a new time" {
			t.Errorf("it leads to %s", to)
		}
		kept := w.stored(b)
		if slotd.Instant(kept.StartsAt) != at("02-03 10:00") || kept.Sequence != 1 ||
			w.countMails(mail.Rescheduled) != 2 {
			t.Errorf("%v, sequence %d, %d mails", kept.StartsAt, kept.Sequence, w.countMails(mail.Rescheduled))
		}
		w.post(link, form.fields()).is(http.StatusSeeOther) // to the time that it already has
		if kept = w.stored(b); kept.Sequence != 1 || w.countMails(mail.Rescheduled) != 2 {
			t.Errorf("moving it to where it is: sequence %d, %d mails", kept.Sequence, w.countMails(mail.Rescheduled))
		}
	})
}

func TestReschedule_ToATakenTimeOffersTheNearest(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		w.create("intro", at("02-03 10:00"))
		before := w.counts()
		for _, slot := range []string{at("02-03 10:00"), at("02-03 03:00"), at("02-07 10:00"), at("01-05 10:00")} {
			page := w.post(w.link(b, links.Reschedule), url.Values{"slot": {slot}}).is(http.StatusConflict).page()
			near := page.first(".alert").find("a")
			if !strings.Contains(page.first(".alert").words(), "no longer open") || len(near) != 3 {
				t.Errorf("%s: %s", slot, page.first("main").words())
			}
			for _, n := range near {
				w.get(n.attr("href")).ok().first("#move").mustBe(t, "form")
			}
		}
		if kept := w.stored(b); slotd.Instant(kept.StartsAt) != at("02-02 09:00") || w.counts() != before {
			t.Errorf("%v", kept.StartsAt)
		}
	})
}

func TestReschedule_OfACanceledOneSaysSo(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 09:00"))
	w.post(w.link(b, links.Cancel), nil).is(http.StatusSeeOther)
	before := w.dump()
	for _, got := range []answer{
		w.get(w.link(b, links.Reschedule)).is(http.StatusOK),
		w.get(w.link(b, links.Reschedule) + "?slot=" + at("02-02 12:00")).is(http.StatusOK),
		w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-02 12:00")}}).is(http.StatusConflict),
	} {
		if page := got.page(); page.first("h1").words() != "This booking is canceled" || page.has("form") {
			t.Error(page.first("main").words())
		}
	}
	if w.dump() != before {
		t.Error("something was written")
	}
}

func TestReschedule_OfWhatIsNoLongerOffered(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"hidden": func(file string) string {
			return strings.Replace(file, "{slug: fresh,", "{slug: fresh, hidden: true,", 1)
		},
		"retired": func(file string) string {
			return regexp.MustCompile(`(?m)^  - \{slug: fresh,.*\n`).ReplaceAllString(file, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t)
			b := w.create("fresh", at("02-02 09:00"))
			w.apply(change(acme))
			w.clock.Advance(time.Second)
			w.get("/acme/fresh").is(http.StatusNotFound)
			if page := w.get(w.link(b, links.Reschedule)).ok(); !page.has(".month") {
				t.Fatal(page.first("main").words())
			}
			w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-03 10:00")}}).is(http.StatusSeeOther)
			if kept := w.stored(b); slotd.Instant(kept.StartsAt) != at("02-03 10:00") {
				t.Error(kept.StartsAt)
			}
			w.post(w.link(b, links.Cancel), nil).is(http.StatusSeeOther)
			if page := w.get(w.link(b, links.Booking)).ok(); strings.Contains(page.content(), "Book another time") {
				t.Error("it offers what is not offered")
			}
		})
	}
}

func TestReschedule_WithoutAScheduleSaysSo(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("fresh", at("02-02 09:00"))
	_, err := w.raw.Exec("DELETE FROM schedules")
	w.must(err)
	_, err = w.raw.Exec("UPDATE workspace_versions SET version = version + 1, config_version = config_version + 1, " +
		"changed_seq = changed_seq + 1")
	w.must(err)
	w.clock.Advance(time.Second)
	for _, got := range []answer{
		w.get(w.link(b, links.Reschedule)).is(http.StatusOK),
		w.get(w.link(b, links.Reschedule) + "?slot=" + at("02-03 10:00")).is(http.StatusOK),
		w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-03 10:00")}}).is(http.StatusConflict),
	} {
		if text := got.page().first("main").words(); !strings.Contains(text,
			"This can no longer be moved. Please ask Ada Park.") {
			t.Error(text)
		}
	}
}

func TestOwnPages_ThirtyDaysAfterTheEndAreGone(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		last := time.Date(2027, 2, 2, 9, 30, 0, 0, time.UTC).AddDate(0, 0, 30)
		w.clock.Set(last)
		if page := w.get(w.link(b, links.Booking)).ok(); !strings.Contains(page.content(), "grace@example.com") {
			t.Error(page.first("main").words())
		}
		w.clock.Set(last.Add(time.Millisecond))
		for _, purpose := range allPurposes {
			answers := []answer{w.get(w.link(b, purpose)).is(http.StatusNotFound)}
			if slices.Contains(withButton, purpose) {
				answers = append(answers, w.post(w.link(b, purpose),
					url.Values{"slot": {at("03-10 10:00")}}).is(http.StatusNotFound))
			}
			for _, got := range answers {
				for _, secret := range []string{"Grace", "Okafor", "grace@", "Ada", "Intro", "Acme",
					b["booking_id"].(string)} {
					if strings.Contains(got.body, secret) {
						t.Errorf("%s: the page holds %s", purpose, secret)
					}
				}
			}
		}
	})
}

func TestLogs_HoldNoTokenNoAddressAndNoName(t *testing.T) {
	w := newSQLiteWorld(t)
	log := w.captureLog()
	action, fields := w.filled("/acme/intro", at("02-02 09:00"))
	w.post(action, fields)
	w.post(action, url.Values{"name": {"Grace Okafor"}, "slot": {"x"}})
	b := w.create("intro", at("02-02 10:00"))
	for _, purpose := range allPurposes {
		w.get(w.link(b, purpose))
		w.get(w.link(b, purpose) + "x")
	}
	w.get("/acme/intro?email=grace@example.com&name=Grace+Okafor&slot=" + at("02-02 10:00"))
	w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-02 11:00")}})
	w.post(w.link(b, links.Cancel), url.Values{"reason": {"private words"}})
	if log.Len() > 0 {
		t.Errorf("what goes well is no news: %s", log)
	}
	own := w.link(b, links.Booking)
	w.must(w.db.Close()) // from now on everything fails
	for _, purpose := range allPurposes {
		w.get("/b/" + string(purpose) + own[len("/b/booking"):])
	}
	w.get(own)
	w.post(action, fields)
	if !strings.Contains(log.String(), "a page broke") {
		t.Fatal("nothing went wrong")
	}
	for _, secret := range []string{own[len("/b/booking/"):], fields.Get("form"), "grace", "Grace", "Okafor",
		"example.com", "private words", "two\\nlines"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, log)
		}
	}
}
