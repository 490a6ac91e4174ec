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
	// BodyTimeout is for the whole request, its headers included.
	BodyTimeout  = 10 * time.Second
	writeTimeout = 60 * time.Second // counts from the headers on, so it is longer than any response takes
	idleTimeout  = 60 * time.Second
	drainTimeout = 25 * time.Second
	// MinDrain gives load balancers a moment to see that we are not ready before the listener closes.
	MinDrain = time.Second
	// jobStopTimeout gives a canceled job a moment to write its outcome.
	jobStopTimeout = 2 * time.Second
)

// state is what the health routes and drain look at.
type state struct {
	draining atomic.Bool
	active   atomic.Int64
}

// Run serves until the context ends, then finishes what is in progress. It calls onReady just before it starts to
// serve.
func (s *Server) Run(ctx context.Context, l net.Listener, onReady func(context.Context) error) error {
	if err := s.serveMetrics(ctx); err != nil {
		return err
	}
	if err := onReady(ctx); err != nil {
		return err
	}
	return s.serve(ctx, l, s.Routes(http.NewServeMux()))
}

// serve serves the routes until the context ends.
func (s *Server) serve(ctx context.Context, l net.Listener, routes http.Handler) error {
	srv := s.newHTTPServer(s.countRequests(s.logRequests(routes)))
	serveErr := make(chan error, 1)
	go func() { serveErr <- srv.Serve(l) }()
	jobsDone := make(chan struct{})
	jobCtx, stopJobs := context.WithCancel(context.Background())
	defer stopJobs()
	go func() { // ends after ctx, when the jobs in progress are done
		defer close(jobsDone)
		s.runJobs(ctx, jobCtx)
	}()
	s.Log.Info("slotd serves", "url", s.BaseURL, "listen", l.Addr().String(), "version", s.Version)
	select {
	case err := <-serveErr:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	began := s.Now()
	s.drain(began, jobsDone)
	stopJobs()
	select {
	case <-jobsDone:
	case <-time.After(jobStopTimeout):
		s.Log.Warn("a job does not end; it will be done again when its lease is over")
	}
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout+time.Second-s.Now().Sub(began))
	defer cancel()
	if err := srv.Shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
		s.Log.Warn("slotd cuts off connections that are still open")
	} else if err != nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	srv.Close()
	s.Log.Info("slotd has stopped")
	return nil
}

// newHTTPServer returns a server with our limits for slow and large requests.
func (s *Server) newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       BodyTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
}

// drain waits until no request and no job is in progress, or until drainTimeout. The listener stays open meanwhile, so
// that /readyz can answer 503.
func (s *Server) drain(began time.Time, jobsDone <-chan struct{}) {
	s.state.draining.Store(true)
	s.Log.Info("slotd is stopping: finishing what is under way")
	for {
		waited, requests, jobsEnded := s.Now().Sub(began), s.state.active.Load(), isClosed(jobsDone)
		if waited >= MinDrain && requests == 0 && jobsEnded {
			return
		}
		if waited >= drainTimeout {
			s.Log.Warn("slotd cuts off what is still under way", "requests", requests, "jobs", !jobsEnded)
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

// countRequests counts the requests in progress.
func (s *Server) countRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.state.active.Add(1)
		defer s.state.active.Add(-1)
		if s.state.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// logRequests writes an access log at level debug. It logs the route's pattern and never the path, which may hold a
// secret.
func (s *Server) logRequests(next http.Handler) http.Handler {
	if !s.Log.Enabled(context.Background(), slog.LevelDebug) {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := s.Now()
		status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(status, r)
		s.Log.Debug("request", "method", r.Method, "route", r.Pattern, "status", status.status, "took",
			s.Now().Sub(began))
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
