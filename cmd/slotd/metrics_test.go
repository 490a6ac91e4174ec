package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"slotd/internal/store/testdb"
)

func TestMetrics_AreOnTheirOwnPortOnly(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	address := testdb.FreeAddr(t)
	s := pl.serve(nil, "--metrics-listen", address)
	for range 3 {
		s.list("acme")
	}
	s.call("", "create_booking", bookingOf("intro", slotIn(2)))
	response, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		t.Fatalf("%d, %v", response.StatusCode, err)
	}
	found := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "slotd_tool_calls_total{") && !strings.HasSuffix(line, " 0") {
			found[line] = true
		}
	}
	if len(found) != 2 || !found[`slotd_tool_calls_total{outcome="ok",tool="list_public_event_types"} 3`] ||
		!found[`slotd_tool_calls_total{outcome="unauthorized",tool="create_booking"} 1`] {
		t.Errorf("%v", found)
	}
	for _, want := range []string{"go_goroutines ", "slotd_requests_active ", "slotd_pictures_loaded_total 1\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in:\n%s", want, text)
		}
	}
	if status, _, _ := s.ask("GET", "/metrics", ""); status != 404 {
		t.Errorf("the public port answers /metrics with %d", status)
	}
	if response, err := http.Get("http://" + address + "/healthz"); err != nil || response.StatusCode != 404 {
		t.Errorf("the metrics port serves more than metrics: %v, %v", response, err)
	}
}
