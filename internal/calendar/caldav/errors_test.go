package caldav

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
)

// truncated announces more than it sends.
func truncated(a answer) answer {
	return answer{do: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("Content-Length", fmt.Sprint(len(a.body)))
		w.WriteHeader(a.status)
		io.WriteString(w, a.body[:len(a.body)/2])
	}}
}

func TestChanges_NoFaultIsAnEmptyCalendar(t *testing.T) {
	good := office()
	for name, c := range map[string]struct {
		answer answer
		kind   calendar.Kind
		words  string
	}{
		"401": {answer{status: 401}, calendar.Refused, "doesn't accept the user name"},
		"401 basic": {answer{status: 401, header: map[string]string{"WWW-Authenticate": `Basic realm="x"`}},
			calendar.Refused, "doesn't accept the user name"},
		"401 digest": {answer{status: 401, header: map[string]string{"WWW-Authenticate": `Digest realm="x"`}},
			calendar.Refused, "by Basic authentication"},
		"403": {answer{status: 403}, calendar.Refused, "doesn't allow this user"},
		"404": {answer{status: 404}, calendar.Unusable, "no calendar at this address"},
		"429": {answer{status: 429}, calendar.Unreachable, "asks for a pause"},
		"500": {answer{status: 500}, calendar.Unreachable, "HTTP 500"},
		"503": {answer{status: 503}, calendar.Unreachable, "HTTP 503"},
		"200": {answer{status: 200, body: good["PROPFIND 1"][0].body}, calendar.Unusable,
			"doesn't respond like a CalDAV server"},
		"html": {answer{status: 200, body: "<html>Sign in</html>"}, calendar.Unusable,
			"doesn't respond like a CalDAV server"},
		"html as 207": {answer{status: 207, body: "<html>Sign in</html>",
			header: map[string]string{"Content-Type": "text/html"}}, calendar.Unusable, "doesn't respond like a CalDAV server"},
		"html as xml": {answer{status: 207, body: "<html>Sign in</html>"}, calendar.Unusable, "something other than a list"},
		"no body":     {answer{status: 207}, calendar.Unreachable, "breaks off"},
		"cut xml": {answer{status: 207, body: strings.TrimSuffix(good["PROPFIND 1"][0].body, "</D:multistatus>")},
			calendar.Unreachable, "breaks off"},
		"cut body":     {truncated(good["PROPFIND 1"][0]), calendar.Unreachable, "breaks off"},
		"damaged":      {answer{status: 207, body: "<a></b>"}, calendar.Unusable, ""},
		"no such item": {multistatus(status("/hidden/one.ics", 500)), calendar.Unreachable, "can't show"},
		"no such prop": {multistatus(strings.Replace(resource("/hidden/one.ics", isCalendar), "200 OK", "500 X", 1)),
			calendar.Unreachable, "can't show"},
		"303": {answer{status: 303, header: map[string]string{"Location": "/elsewhere"}}, calendar.Unusable,
			"doesn't respond like a CalDAV server"},
		"redirect loop": {answer{status: 302, header: map[string]string{"Location": "/hidden/"}}, calendar.Unusable,
			"redirects more than"},
	} {
		for _, question := range []string{"PROPFIND 0", "PROPFIND 1"} {
			t.Run(name+" to "+question, func(t *testing.T) {
				_, err := newFake(t, office().with(question, c.answer)).read(t)
				wantError(t, err, c.kind, c.words)
			})
		}
	}
}

func TestChanges_TheAdviceFitsTheFault(t *testing.T) {
	for advice, a := range map[calendar.Advice]answer{
		calendar.CheckPassword: {status: 401},
		calendar.CheckAccess:   {status: 403},
		calendar.CheckAddress:  {status: 404},
		calendar.Wait:          {status: 503},
		calendar.AskProvider:   {status: 207, body: "<a></b>"},
		calendar.CreateCalendar: multistatus(resource("/hidden/",
			"<C:calendar-home-set><D:href>/hidden/</D:href></C:calendar-home-set>")),
	} {
		_, err := newFake(t, office().with("PROPFIND 0", a).with("PROPFIND 1", multistatus())).read(t)
		if e := (*calendar.Error)(nil); !errors.As(err, &e) || e.Advice != advice {
			t.Errorf("want %d, got %+v", advice, e)
		}
	}
}

func TestChanges_AnAnswerWithoutTheCalendar(t *testing.T) {
	for _, a := range []answer{multistatus(), multistatus(status("/hidden/", 404)),
		multistatus(resource("/hidden/", ""))} {
		_, err := newFake(t, office().with("PROPFIND 0", a)).read(t)
		wantError(t, err, calendar.Unusable, "")
	}
}

func TestChanges_AServerThatIsDown(t *testing.T) {
	f := newFake(t, office())
	f.Close()
	_, err := f.read(t)
	wantError(t, err, calendar.Unreachable, "Can't connect to")
}

func TestChanges_ASlowServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake(t, office().with("PROPFIND 1", answer{do: func(_ http.ResponseWriter, r *http.Request) {
		cancel() // the caller gives up while we wait
		<-r.Context().Done()
	}}))
	_, err := f.calendar().Changes(ctx, "", nil)
	wantError(t, err, calendar.Unreachable, "was canceled")
}

func TestChanges_ThePasswordStaysOnItsOrigin(t *testing.T) {
	other := newFake(t, office())
	for name, to := range map[string]string{"another": other.URL + "/hidden/",
		"metadata": "http://169.254.169.254/latest/"} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, office().with("PROPFIND 0", answer{status: 307, header: map[string]string{"Location": to}}))
			_, err := f.read(t)
			wantError(t, err, calendar.Unusable, "redirects to")
		})
	}
	if len(other.requests) > 0 {
		t.Errorf("the other origin was asked %v", other.requests)
	}
}

func TestChanges_APrivateAddressIsNotReached(t *testing.T) {
	c := New(loopback, Account{"http://169.254.169.254/hidden/", "alice", "s3cret"}, reader)
	_, err := c.Changes(t.Context(), "", nil)
	wantError(t, err, calendar.Unusable, "private network")
	_, err = New(loopback, Account{URL: "ftp://x.example/hidden"}, reader).Changes(t.Context(), "", nil)
	wantError(t, err, calendar.Unusable, "https://")
}

func TestChanges_HrefsThatPointElsewhere(t *testing.T) {
	for _, href := range []string{"//evil.example/hidden/x.ics", "https://evil.example/hidden/x.ics", "../x.ics",
		"/x.ics", "/hidden/%2e%2e/x.ics",
		"/hidden/..%2fx.ics", "/hidden/./%2e./x.ics", "/hiddenx.ics", "/hidden/x.ics?a=b", "http://[::1/x.ics", "http://alice@%s/hidden/x.ics"} {
		t.Run(href, func(t *testing.T) {
			f := newFake(t, office())
			href = strings.ReplaceAll(href, "%s", strings.TrimPrefix(f.URL, "http://"))
			f.script.with("PROPFIND 1", multistatus(tagged("/hidden/one.ics", `"1"`), tagged(href, `"2"`)))
			_, err := f.read(t)
			wantError(t, err, calendar.Unusable, "")
			if f.count("GET")+f.count("REPORT calendar-multiget") > 0 {
				t.Error("it went on")
			}
		})
	}
}

func TestChanges_HostileXML(t *testing.T) {
	many := func(n int) answer {
		return answer{do: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(207)
			io.WriteString(w, `<multistatus xmlns="DAV:">`)
			for range n {
				if _, err := io.WriteString(w, `<response/>`); err != nil {
					return
				}
			}
			io.WriteString(w, `</multistatus>`)
		}}
	}
	for name, c := range map[string]struct {
		answer answer
		words  string
	}{
		"entities": {answer{status: 207,
			body: `<!DOCTYPE m [<!ENTITY a "aaaa">]><multistatus xmlns="DAV:">&a;</multistatus>`}, "no calendar needs"},
		"external": {answer{status: 207,
			body: `<!DOCTYPE m SYSTEM "file:///etc/passwd"><multistatus xmlns="DAV:"/>`}, "no calendar needs"},
		"unknown": {answer{status: 207, body: `<multistatus xmlns="DAV:"><response>&a;</response></multistatus>`},
			"damaged XML"},
		"depth": {answer{status: 207, body: `<multistatus xmlns="DAV:">` + strings.Repeat("<a>", 1e5)},
			"no calendar needs"},
		"deep response": {answer{status: 207,
			body: `<multistatus xmlns="DAV:"><response>` + strings.Repeat("<a>", 1e5)}, "no calendar needs"},
		"no root":       {answer{status: 207, body: `<response xmlns="DAV:"/>`}, "something other than a list"},
		"1e6 responses": {many(1e6), "more than 20,000"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newFake(t, office().with("PROPFIND 1", c.answer)).read(t)
			wantError(t, err, calendar.Unusable, c.words)
		})
	}
}

func TestRetryAfter_IsSecondsOrADate(t *testing.T) {
	for text, want := range map[string]time.Duration{"120": 2 * time.Minute, "-5": 0, "99999999999": 24 * time.Hour,
		"999999": 24 * time.Hour, "soon": 0, "": 0,
		"Sun, 10 Jan 2027 10:05:00 GMT": 5 * time.Minute, "Sun, 10 Jan 2027 09:05:00 GMT": 0} {
		f := newFake(t, office().with("PROPFIND 0",
			answer{status: 429, header: map[string]string{"Retry-After": text,
				"Date": "Sun, 10 Jan 2027 10:00:00 GMT"}}))
		_, err := f.read(t)
		wantError(t, err, calendar.Unreachable, "HTTP 429")
		if got := err.(*statusError).err.RetryAfter; got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
