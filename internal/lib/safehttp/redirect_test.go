package safehttp

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestDo_FollowsThreeRedirects(t *testing.T) {
	hops := func(n int) *server {
		return serve(t, func(w http.ResponseWriter, r *http.Request) {
			if done := len(r.URL.Query().Get("hops")); done < n {
				redirectTo("?hops="+strings.Repeat("x", done+1))(w, r)
				return
			}
			answerOK(w, r)
		})
	}
	three, four := hops(3), hops(4)
	succeeds(t, New(loopback), request(t, three.URL))
	if err := fails(t, New(loopback), request(t, four.URL)); err != nil &&
		!strings.Contains(err.Error(), "more than 3 times") {
		t.Error(err)
	}
	four.wantHits(t, 4)
}

func TestDo_FollowsByStatusAndMethod(t *testing.T) {
	for status, follows := range map[int]map[string]bool{
		301: {"GET": true, "PUT": true}, 302: {"GET": true, "PUT": true}, 307: {"GET": true, "PUT": true},
		308: {"GET": true, "PUT": true},
		303: {"GET": true, "PUT": false}, 300: {"GET": false}, 304: {"GET": false}, 305: {"GET": false},
		306: {"GET": false}, 200: {"GET": false},
	} {
		for method, follows := range follows {
			var got string
			to := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = r.Method + " " + string(body)
			})
			from := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to.URL)
				w.WriteHeader(status)
			})
			r, _ := http.NewRequestWithContext(t.Context(), method, from.URL, strings.NewReader("body"))
			resp, err := New(loopback).Do(r)
			if err != nil {
				t.Errorf("%s %d: %v", method, status, err)
				continue
			}
			resp.Body.Close()
			if want := method + " body"; follows && got != want || !follows &&
				(got != "" || resp.StatusCode != status) {
				t.Errorf("%s %d: %q, %d", method, status, got, resp.StatusCode)
			}
		}
	}
}

func TestDo_SaysThatABodyCannotBeSentTwice(t *testing.T) {
	s := serve(t, redirectTo("/elsewhere"))
	r, _ := http.NewRequestWithContext(t.Context(), "PUT", s.URL, io.MultiReader(strings.NewReader("body")))
	if err := fails(t, New(loopback), r); err != nil && !strings.Contains(err.Error(), "twice") {
		t.Error(err)
	}
}

// credentials are the ways in which a request can carry a credential.
var credentials = map[string]func(*http.Request){
	"Authorization": func(r *http.Request) { r.SetBasicAuth("ada", hidden) },
	"bearer":        func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+hidden) },
	"cookie":        func(r *http.Request) { r.Header.Set("Cookie", "session="+hidden) },
	"address":       func(r *http.Request) { r.URL.User = url.UserPassword("ada", hidden) },
}

func TestDo_CarriesACredentialToNoOtherOrigin(t *testing.T) {
	for name, give := range credentials {
		t.Run(name, func(t *testing.T) {
			evil := serve(t, answerOK)
			for _, to := range []string{
				evil.URL, "http://localhost:" + evil.port(), "//127.0.0.1:" + evil.port() + "/" + hidden,
				"http://ada:" + hidden + "@127.0.0.1:" + evil.port(),
				"https://127.0.0.1:" + evil.port(), `\\127.0.0.1:` + evil.port(), "http://127.0.0.1",
				"HTTP://127.0.0.1:" + evil.port(),
			} {
				r := request(t, serve(t, redirectTo(to)).URL)
				give(r)
				if strings.HasPrefix(to, `\\`) { // a browser reads this as //; here it is a path of the same origin
					_ = fails(t, New(loopback), r)
					continue
				}
				if err := fails(t, New(loopback), r); err != nil &&
					!strings.Contains(err.Error(), "a password is only sent to") {
					t.Errorf("%s: %v", to, err)
				}
			}
			evil.wantHits(t, 0)
		})
	}
}

func TestDo_KeepsACredentialOnItsOrigin(t *testing.T) {
	for name, give := range credentials {
		if name == "cookie" {
			continue
		}
		var got string
		var s *server
		s = serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/there" {
				redirectTo("http://eve:other@127.0.0.1:"+s.port()+"/there")(w, r)
				return
			}
			got = r.Header.Get("Authorization")
			answerOK(w, r)
		})
		r := request(t, s.URL)
		give(r)
		succeeds(t, New(loopback), r)
		want := "Basic YWRhOnMzY3JldA=="
		if name == "bearer" {
			want = "Bearer " + hidden
		}
		if got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDo_TakesNoCredentialFromARedirect(t *testing.T) {
	var got http.Header
	to := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		answerOK(w, r)
	})
	s := serve(t, redirectTo("http://eve:"+hidden+"@127.0.0.1:"+to.port()))
	succeeds(t, New(loopback), request(t, s.URL))
	if got.Get("Authorization") != "" || got.Get("Referer") != "" {
		t.Errorf("%v", got)
	}
}

// trusting returns a client that trusts the test server's certificate.
func trusting(s *httptest.Server) *Client {
	c := New(loopback)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	c.http.Transport.(limited).next.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	return c
}

func TestDo_NeverLeavesEncryption(t *testing.T) {
	open := serve(t, answerOK)
	s := httptest.NewTLSServer(redirectTo(open.URL))
	t.Cleanup(s.Close)
	if err := fails(t, trusting(s), request(t, s.URL)); err != nil &&
		!strings.Contains(err.Error(), "without encryption") {
		t.Error(err)
	}
	open.wantHits(t, 0)

	r := request(t, s.URL)
	r.SetBasicAuth("ada", hidden)
	_ = fails(t, trusting(s), r)
	open.wantHits(t, 0)
}

func TestDo_FollowsToNothingButHTTP(t *testing.T) {
	for _, to := range []string{
		"file:///etc/passwd", "FILE://localhost/etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)",
		"data:text/calendar,BEGIN:VCALENDAR", "mailto:x@example.com",
	} {
		err := fails(t, New(loopback), request(t, serve(t, redirectTo(to)).URL))
		if err != nil && !strings.Contains(err.Error(), "isn't http or https") {
			t.Errorf("%s: %v", to, err)
		}
	}
}

func TestDo_RefusesOddLocations(t *testing.T) {
	for _, to := range []string{
		"", "http:", "http://", "http:///x", "https:evil.example", "http://[::1", "http://127.0.0.1:port/",
		"http://a b/",
		"http://127.0.0.1:99999/", "http://%31/", "\x01", "http://127.0.0.1\x7f/", "://", "http://:80/",
	} {
		s := serve(t, redirectTo(to))
		_ = fails(t, named(t, loopback, always("169.254.169.254")), request(t, s.URL))
		s.wantHits(t, 1)
	}
}

// The server of net/http would not write these lines. What follows a line break is a header of the response, never one
// of the next request.
func TestDo_TakesNoHeaderOutOfALocation(t *testing.T) {
	for _, line := range []string{"/x\rEvil: 1", "/x\r\nEvil: 1", "/x\nEvil: 1", "/x\r\n Evil: 1", "/x%0d%0aEvil: 1",
		"/x HTTP/1.1\\r\\nEvil: 1"} {
		sent := make(chan *http.Request, 2*maxRedirects)
		address := listen(t, func(conn net.Conn) {
			sent <- readAndSend(conn, "HTTP/1.1 302 Found\r\nLocation: "+line+
				"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		})
		_ = fails(t, New(loopback), request(t, address))
		for len(sent) > 0 {
			if r := <-sent; r == nil || r.Header.Get("Evil") != "" {
				t.Errorf("%q: %v", line, r)
			}
		}
	}
}

func TestOrigin_HasOneSpelling(t *testing.T) {
	for a, b := range map[string]string{
		"https://Dav.Example/a": "https://dav.example:443/b?c", "http://dav.example": "http://u:p@DAV.example:80/",
		"https://[2A00::1]/": "https://[2a00::1]:443/",
	} {
		if originOf(t, a) != originOf(t, b) {
			t.Errorf("%s and %s", originOf(t, a), originOf(t, b))
		}
	}
	for a, b := range map[string]string{
		"https://dav.example": "http://dav.example", "https://dav.example:8443": "https://dav.example",
		"https://a.dav.example":  "https://dav.example",
		"http://dav.example:443": "https://dav.example:443", "https://dav.example.evil.example": "https://dav.example",
	} {
		if originOf(t, a) == originOf(t, b) {
			t.Errorf("%s and %s are one", a, b)
		}
	}
}

func originOf(t *testing.T, text string) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return Origin(u)
}
