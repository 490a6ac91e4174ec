package safehttp

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func always(addrs ...string) func(string) []string { return func(string) []string { return addrs } }

func TestDo_ReachesNoNameOfThisMachine(t *testing.T) {
	s := serve(t, answerOK)
	c := named(t, nil, always("127.0.0.1"))
	for _, host := range []string{
		"127.0.0.1", "127.255.255.254", "0.0.0.0", "localhost", "LOCALHOST.", "evil.example", "xn--e1afmkfd.example",
		"①②⑦.0.0.1", "0x7f000001", "0x7f.1",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0:0:0:0:0:0:0:1]", "[::1%25lo]",
	} {
		for _, scheme := range []string{"http", "https"} {
			isRefused(t, c, request(t, scheme+"://"+host+":"+s.port()))
		}
	}
	s.wantHits(t, 0)
}

// The resolvers of some systems interpret numbers as addresses; Go's own does not accept them as names.
func TestDo_ReachesNoNumberOfThisMachine(t *testing.T) {
	s := serve(t, answerOK)
	for _, host := range []string{"127.1", "2130706433", "0177.0.0.1", "017700000001", "0", "127.0.0.1."} {
		_ = fails(t, New(nil), request(t, "http://"+host+":"+s.port()))
		_ = fails(t, named(t, nil, always("127.0.0.1")), request(t, "http://"+host+":"+s.port()))
	}
	s.wantHits(t, 0)
}

func TestDo_ReachesNoRefusedNetworkByRedirect(t *testing.T) {
	for name, addrs := range refusedAddrs {
		if name == "loopback" || name == "IPv4-mapped" || name == "with a zone" {
			continue // these lead to where the first request may go, and are tested above
		}
		for _, addr := range addrs {
			if strings.Contains(addr, ":") {
				addr = "[" + addr + "]"
			}
			s := serve(t, redirectTo("http://"+addr+"/"+hidden))
			isRefused(t, New(loopback), request(t, s.URL))
			s.wantHits(t, 1)
		}
	}
}

func TestHTTP_IsGuardedAlike(t *testing.T) {
	s := serve(t, redirectTo("http://169.254.169.254/"))
	r := request(t, s.URL)
	_, err := New(nil).HTTP().Do(r)
	var refused *Refused
	if !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if err := SanitizeError(r.URL.Host, err); strings.Contains(err.Error(), hidden) {
		t.Errorf("%v", err)
	}
	s.wantHits(t, 0)

	resp, err := New(loopback).HTTP().Do(r)
	if err != nil || resp.StatusCode != http.StatusFound {
		t.Errorf("a redirect is followed: %v", err)
	}
	if _, err := New(nil).HTTP().Get("file:///etc/hostname"); err == nil {
		t.Error("files are read")
	}
}

func TestDo_ChecksTheAddressThatItConnectsTo(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close") // so that the next request looks up the name again
		answerOK(w, r)
	})
	var lookups atomic.Int32
	c := named(t, loopback, func(string) []string {
		if lookups.Add(1) == 1 {
			return []string{"127.0.0.1"}
		}
		return []string{"127.0.0.2"}
	})
	r := request(t, "http://feed.example:"+s.port())
	succeeds(t, c, r)
	isRefused(t, c, r)
	if lookups.Load() < 2 {
		t.Error("the name was not looked up again")
	}
	s.wantHits(t, 1)
}

func TestDo_ChecksTheAddressAfterARedirectToTheSameName(t *testing.T) {
	var lookups atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		redirectTo("/elsewhere")(w, r)
	})
	c := named(t, loopback, func(string) []string {
		if lookups.Add(1) == 1 {
			return []string{"127.0.0.1"}
		}
		return []string{"169.254.169.254"}
	})
	isRefused(t, c, request(t, "http://feed.example:"+s.port()))
	s.wantHits(t, 1)
}

func TestDo_TriesNoRefusedAddressAmongOthers(t *testing.T) {
	s := serve(t, answerOK)
	c := named(t, loopback, always("10.0.0.1", "169.254.169.254", "127.0.0.1", "127.0.0.2"))
	succeeds(t, c, request(t, "http://feed.example:"+s.port()))
	s.wantHits(t, 1)
}

func TestDo_LooksForNoProxyInTheEnvironment(t *testing.T) {
	s := serve(t, answerOK)
	// Use a name: net/http uses no proxy for a local address.
	succeeds(t, named(t, loopback, always("127.0.0.1")), request(t, "http://feed.example:"+s.port()))
	s.wantHits(t, 1)
	isRefused(t, named(t, loopback, always("10.0.0.1")), request(t, "https://feed.example"))
}

func TestDo_ReadsNothingButHTTP(t *testing.T) {
	for _, address := range []string{"file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "unix:///run/x",
		"//127.0.0.1/", "/x", "http:", "https:///x", "http:127.0.0.1"} {
		_ = fails(t, New(loopback), request(t, address))
	}
}
