package feed

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
)

func TestFeed_ExplainsEveryStatus(t *testing.T) {
	for status, c := range map[int]struct {
		kind   calendar.Kind
		advice calendar.Advice
		want   string
	}{
		401: {calendar.Refused, calendar.CheckPassword, "without a user name"},
		403: {calendar.Refused, calendar.CheckPassword, "without a user name"},
		404: {calendar.Unusable, calendar.UseFeedAddress, "no calendar at this address"},
		410: {calendar.Unusable, calendar.UseFeedAddress, "no calendar at this address"},
		408: {calendar.Unreachable, calendar.Wait, "having problems"},
		425: {calendar.Unreachable, calendar.Wait, "having problems"},
		429: {calendar.Unreachable, calendar.Wait, "less often"},
		500: {calendar.Unreachable, calendar.Wait, "having problems"},
		502: {calendar.Unreachable, calendar.Wait, "having problems"},
		503: {calendar.Unreachable, calendar.Wait, "having problems"},
		504: {calendar.Unreachable, calendar.Wait, "having problems"},
		599: {calendar.Unreachable, calendar.Wait, "having problems"},
		201: {calendar.Unusable, calendar.UseFeedAddress, "doesn't send the whole"},
		204: {calendar.Unusable, calendar.UseFeedAddress, "doesn't send the whole"},
		206: {calendar.Unusable, calendar.UseFeedAddress, "doesn't send the whole"},
		300: {calendar.Unusable, calendar.UseFeedAddress, "doesn't send the whole"},
		304: {calendar.Unusable, calendar.AskProvider, "although it wasn't asked"},
		400: {calendar.Unusable, calendar.UseFeedAddress, "doesn't send the whole"},
		406: {calendar.Unusable, calendar.UseFeedAddress, "doesn't send the whole"},
		451: {calendar.Unusable, calendar.UseFeedAddress, "doesn't send the whole"},
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			f := feedAt(serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(status)
				if status != 204 && status != 304 {
					_, _ = io.WriteString(w, ics)
				}
			}))
			e := wantError(t, f, "", c.kind, c.want)
			if !strings.Contains(e.Message, fmt.Sprint(status)) || !strings.Contains(e.Message, "127.0.0.1") ||
				e.Advice != c.advice {
				t.Error(e)
			}
		})
	}
}

func TestFeed_SaysThatThePasswordIsWrong(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	f := New(client(), address, "ada", secret, ical.Reader{Zone: time.UTC})
	wantError(t, f, "", calendar.Refused, "doesn't accept the user name and password")
}

// A server that answers 304 to a client without a copy would make the calendar look free.
func TestFeed_TakesNo304ForACursorWithoutConditions(t *testing.T) {
	unchanged := false
	f := feedAt(serve(t, func(w http.ResponseWriter, r *http.Request) {
		if unchanged {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		send(ics)(w, r)
	}))
	cursor := mustRead(t, f, "").Cursor
	unchanged = true
	wantError(t, f, cursor, calendar.Unusable, "although it wasn't asked")
}

func TestFeed_PassesOnWhenToComeBack(t *testing.T) {
	const now = "Mon, 07 Jan 2030 09:00:00 GMT"
	for header, want := range map[string]time.Duration{
		"120": 2 * time.Minute, "0": 0, "-5": 0, "soon": 0, "": 0, "1.5": 0, "86400": 24 * time.Hour,
		"31536000": 24 * time.Hour, "99999999999999999999999": 24 * time.Hour,
		"Mon, 07 Jan 2030 09:05:00 GMT": 5 * time.Minute, "Mon, 07 Jan 2030 08:00:00 GMT": 0,
		"Tue, 07 Jan 2031 09:00:00 GMT":  24 * time.Hour,
		"Monday, 07-Jan-30 09:05:00 GMT": 5 * time.Minute,
	} {
		for _, status := range []int{429, 503} {
			f := feedAt(serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", now)
				w.Header().Set("Retry-After", header)
				w.WriteHeader(status)
			}))
			if got := wantError(t, f, "", calendar.Unreachable, "").RetryAfter; got != want {
				t.Errorf("%d, %q: %s", status, header, got)
			}
		}
	}
}

func TestFeed_RefusesWhatIsNoCalendar(t *testing.T) {
	half := ics[:strings.Index(ics, "END:VEVENT")]
	for name, c := range map[string]struct{ text, want string }{
		"nothing":             {"", "empty file"},
		"blank lines":         {"\ufeff\r\n \r\n", "empty file"},
		"a web page":          {"<!DOCTYPE html><html><body>Dentist</body></html>", "web page"},
		"a late web page":     {"\n\n  <html>", "web page"},
		"XML":                 {"<?xml version=\"1.0\"?><error/>", "web page"},
		"JSON":                {`{"error":"Dentist"}`, "can't be read"},
		"UTF-16 big endian":   {utf16Of(ics, true), "UTF-16"},
		"UTF-16 small endian": {utf16Of(ics, false), "UTF-16"},
		"UTF-16 without mark": {utf16Of(ics, true)[2:], "UTF-16"},
		"a packed file":       {"\x1f\x8b\x08\x00", "UTF-16 or as something that isn't text"},
		"breaks off":          {half, "can't be read"},
		"without its end":     {strings.TrimSuffix(ics, "END:VCALENDAR\r\n"), "can't be read"},
		"half its end":        {strings.TrimSuffix(ics, "AR\r\n"), "can't be read"},
		"too large":           {ics + strings.Repeat("X-PAD:x\r\n", maxBytes/9), "more than 10 MiB"},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, feedAt(serve(t, send(c.text))), "", calendar.Unusable, c.want) })
	}
}

func utf16Of(text string, bigEndian bool) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		if bigEndian {
			out = append(out, byte(unit>>8), byte(unit))
		} else {
			out = append(out, byte(unit), byte(unit>>8))
		}
	}
	return string(out)
}

func TestFeed_NoticesThatAnAnswerBreaksOff(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, ics)
	z.Close()
	short := packed.String()[:packed.Len()-6]
	for name, answer := range map[string]string{
		"length":  fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(ics)+1, ics),
		"chunked": fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(ics), ics),
		"gzip": fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(short),
			short),
		"damaged": fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(ics),
			ics),
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, feedAt(serveRaw(t, answer)), "", calendar.Unreachable, "stopped in the middle")
		})
	}
	whole := fmt.Sprintf("HTTP/1.0 200 OK\r\n\r\n%s", ics)
	wantWhole(t, mustRead(t, feedAt(serveRaw(t, whole)), "")) // such servers are not rejected
}

func TestFeed_RefusesPackingItDidNotAskFor(t *testing.T) {
	f := feedAt(serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		send(ics)(w, r)
	}))
	wantError(t, f, "", calendar.Unusable, "compresses the calendar")
}

func TestFeed_EndsABombAtTheLimit(t *testing.T) {
	f := feedAt(serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		_, _ = io.WriteString(packed, ics)
		for range maxBytes >> 20 {
			_, _ = packed.Write(make([]byte, 1<<20))
		}
		packed.Close()
	}))
	wantError(t, f, "", calendar.Unusable, "more than 10 MiB")
}

func TestFeed_SaysThatTheServerIsDown(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	wantError(t, feedAt(s.URL+path), "", calendar.Unreachable, "Can't connect to")
	wantError(t, feedAt(serveRaw(t, "")), "", calendar.Unreachable, "closed the connection")
	wantError(t, feedAt(serveRaw(t, "GET "+path+" HTTP/1.1\r\n")), "", calendar.Unreachable, "didn't answer with HTTP")
	wantError(t, feedAt(serveRaw(t, "220 mail.example ESMTP\r\n")), "", calendar.Unreachable, "didn't answer with HTTP")
}

// The deadline is set by the caller. It passes in a synctest bubble, once the server has sent what it sends.
func TestFeed_SaysThatTheServerIsSlow(t *testing.T) {
	for name, c := range map[string]struct{ sent, want string }{
		"no headers": {"", "didn't respond in time"},
		"half a body": {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + ics[:40],
			"didn't send the whole calendar in time"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_, err := slowFeed(c.sent).Changes(ctx, "", nil)
				var e *calendar.Error
				if !errors.As(err, &e) || e.Kind != calendar.Unreachable ||
					!strings.Contains(e.Message, c.want) {
					t.Error(err)
				}
			})
		})
	}
}

// slowFeed returns a feed whose server sends only these bytes. Its connections are pipes.
func slowFeed(sent string) *Feed {
	c := client()
	c.HTTP().Transport = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			_, _ = http.ReadRequest(bufio.NewReader(server))
			_, _ = io.WriteString(server, sent)
			_, _ = io.Copy(io.Discard, server) // until the client hangs up
		}()
		return client, nil
	}}
	return New(c, "http://slow.example"+path, "", "", ical.Reader{Zone: time.UTC})
}

func TestFeed_FollowsNoBadRedirect(t *testing.T) {
	for name, c := range map[string]struct{ to, want string }{
		"metadata":    {"http://169.254.169.254/" + secret, "private network"},
		"mapped":      {"http://[::ffff:169.254.169.254]/" + secret, "private network"},
		"own network": {"http://10.0.0.1:8080/" + secret, "private network"},
		"a file":      {"file:///etc/" + secret, "isn't http or https"},
		"nowhere":     {"http:///" + secret, "an invalid address"},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, feedAt(serve(t, http.RedirectHandler(c.to, http.StatusFound).ServeHTTP)), "",
				calendar.Unusable, c.want)
		})
	}
	wantError(t, feedAt(serve(t, redirects(4, send(ics)))), "", calendar.Unusable, "more than 3 times")

	encrypted := httptest.NewTLSServer(http.RedirectHandler(serve(t, send(ics)), http.StatusFound))
	t.Cleanup(encrypted.Close)
	wantError(t, feedAt(encrypted.URL+path), "", calendar.Unusable, "without encryption")
}

func TestFeed_CarriesItsPasswordNowhereElse(t *testing.T) {
	reached := false
	other := serve(t, func(http.ResponseWriter, *http.Request) { reached = true })
	f := New(client(), serve(t, http.RedirectHandler(other, http.StatusFound).ServeHTTP), "ada", secret,
		ical.Reader{Zone: time.UTC})
	wantError(t, f, "", calendar.Unusable, "a password is only sent to")
	if reached {
		t.Error("the other server was asked")
	}
}

func TestFeed_RefusesAddresses(t *testing.T) {
	for _, address := range []string{"", " ", "calendar.ics", "file:///etc/" + secret, "ftp://feed.example/" + secret,
		"https:///" + secret, "https:feed.example", "webcal:", "http://[::1/" +
			secret, "://", "http://a b/", "http://x\n/"} {
		wantError(t, feedAt(address), "", calendar.Unusable, "isn't valid")
	}
	for _, address := range []string{"http://127.0.0.2/" + secret, "http://10.0.0.1/" + secret,
		"webcal://[::1]/" + secret, "http://ada:" + secret + "@169.254.169.254/"} {
		wantError(t, feedAt(address), "", calendar.Unusable, "private network")
	}
}
