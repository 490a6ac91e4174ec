package davtest

import (
	"net/http"
	"strings"
	"testing"
)

const event = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//test\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTAMP:20270101T000000Z\r\n" +
	"DTSTART:20270110T100000Z\r\nDTEND:20270110T110000Z\r\nSUMMARY:One\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

func TestServers_KeepWhatIsPutAndAskForThePassword(t *testing.T) {
	for name, start := range map[string]func(testing.TB) Server{"radicale": Radicale, "xandikos": Xandikos} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			s.Put(t, "one.ics", event)
			if text := s.Text(t, "one.ics"); !strings.Contains(text, "UID:one") {
				t.Errorf("got %q", text)
			}
			s.Delete(t, "one.ics")
			if text := s.Text(t, "one.ics"); text != "" {
				t.Errorf("still there: %q", text)
			}
			s.Password = "wrong"
			if status, _ := s.send(t, "GET", s.Calendar, "", ""); status != http.StatusUnauthorized {
				t.Errorf("a wrong password is answered with %d", status)
			}
		})
	}
}
