package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServe_HealthRoutes(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		s := pl.serve(nil)
		for _, path := range []string{"/healthz", "/readyz"} {
			if body := s.awaitOK("GET", path); body == "" {
				t.Errorf("GET %s answers nothing", path)
			}
			if body := s.awaitOK("HEAD", path); body != "" {
				t.Errorf("HEAD %s: %s", path, body)
			}
			for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
				if status, _, header := s.ask(method, path, ""); status != 405 ||
					!strings.Contains(header.Get("Allow"), "GET") {
					t.Errorf("%s %s: %d, Allow %q", method, path, status, header.Get("Allow"))
				}
			}
		}
	})
}

func TestServe_UnknownPathsAre404(t *testing.T) {
	s := onSQLite(t).serve(nil)
	for _, path := range []string{"/api", "/api/", "/api/mcp/x", "/healthz/x", "/metrics", "/debug/pprof/",
		"/.git/config"} {
		if status, body, _ := s.ask("GET", path, ""); status != 404 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, body, _ := s.ask("POST", "/api/mcp/", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Content-Type",
		"application/json"); status != 200 || !strings.Contains(body, `"result"`) {
		t.Errorf("a slash too many does not lead to the endpoint: %d %s", status, body)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestServe_DataIsForItsOwnerAndTheKeyStays(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		key := filepath.Join(pl.Data, "secret.key")
		var kept string
		for start := range 2 {
			s := pl.serve(nil)
			if m := mode(t, pl.Data); m != 0o700 {
				t.Errorf("the data directory has mode %o", m)
			}
			if m := mode(t, key); m != 0o600 {
				t.Errorf("secret.key has mode %o", m)
			}
			text, err := os.ReadFile(key)
			if err != nil || len(strings.TrimSpace(string(text))) < 43 {
				t.Fatalf("%q, %v", text, err)
			}
			if start > 0 && string(text) != kept {
				t.Error("a restart made another key")
			}
			kept = string(text)
			s.Terminate(t)
			if exit := s.Wait(t); exit != 0 {
				t.Errorf("exit %d: %s", exit, s.Log)
			}
		}
		if other := onSQLite(t); true {
			other.serve(nil)
			if text, err := os.ReadFile(filepath.Join(other.Data, "secret.key")); err != nil || string(text) == kept {
				t.Errorf("two deployments have the same key (%v)", err)
			}
		}
	})
}

func TestServe_SecretKeyFileMayLieElsewhere(t *testing.T) {
	pl := onSQLite(t)
	key := filepath.Join(t.TempDir(), "elsewhere.key")
	pl.serve(nil, "--secret-key-file", key)
	if m := mode(t, key); m != 0o600 {
		t.Errorf("mode %o", m)
	}
	if _, err := os.Stat(filepath.Join(pl.Data, "secret.key")); !os.IsNotExist(err) {
		t.Errorf("and another in the data directory: %v", err)
	}
}

func TestServe_LinksStartWithTheListenAddress(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	s := pl.serve(nil)
	if text := s.list("acme"); !strings.Contains(text, `"booking_url":"`+s.url+`/acme/intro"`) {
		t.Error(text)
	}
}

func TestServe_WithoutAHostWarnsAndLinksToLocalhost(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		pl := onSQLite(t)
		pl.mustApply(acme)
		s := start(t, nil, append([]string{"serve", "--listen", listen}, pl.flags...)...)
		address := s.AwaitServing(t)
		port := address[strings.LastIndexByte(address, ':')+1:]
		s.url = "http://127.0.0.1:" + port
		if text := s.list("acme"); !strings.Contains(text, `"booking_url":"http://localhost:`+port+`/acme/intro"`) {
			t.Errorf("%s: %s", listen, text)
		}
		if log := s.Log.String(); !strings.Contains(log, "level=WARN") || !strings.Contains(log, "localhost") ||
			!strings.Contains(log, "--base-url") {
			t.Errorf("%s: no warning: %s", listen, log)
		}
	}
}

func TestServe_BaseURLIsUsedStoredAndSilencesTheWarning(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	s := start(t, env{"SLOTD_BASE_URL": "https://Book.example/"},
		append([]string{"serve", "--listen", "0.0.0.0:0"}, pl.flags...)...)
	address := s.AwaitServing(t)
	s.url = "http://127.0.0.1" + address[strings.LastIndexByte(address, ':'):]
	if text := s.list("acme"); !strings.Contains(text, `"booking_url":"https://book.example/acme/intro"`) {
		t.Error(text)
	}
	if strings.Contains(s.Log.String(), "level=WARN") {
		t.Error(s.Log.String())
	}
	pl.wantSame("stored base URL", pl.rows("SELECT value FROM settings WHERE name = 'base_url'"),
		[]string{"https://book.example"})
}

func TestServe_PortInUseIsExit1(t *testing.T) {
	s := onSQLite(t).serve(nil)
	pl := onSQLite(t)
	second := start(t, nil, append([]string{"serve", "--listen", strings.TrimPrefix(s.url, "http://")}, pl.flags...)...)
	if exit := second.Wait(t); exit != 1 || !strings.Contains(second.Log.String(), "address already in use") {
		t.Errorf("exit %d: %s", exit, second.Log)
	}
}

func TestServe_WithoutItsDatabaseIsExit1(t *testing.T) {
	s := start(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--database",
		"postgres://ada:hunter2@127.0.0.1:1/slotd")
	if exit := s.Wait(t); exit != 1 || strings.Contains(s.Log.String()+s.Out.String(), "hunter2") {
		t.Errorf("exit %d: %s", exit, s.Log)
	}
}
