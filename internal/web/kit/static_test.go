package kit

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// static requests a file through a route like the server's. headers alternates names and values.
func static(t *testing.T, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/static/{hash}/{name}", func(w http.ResponseWriter, r *http.Request) {
		if !Static(w, r) {
			http.NotFound(w, r)
		}
	})
	r, w := httptest.NewRequest("GET", path, nil), httptest.NewRecorder()
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	mux.ServeHTTP(w, r)
	return w
}

func TestStatic_IsKeptForEverOnlyUnderItsOwnHash(t *testing.T) {
	path, _ := Asset("style.css")
	for at, want := range map[string]string{path: "public, max-age=31536000, immutable",
		"/static/0000000000000000/style.css": "no-store"} {
		if got := static(t, at).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
	tag := static(t, path).Header().Get("ETag")
	if again := static(t, path, "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("who has it gets %d and %d bytes", again.Code, again.Body.Len())
	}
}

func TestStatic_TheHashIsTheContents(t *testing.T) {
	if a, b := newFile("a.css", []byte("a")), newFile("a.css", []byte("b")); a.hash == b.hash {
		t.Error("another content has the same hash")
	}
}

func TestStatic_NothingElseIsAFile(t *testing.T) {
	for _, name := range []string{"nothing.js", "style.css.map", "..%2fkit.go", "kit.go", "layout.html", "parts.html", "..%2flayout.html",
		"%2fetc%2fpasswd", "static", "style.css%00", "Style.css", "%20style.css"} {
		if got := static(t, "/static/x/"+name); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d %.80q", name, got.Code, got.Body)
		}
	}
	if _, err := Asset("nothing.js"); err == nil {
		t.Error("a template may name a file that is not there")
	}
}

func TestPlaces_AreNamesToTypeAndSmallOnTheWire(t *testing.T) {
	path, _ := Asset("places.json")
	var names []string
	if err := json.Unmarshal(static(t, path).Body.Bytes(), &names); err != nil || len(names) < 400 {
		t.Fatalf("%d names, %v", len(names), err)
	}
	if all := strings.Join(names, "\n"); !strings.Contains(all, "Berlin") || strings.Contains(all, "<") {
		t.Error("the list is not one of places")
	}
}
