package main

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// serveMetrics listens on a port of its own, which is not meant for the public.
func (s *server) serveMetrics(ctx context.Context) error {
	if s.flags.metricsListen == "" {
		return nil
	}
	l, err := net.Listen("tcp", s.flags.metricsListen)
	if err != nil {
		return fmt.Errorf("listen for metrics on %s: %w", s.flags.metricsListen, err)
	}
	srv := &http.Server{Handler: s.metrics(), ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout, IdleTimeout: idleTimeout}
	go srv.Serve(l)
	context.AfterFunc(ctx, func() { srv.Close() })
	return nil
}

func (s *server) metrics() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "slotd_requests_active", Help: "Requests under way.",
		}, func() float64 { return float64(s.state.active.Load()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "slotd_pictures_loaded_total", Help: "Workspaces read from the database because they were new or had changed elsewhere.",
		}, func() float64 { return float64(s.shelf.Loads.Load()) }),
	)
	for outcome, count := range s.mcp.Outcomes() {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "slotd_tool_calls_total", Help: "Tool calls by tool and outcome.",
			ConstLabels: prometheus.Labels{"tool": outcome.Tool, "outcome": outcome.Code},
		}, func() float64 { return float64(count.Load()) }))
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux
}
