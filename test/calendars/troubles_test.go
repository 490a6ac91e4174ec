package calendars

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"sync/atomic"
)

// troubles are what calendars' servers do to us, besides being down.
func troubles(elsewhere string) map[string]trouble {
	return map[string]trouble{
		"is slow":     hangs,
		"answers 401": says(http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="x"`),
		"answers 403": says(http.StatusForbidden, "", ""),
		"answers 500": says(http.StatusInternalServerError, "", ""),
		"answers 429": says(http.StatusTooManyRequests, "Retry-After", "3600"),
		"redirects inwards": says(http.StatusTemporaryRedirect, "Location",
			"http://169.254.169.254/latest/meta-data/"),
		"redirects elsewhere":    says(http.StatusTemporaryRedirect, "Location", elsewhere),
		"sends a web page":       webPage,
		"breaks off in mid-file": breaksOff,
		"never has a right tag":  wrongTags,
	}
}

// hangs until the client has had enough.
func hangs(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	io.Copy(io.Discard, r.Body) // only then it is noticed that a client hangs up
	<-r.Context().Done()
}

func says(status int, header, value string) trouble {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		if header != "" {
			w.Header().Set(header, value)
		}
		http.Error(w, "no, "+r.Header.Get("Authorization"), status)
	}
}

func webPage(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	w.Header().Set("Content-Type", "text/html")
	io.WriteString(w, "<!doctype html><title>Sign in</title><p>Please sign in to the hotel's network.")
}

func breaksOff(w http.ResponseWriter, r *http.Request, through http.Handler) {
	whole := record(r, through)
	w.Header().Set("Content-Type", whole.Header().Get("Content-Type"))
	w.Header().Set("Content-Length", strconv.Itoa(whole.Body.Len()))
	w.WriteHeader(whole.Code)
	w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
	panic(http.ErrAbortHandler)
}

func record(r *http.Request, through http.Handler) *httptest.ResponseRecorder {
	whole := httptest.NewRecorder()
	through.ServeHTTP(whole, r)
	return whole
}

var (
	tags  = regexp.MustCompile(`(getetag>)[^<]*<`)
	wrong atomic.Int64
)

// wrongTags gives another tag in each answer.
func wrongTags(w http.ResponseWriter, r *http.Request, through http.Handler) {
	r.Header.Del("Accept-Encoding") // or the tags cannot be found
	tag := fmt.Sprintf(`"wrong-%d"`, wrong.Add(1))
	whole := record(r, through)
	w.Header().Set("Content-Type", whole.Header().Get("Content-Type"))
	w.Header().Set("ETag", tag)
	w.WriteHeader(whole.Code)
	w.Write(tags.ReplaceAll(whole.Body.Bytes(), []byte("${1}"+tag+"<")))
}
