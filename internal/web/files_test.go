// Package web_test checks the templates and static files of all pages together.
package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"slotd/internal/web/kit"
	_ "slotd/internal/web/owner"
	_ "slotd/internal/web/public"
)

// filesOf lists the files below this folder with one of the extensions.
func filesOf(t *testing.T, extensions ...string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		for _, ext := range extensions {
			if filepath.Ext(path) == ext {
				names = append(names, path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// static requests a file through a route like the server's.
func static(path, encoding string) *httptest.ResponseRecorder {
	mux := http.NewServeMux()
	mux.HandleFunc("/static/{hash}/{name}", func(w http.ResponseWriter, r *http.Request) {
		if !kit.Static(w, r) {
			http.NotFound(w, r)
		}
	})
	r, w := httptest.NewRequest("GET", path, nil), httptest.NewRecorder()
	r.Header.Set("Accept-Encoding", encoding)
	mux.ServeHTTP(w, r)
	return w
}

func TestStatic_EveryFileIsWhatItSays(t *testing.T) {
	kinds := map[string]string{
		".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
		".png": "image/png", ".txt": "text/plain; charset=utf-8", ".json": "application/json",
	}
	names := append(filesOf(t, ".js", ".css", ".svg", ".png", ".txt"), "places.json")
	if len(names) != 14 {
		t.Errorf("%d files: %v", len(names), names)
	}
	for _, name := range names {
		path, err := kit.Asset(filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		plain, zipped := static(path, ""), static(path, "gzip")
		if plain.Code != 200 || plain.Header().Get("Content-Type") != kinds[filepath.Ext(name)] ||
			plain.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, plain.Code, plain.Header())
		}
		if body := unzipped(t, zipped); !bytes.Equal(body, plain.Body.Bytes()) || len(body) == 0 {
			t.Errorf("%s: %d bytes compressed, %d plain", name, len(body), plain.Body.Len())
		}
		if zipped.Body.Len() > plain.Body.Len() || plain.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: compressing it is no gain", name)
		}
		if onDisk, err := os.ReadFile(name); err == nil && !bytes.Equal(onDisk, plain.Body.Bytes()) {
			t.Errorf("%s: another file is served", name)
		}
	}
}

func unzipped(t *testing.T, w *httptest.ResponseRecorder) []byte {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.Bytes()
	}
	r, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// The pages' Content-Security-Policy forbids inline scripts and styles, so templates must not use them.
func TestTemplates_HoldNoScriptAndNoStyle(t *testing.T) {
	forbidden := regexp.MustCompile(`(?i)<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:|<script>|<iframe|<object|<base`)
	names := filesOf(t, ".html")
	if len(names) < 46 {
		t.Fatalf("%d templates: %v", len(names), names)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := forbidden.Find(body); found != nil {
			t.Errorf("%s holds %q", name, found)
		}
	}
}
