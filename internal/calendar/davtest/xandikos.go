package davtest

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"slotd/internal/store/testdb"
)

// Xandikos starts a Xandikos server. It does not support passwords, so a proxy in front of it checks them.
func Xandikos(t testing.TB) Server {
	t.Helper()
	addr := testdb.FreeAddr(t)
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	start(t, "Xandikos", "Running on", "/usr/bin/xandikos", "-l", host, "-p", port, "-d", t.TempDir(),
		"--autocreate", "--defaults", "--current-user-principal", "/"+username+"/")
	proxy := httptest.NewServer(requirePassword(&url.URL{Scheme: "http", Host: addr}))
	t.Cleanup(proxy.Close)
	home := proxy.URL + "/" + username + "/calendars/"
	s := Server{URL: proxy.URL + "/", Username: username, Password: password, Calendar: home + "office/"}
	s.must(t, "MKCALENDAR", s.Calendar, "", "")
	s.must(t, "DELETE", home+"calendar/", "", "") // created by --defaults
	return s
}

func requirePassword(server *url.URL) http.Handler {
	proxy := httputil.NewSingleHostReverseProxy(server)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, secret, _ := r.BasicAuth()
		if name != username || subtle.ConstantTimeCompare([]byte(secret), []byte(password)) == 0 {
			w.Header().Set("WWW-Authenticate", `Basic realm="xandikos"`)
			http.Error(w, "who is there?", http.StatusUnauthorized)
			return
		}
		proxy.ServeHTTP(w, r)
	})
}
