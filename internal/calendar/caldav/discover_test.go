package caldav

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slotd/internal/calendar"
)

// TestMain makes the process trust the certificate of the test servers, before anything reads the system's
// certificates.
func TestMain(m *testing.M) {
	s := httptest.NewTLSServer(nil)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	s.Close()
	dir, err := os.MkdirTemp("", "slotd-caldav-")
	if err != nil {
		panic(err)
	}
	file := filepath.Join(dir, "certificate.pem")
	if err := os.WriteFile(file, certificate, 0o600); err != nil {
		panic(err)
	}
	os.Setenv("SSL_CERT_FILE", file)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// pointing is an account whose home is at the address.
func pointing(home string) script {
	return script{"PROPFIND 0": {multistatus(resource("/",
		`<D:current-user-principal><D:href>/me/</D:href></D:current-user-principal>`)),
		multistatus(resource("/me/", `<C:calendar-home-set><D:href>`+home+`</D:href></C:calendar-home-set>`))}}
}

var homeOfThree = script{"PROPFIND 1": {multistatus(
	resource("/home/", `<D:resourcetype><D:collection/></D:resourcetype>`),
	resource("/home/team", isCalendar+`<D:displayname>Team</D:displayname>`),
	resource("/home/tasks/", isCalendar+
		`<C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set>`),
	resource("/home/shared/", isCalendar+
		`<D:current-user-privilege-set><D:privilege><D:read/></D:privilege></D:current-user-privilege-set>`))}}

func TestDiscover_FollowsHTTPSOnTheSameHostOnly(t *testing.T) {
	home := newFake(t, homeOfThree)
	secure := httptest.NewTLSServer(home)
	t.Cleanup(secure.Close)
	front := newFake(t, pointing(secure.URL+"/home/"))
	found, err := Discover(t.Context(), loopback, Account{front.URL, "alice", "s3cret"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || found[0] != (Found{secure.URL + "/home/shared/", "shared", false}) ||
		found[1] != (Found{secure.URL + "/home/team/", "Team", true}) {
		t.Errorf("got %+v", found)
	}

	for _, to := range []string{home.URL + "/home/", "https://dav.example.com/home/", "//evil.example/"} {
		_, err := Discover(t.Context(), loopback, Account{newFake(t, pointing(to)).URL, "alice", "s3cret"})
		_, host, _ := strings.Cut(strings.TrimSuffix(to, "home/"), "//")
		wantError(t, err, calendar.Unusable, strings.Trim(host, "/"))
	}
	if n := home.count("PROPFIND 1"); n != 1 {
		t.Errorf("the password went to the plain one: %d", n)
	}
}

func TestChanges_AnAccountWithItsHomeElsewhereIsNotRead(t *testing.T) {
	home := newFake(t, homeOfThree)
	secure := httptest.NewTLSServer(home)
	t.Cleanup(secure.Close)
	c := New(loopback, Account{newFake(t, pointing(secure.URL+"/home/")).URL, "alice", "s3cret"}, reader)
	_, err := c.Changes(t.Context(), "", nil)
	wantError(t, err, calendar.Unusable, "The account's calendars aren't on")
	_, err = c.Put(t.Context(), entry("20270110T100000Z"), calendar.EntryRef{})
	wantError(t, err, calendar.Unusable, "The account's calendars aren't on")
	if len(home.requests) > 0 {
		t.Errorf("it was asked %v", home.requests)
	}
}

func TestPut_AnAccountWithOneWritableCalendar(t *testing.T) {
	s := pointing("/home/")
	s["PROPFIND 1"], s["PUT"] = homeOfThree["PROPFIND 1"],
		[]answer{{status: 201, header: map[string]string{"ETag": `"1"`}}}
	c := New(loopback, Account{newFake(t, s).URL, "alice", "s3cret"}, reader)
	if ref := mustPut(t, c, entry("20270110T100000Z"), calendar.EntryRef{}); ref.ID != "/home/team/"+bookingName {
		t.Errorf("it went to %s", ref.ID)
	}
}

func TestChanges_AnAccountWithoutCalendarsIsAnError(t *testing.T) {
	s := pointing("/home/")
	s["PROPFIND 1"] = []answer{multistatus(resource("/home/", `<D:resourcetype><D:collection/></D:resourcetype>`))}
	_, err := New(loopback, Account{newFake(t, s).URL, "alice", "s3cret"}, reader).Changes(t.Context(), "", nil)
	wantError(t, err, calendar.Unusable, "no calendar for events")
}

func TestIsSameDomain_IsAboutRegistrableDomains(t *testing.T) {
	for pair, want := range map[string]bool{
		"caldav.icloud.com p12-caldav.icloud.com": true,
		"Dav.Example.com dav.example.COM":         true,
		"example.com dav.example.com":             true,
		"a.co.uk b.co.uk":                         false,
		"a.github.io b.github.io":                 false,
		"example.com example.org":                 false,
		"example.com notexample.com":              false,
		"10.0.0.1 127.0.0.1":                      false,
		"127.0.0.1 127.0.0.1":                     true,
		"localhost com":                           false,
		"::1 ::2":                                 false,
	} {
		a, b, _ := strings.Cut(pair, " ")
		if got := isSameDomain(a, b); got != want {
			t.Errorf("%s: got %v", pair, got)
		}
	}
}
