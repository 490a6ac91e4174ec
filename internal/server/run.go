package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	headerTimeout = 5 * time.Second
	bodyTimeout   = 10 * time.Second
	writeTimeout  = 60 * time.Second // from the headers on, so longer than any answer takes
	idleTimeout   = 60 * time.Second
	drainFor      = 25 * time.Second
	// Load balancers need a moment to read that we are not ready before the door closes.
	DrainAtLeast = time.Second
	// A job that was told to end needs a moment to write what became of it.
	jobsEndWithin = 2 * time.Second
)

// state is what the health routes and the draining look at.
type state struct {
	draining atomic.Bool
	active   atomic.Int64
}

// Run serves until the context ends, then finishes what is in progress. It calls greet when all else is ready.
func (s *Server) Run(ctx context.Context, l net.Listener, greet func(context.Context) error) error {
	srv := &http.Server{
		Handler:           s.counted(s.logged(s.Routes(http.NewServeMux()))),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	if err := s.serveMetrics(ctx); err != nil {
		return err
	}
	if err := greet(ctx); err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	ran := make(chan struct{})
	handling, stopJobs := context.WithCancel(context.Background())
	defer stopJobs()
	go func() { // ends with ctx, when the job under way is done
		defer close(ran)
		s.runJobs(ctx, handling)
	}()
	s.Log.Info("slotd serves", "url", s.BaseURL, "listen", l.Addr().String(), "version", s.Version)
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	began := time.Now()
	s.drain(began, ran)
	stopJobs()
	select {
	case <-ran:
	case <-time.After(jobsEndWithin):
		s.Log.Warn("a job does not end; it will be done again when its lease is over")
	}
	ctx, cancel := context.WithDeadline(context.Background(), began.Add(drainFor+time.Second))
	defer cancel()
	if err := srv.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("stop serving: %w", err)
	}
	srv.Close()
	s.Log.Info("slotd has stopped")
	return nil
}

// drain waits until nothing is under way. The listener stays open meanwhile, so that /readyz can
// say 503 to those who ask.
func (s *Server) drain(began time.Time, jobs <-chan struct{}) {
	s.state.draining.Store(true)
	s.Log.Info("slotd is stopping: finishing what is under way")
	for time.Since(began) < drainFor {
		if time.Since(began) >= DrainAtLeast && s.state.active.Load() == 0 && isClosed(jobs) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// counted knows how many requests are under way.
func (s *Server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.state.active.Add(1)
		defer s.state.active.Add(-1)
		if s.state.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// logged writes an access log at level debug: the route's pattern, never the path, which may
// hold a secret.
func (s *Server) logged(next http.Handler) http.Handler {
	if !s.Log.Enabled(context.Background(), slog.LevelDebug) {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(status, r)
		s.Log.Debug("request", "method", r.Method, "route", r.Pattern, "status", status.status, "took",
			time.Since(began))
	})
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (s *Server) healthz(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok\n") }

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	switch {
	case s.state.draining.Load():
		http.Error(w, "stopping", http.StatusServiceUnavailable)
	case s.DB.Ping(ctx) != nil:
		http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
	default:
		io.WriteString(w, "ready\n")
	}
}
