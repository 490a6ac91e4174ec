package kit

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

func TestRace_CompressRoundTrips(t *testing.T) {
	bodies := [][]byte{nil, []byte("a"), bytes.Repeat([]byte("<td></td>"), 10_000), {0, 1, 2, 0xff}}
	var wg sync.WaitGroup // the writers are shared
	for range 8 {
		wg.Go(func() {
			for _, body := range bodies {
				if got := decompress(Compress(Compress(body))); !bytes.Equal(got, body) {
					t.Errorf("%d bytes became %d", len(body), len(got))
				}
			}
		})
	}
	wg.Wait()
}

func TestGzip_OnlyForThoseWhoAskForIt(t *testing.T) {
	for header, want := range map[string]bool{
		"gzip": true, "gzip, deflate, br, zstd": true, "deflate, gzip;q=0.5": true, "GZIP": true,
		"br;q=1, gzip; q=0.001": true, "gzip;q=1": true,
		"": false, "br": false, "identity": false, "gzip;q=0": false, "gzip; q=0.000": false, "gzip;q=0.0, br": false,
		"xgzip": false, "*": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", header)
		if got := acceptsGzip(r); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

func TestSend_CompressesWhatIsNotPrivate(t *testing.T) {
	html := []byte(strings.Repeat("<p>the same page</p>", 100))
	for _, private := range []bool{false, true} {
		r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", "gzip")
		Send(w, r, 422, html, private)
		body := w.Body.Bytes()
		if zipped := w.Header().Get("Content-Encoding") == "gzip"; zipped == private {
			t.Errorf("private %v, compressed %v", private, zipped)
		} else if zipped {
			body = decompress(body)
		}
		if w.Code != 422 || !bytes.Equal(body, html) || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	}
}

func TestSendCached_IsReadByThoseWithoutGzipToo(t *testing.T) {
	html := []byte("<p>a page</p>")
	for _, kept := range [][]byte{html, Compress(html)} {
		for _, accept := range []string{"gzip", ""} {
			r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
			r.Header.Set("Accept-Encoding", accept)
			SendCached(w, r, "tag", kept)
			body := w.Body.Bytes()
			if w.Header().Get("Content-Encoding") == "gzip" {
				if accept == "" {
					t.Error("it is compressed for who cannot read that")
				}
				body = decompress(body)
			}
			if !bytes.Equal(body, html) || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("%q: %v %q", accept, w.Header(), body)
			}
		}
	}
}

func TestSendTagged_WhoHasItGetsNothing(t *testing.T) {
	for tag, code := range map[string]int{`W/"abc"`: 304, `W/"abd"`: 200, `"abc"`: 304, `"x", W/"abc"`: 304,
		`"x","y"`: 200, "*": 304, "": 200} {
		r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.Header.Set("If-None-Match", tag)
		w.Header().Set("Content-Encoding", "gzip")
		SendTagged(w, r, "abc", []byte("body"))
		if w.Code != code || w.Header().Get("ETag") != `W/"abc"` {
			t.Errorf("%q: %d %v", tag, w.Code, w.Header())
		}
		if code == 304 && (w.Body.Len() > 0 || w.Header().Get("Content-Encoding") != "") {
			t.Errorf("%q: nothing was changed, but %v %q", tag, w.Header(), w.Body)
		}
	}
}
