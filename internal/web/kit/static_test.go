package kit

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// static asks for a file as the server's routes do. headers are name and value in turn.
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

func TestStatic_EveryFileIsWhatItSays(t *testing.T) {
	kinds := map[string]string{
		"embed.js": "text/javascript; charset=utf-8", "pages.js": "text/javascript; charset=utf-8",
		"style.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml",
		"settings.js": "text/javascript; charset=utf-8", "hours.js": "text/javascript; charset=utf-8",
		"passkeys.js": "text/javascript; charset=utf-8", "event_type.js": "text/javascript; charset=utf-8",
		"look.js": "text/javascript; charset=utf-8", "settings.css": "text/css; charset=utf-8",
		"icons.svg": "image/svg+xml", "icon.png": "image/png", "robots.txt": "text/plain; charset=utf-8",
		"places.json": "application/json",
	}
	for name := range files() {
		path, err := Asset(name)
		if err != nil {
			t.Fatal(err)
		}
		plain, zipped := static(t, path), static(t, path, "Accept-Encoding", "gzip")
		if plain.Code != 200 || plain.Header().Get("Content-Type") != kinds[name] ||
			plain.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, plain.Code, plain.Header())
		}
		body := zipped.Body.Bytes()
		if zipped.Header().Get("Content-Encoding") == "gzip" {
			body = decompress(body)
		}
		if !bytes.Equal(body, plain.Body.Bytes()) || len(body) == 0 {
			t.Errorf("%s: %d bytes compressed, %d plain", name, len(body), plain.Body.Len())
		}
		if zipped.Body.Len() > plain.Body.Len() || plain.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: compressing it is no gain", name)
		}
	}
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
	for _, name := range []string{"nothing.js", "style.css.map", "..%2fui.go", "..%2ftemplates%2flayout.html",
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

// The policy of the pages forbids what stands in the page itself, so templates must not count on it.
func TestTemplates_HoldNoScriptAndNoStyle(t *testing.T) {
	forbidden := regexp.MustCompile(`(?i)<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:|<script>|<iframe|<object|<base`)
	names, err := fs.Glob(templateFiles, "templates/*.html")
	owners, _ := fs.Glob(templateFiles, "templates/owner/*.html")
	if err != nil || len(names) < 8 || len(owners) < 8 {
		t.Fatal(names, owners, err)
	}
	for _, name := range append(names, owners...) {
		body, _ := templateFiles.ReadFile(name)
		if found := forbidden.Find(body); found != nil {
			t.Errorf("%s holds %q", name, found)
		}
	}
}
