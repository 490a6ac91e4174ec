package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"

	"slotd/internal/jobs"
)

// serveMetrics serves the metrics on their own address, which is not meant to be public.
func (s *Server) serveMetrics(ctx context.Context) error {
	if s.MetricsListen == "" {
		return nil
	}
	l, err := net.Listen("tcp", s.MetricsListen)
	if err != nil {
		return fmt.Errorf("listen for metrics on %s: %w", s.MetricsListen, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", s.serveMetricsPage)
	srv := s.newHTTPServer(mux)
	go srv.Serve(l)
	context.AfterFunc(ctx, func() { srv.Close() })
	return nil
}

// serveMetricsPage writes the Prometheus text format by hand. It is a few lines, and the client library took a tenth of
// slotd's build time.
func (s *Server) serveMetricsPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	writeMetric(w, "slotd_build_info", "gauge", "The version that runs.",
		fmt.Sprintf(`{version=%q,commit=%q,go=%q} 1`, s.Version, s.Commit, runtime.Version()))
	writeMetric(w, "slotd_requests_active", "gauge", "Requests under way.", fmt.Sprintf(" %d", s.state.active.Load()))
	writeMetric(w, "slotd_pictures_loaded_total", "counter",
		"Workspaces read from the database because they were new or had changed elsewhere.",
		fmt.Sprintf(" %d", s.Cache.Loads.Load()))
	var calls []string
	for outcome, count := range s.mcp.Outcomes() {
		calls = append(calls, fmt.Sprintf(`{outcome=%q,tool=%q} %d`, outcome.Code, outcome.Tool, count.Load()))
	}
	slices.Sort(calls)
	writeMetric(w, "slotd_tool_calls_total", "counter", "Tool calls by tool and outcome.", calls...)
	s.writeJobMetrics(w, r)
	writeMetric(w, "go_goroutines", "gauge", "Goroutines that exist.", fmt.Sprintf(" %d", runtime.NumGoroutine()))
	writeMetric(w, "go_memstats_heap_alloc_bytes", "gauge", "Bytes of live and not yet collected objects.",
		fmt.Sprintf(" %d", memory.HeapAlloc))
	writeMetric(w, "go_memstats_sys_bytes", "gauge", "Bytes taken from the system.", fmt.Sprintf(" %d", memory.Sys))
}

func (s *Server) writeJobMetrics(w io.Writer, r *http.Request) {
	var failed, overdue []string
	for _, queue := range jobs.Queues {
		health, err := jobs.CheckHealth(r.Context(), s.DB, queue, s.Now())
		if err != nil { // the metrics are then missing, which also raises an alarm
			return
		}
		failed = append(failed, fmt.Sprintf(`{queue=%q} %d`, queue, health.Failed))
		overdue = append(overdue, fmt.Sprintf(`{queue=%q} %.0f`, queue, health.Overdue.Seconds()))
	}
	writeMetric(w, "slotd_jobs_failed", "gauge", "Jobs that were given up.", failed...)
	writeMetric(w, "slotd_jobs_overdue_seconds", "gauge",
		"How long the first job in the queue has been waiting beyond its time.", overdue...)
}

// writeMetric writes one metric. A sample is its labels and its value.
func writeMetric(w io.Writer, name, kind, help string, samples ...string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s%s\n", name, help, name, kind, name, strings.Join(samples, "\n"+name))
}
