package worker

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"slotd"
	"slotd/internal/calendar/calsync"
)

func (w *connected) detail(name string) string {
	return fmt.Sprintf(`{"calendar":%d}`, w.calendar(name).ID)
}

// revoke reads the calendar once, and then revokes our access to it.
func (w *connected) revoke() {
	w.T.Helper()
	w.Must(w.reads.RunDue(background))
	w.google.RevokeGrant()
	w.Clock.Advance(time.Hour)
	w.Must(w.reads.RunDue(background))
}

func TestCalendarMail_OneMailThatSaysWhatToDo(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.revoke()
		w.Clock.Advance(24 * time.Hour)
		w.Must(w.reads.RunDue(background))
		w.run()
		mails := w.box.Empty()
		if len(mails) != 1 || mails[0].To != "ada@acme.example" {
			t.Fatalf("got the mails %+v", mails)
		}
		l := parseMail(t, mails[0])
		if !l.says("slotd calendar connect --workspace acme") || !l.says(`"office"`) ||
			!strings.Contains(l.header.Get("Subject"), "office") {
			t.Errorf("subject %q, text:\n%s", l.header.Get("Subject"), l.texts["text/plain"])
		}
		for _, secret := range []string{"access-", "refresh-", "s3cret"} {
			if strings.Contains(string(mails[0].Data), secret) {
				t.Errorf("the mail holds %s", secret)
			}
		}
		w.run()
		if again := w.box.Empty(); len(again) != 0 {
			t.Errorf("and more: %+v", again)
		}
	})
}

func TestCalendarMail_NoneForACalendarThatWasNeverRead(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.google.RevokeGrant()
		w.Must(w.reads.RunDue(background))
		w.run()
		if mails := w.box.Empty(); len(mails) != 0 {
			t.Errorf("got the mails %+v", mails)
		}
	})
}

// The server's error message may repeat what we sent.
func TestCalendarMail_HoldsNoPassword(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		var locked atomic.Bool
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			if locked.Load() {
				http.Error(out, r.Header.Get("Authorization")+r.URL.Path, http.StatusUnauthorized)
				return
			}
			fmt.Fprint(out, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
		}))
		t.Cleanup(server.Close)
		w.File.Calendars = []slotd.Calendar{{Name: "club", Type: slotd.ICSFeed, URL: server.URL + "/hidden-path.ics",
			Username: "ada", StaleAfterMinutes: 15}}
		w.PutWithPasswords(w.File, map[string]string{"club": "correct horse"})
		w.Must(w.reads.RunDue(background))
		locked.Store(true)
		w.Clock.Advance(time.Hour)
		w.Must(w.reads.RunDue(background))
		w.run()
		mails := w.box.Empty()
		if len(mails) != 1 {
			t.Fatalf("got the mails %+v", mails)
		}
		l := parseMail(t, mails[0])
		for _, secret := range []string{"correct horse", "hidden-path", "YWRhOmNvcnJlY3QgaG9yc2U="} {
			if strings.Contains(string(mails[0].Data), secret) || l.says(secret) {
				t.Errorf("the mail holds %s", secret)
			}
		}
		if !l.says("doesn't accept the user name and password") || !l.says("Check its user name and password.") ||
			!l.says("slotd apply -f FILE") {
			t.Errorf("text:\n%s", l.texts["text/plain"])
		}
	})
}

func TestCalendarMail_IsNotSentWhenItIsOver(t *testing.T) {
	for name, over := range map[string]func(w *connected){
		"mended": func(w *connected) {
			w.google.RefuseTokens("")
			w.File.Host.Email = "other@acme.example" // makes the calendar be read again
			w.PutFile()
			w.Must(w.reads.RunDue(background))
		},
		"disconnected": func(w *connected) {
			w.File.Calendars = nil
			w.PutFile()
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachConnected(t, func(t *testing.T, w *connected) {
				w.revoke()
				if n := len(w.pending(calsync.OwnerMailJob)); n != 1 {
					t.Fatalf("%d mails wait", n)
				}
				over(w)
				w.run()
				if mails := w.box.Empty(); len(mails) != 0 || len(w.pending(calsync.OwnerMailJob)) != 0 {
					t.Errorf("got the mails %+v, left: %+v", mails, w.pending(calsync.OwnerMailJob))
				}
			})
		})
	}
}

func TestCalendarMail_IsTriedAgainUntilItIsSent(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.revoke()
		w.box.Fail(errors.New("no route"))
		w.run()
		w.box.Fail(nil)
		if left := w.pending(calsync.OwnerMailJob); len(left) != 1 || left[0].Failures != 1 {
			t.Fatalf("left: %+v", left)
		}
		w.runAt(w.Clock.Now().Add(time.Minute))
		if mails := w.box.Empty(); len(mails) != 1 {
			t.Errorf("got the mails %+v", mails)
		}
	})
}
