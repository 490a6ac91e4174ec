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

// troubles returns the ways in which calendar servers fail, besides being down.
func troubles(elsewhere string) map[string]trouble {
	return map[string]trouble{
		"is slow":     hangs,
		"answers 401": answerWith(http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="x"`),
		"answers 403": answerWith(http.StatusForbidden, "", ""),
		"answers 500": answerWith(http.StatusInternalServerError, "", ""),
		"answers 429": answerWith(http.StatusTooManyRequests, "Retry-After", "3600"),
		"redirects inwards": answerWith(http.StatusTemporaryRedirect, "Location",
			"http://169.254.169.254/latest/meta-data/"),
		"redirects elsewhere":    answerWith(http.StatusTemporaryRedirect, "Location", elsewhere),
		"sends a web page":       webPage,
		"breaks off in mid-file": breaksOff,
		"never has a right tag":  wrongTags,
	}
}

// hangs does not respond until the client gives up.
func hangs(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	io.Copy(io.Discard, r.Body) // net/http notices a closed connection only after that
	<-r.Context().Done()
}

func answerWith(status int, header, value string) trouble {
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

func breaksOff(w http.ResponseWriter, r *http.Request, backend http.Handler) {
	response := recordResponse(r, backend)
	w.Header().Set("Content-Type", response.Header().Get("Content-Type"))
	w.Header().Set("Content-Length", strconv.Itoa(response.Body.Len()))
	w.WriteHeader(response.Code)
	w.Write(response.Body.Bytes()[:response.Body.Len()/2])
	panic(http.ErrAbortHandler)
}

func recordResponse(r *http.Request, backend http.Handler) *httptest.ResponseRecorder {
	response := httptest.NewRecorder()
	backend.ServeHTTP(response, r)
	return response
}

var (
	etags    = regexp.MustCompile(`(getetag>)[^<]*<`)
	tagCount atomic.Int64
)

// wrongTags returns another ETag in each response.
func wrongTags(w http.ResponseWriter, r *http.Request, backend http.Handler) {
	r.Header.Del("Accept-Encoding") // the tags cannot be replaced in a compressed body
	tag := fmt.Sprintf(`"wrong-%d"`, tagCount.Add(1))
	response := recordResponse(r, backend)
	w.Header().Set("Content-Type", response.Header().Get("Content-Type"))
	w.Header().Set("ETag", tag)
	w.WriteHeader(response.Code)
	w.Write(etags.ReplaceAll(response.Body.Bytes(), []byte("${1}"+tag+"<")))
}
