package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"slotd/internal/cli"
	"slotd/internal/identity"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
	"slotd/internal/mcp"
)

// serveFlags are the flags of serve, and values derived from them.
type serveFlags struct {
	cli.Database
	cli.Mail
	cli.Calendars
	cli.Payments
	demo          bool
	listen        string
	baseURL       string
	allowOrigins  cli.StringList
	videoURL      string
	rateLimit     string
	rateReads     int
	rateWrites    int
	proxies       cli.StringList
	logFormat     string
	logLevel      string
	metricsListen string
	signup        string
	keepDays      int

	clockOffset   time.Duration // SLOTD_CLOCK_OFFSET
	origins       mcp.Origins
	proxyNetworks limit.Proxies
}

func (f *serveFlags) define(fs *cli.FlagSet) {
	f.Database.Define(fs)
	f.Mail.Define(fs)
	f.Calendars.Define(fs)
	f.Payments.Define(fs)
	fs.BoolVar(&f.demo, "demo", false, "if the database is empty, create the workspace demo and print how to try it")
	fs.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to listen on")
	fs.StringVar(&f.baseURL, "base-url", "", "public URL that links start with (default: http:// and the listen address)")
	fs.Var(&f.allowOrigins, "allow-origins",
		"web origin whose pages may call the endpoint, such as https://app.example; repeatable")
	fs.StringVar(&f.videoURL, "video-url", "https://meet.jit.si/{room}", "URL template for new video rooms")
	fs.StringVar(&f.rateLimit, "rate-limit", "on", "rate limits: on or off")
	fs.IntVar(&f.rateReads, "rate-reads", 100, "reads per second for each client address")
	fs.IntVar(&f.rateWrites, "rate-writes", 20, "writes per second for each token")
	fs.Var(&f.proxies, "trusted-proxies",
		"network of proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8; repeatable")
	fs.StringVar(&f.logFormat, "log-format", "text", "log format: text or json")
	fs.StringVar(&f.logLevel, "log-level", "info", "log level: debug (every request), info, warn or error")
	fs.StringVar(&f.signup, "signup", "closed",
		"open: anyone with an email address can create a workspace; closed: owners need an invitation")
	fs.IntVar(&f.keepDays, "keep-days", 0,
		"erase attendees' data this many days after their booking ended (default: never)")
	fs.StringVar(&f.metricsListen, "metrics-listen", "", "address for Prometheus metrics (default: none)")
}

func serve(ctx context.Context, p *program, args []string) error {
	var f serveFlags
	fs := p.flags("")
	f.define(fs)
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	log, err := newLog(p.err, f.logFormat, f.logLevel)
	if err != nil {
		return err
	}
	slog.SetDefault(log)
	now, offset, err := p.clock()
	if err != nil {
		return err
	}
	f.clockOffset = offset
	if offset != 0 {
		log.Warn("the clock is moved by SLOTD_CLOCK_OFFSET; this is for tests only", "by", offset)
	}
	listener, err := f.bind(log)
	if err != nil {
		return err
	}
	defer listener.Close()
	db, err := f.Open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	s, err := newServer(ctx, &f, db, now, log)
	if err != nil {
		return err
	}
	defer s.Close()
	if f.demo {
		if err := p.demo(ctx, db, s.Owners, f.baseURL); err != nil {
			return err
		}
	}
	return s.Run(ctx, listener, func(ctx context.Context) error { return p.showSetupLink(ctx, s.Owners, f.baseURL) })
}

// showSetupLink prints the link to set the server up, while nobody owns it.
func (p *program) showSetupLink(ctx context.Context, o *identity.Service, baseURL string) error {
	path, err := o.SetupLink(ctx)
	if err != nil || path == "" {
		return err
	}
	fmt.Fprintln(p.out, say.T("\nThis server has no owner yet. Open this link within 24 hours to set it up; it works "+
		"once:\n\n  %s%s\n", baseURL, path))
	return nil
}

// bind checks the settings and listens on the address, before anything is created on disk.
func (f *serveFlags) bind(log *slog.Logger) (net.Listener, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	proxies, err := limit.ParseProxies(f.proxies)
	if err != nil {
		return nil, cli.Usagef("--trusted-proxies: %v", err)
	}
	f.proxyNetworks = proxies
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", f.listen, err)
	}
	if f.baseURL == "" {
		f.baseURL = f.defaultBaseURL(listener, log)
	}
	if f.origins, err = mcp.NewOrigins(f.baseURL, f.allowOrigins); err != nil {
		listener.Close()
		return nil, cli.Usagef("--allow-origins: %v", err)
	}
	return listener, nil
}

func (f *serveFlags) check() error {
	if f.rateLimit != "on" && f.rateLimit != "off" {
		return cli.Usagef("--rate-limit must be on or off")
	}
	if f.signup != "open" && f.signup != "closed" {
		return cli.Usagef("--signup must be open or closed")
	}
	if f.keepDays < 0 || f.keepDays > maxKeepDays {
		return cli.Usagef("--keep-days must be from 1 to %d; leave it out to erase nothing", maxKeepDays)
	}
	if f.rateReads < 1 || f.rateWrites < 1 {
		return cli.Usagef("--rate-reads and --rate-writes must be at least 1; use --rate-limit off to turn limits off")
	}
	room, err := url.Parse(strings.ReplaceAll(f.videoURL, "{room}", "room"))
	if err != nil || (room.Scheme != "https" && room.Scheme != "http") || room.Host == "" ||
		!strings.Contains(f.videoURL, "{room}") {
		return cli.Usagef("--video-url must be a URL with {room} in it, such as https://meet.jit.si/{room}")
	}
	if err := f.Calendars.Check(); err != nil {
		return err
	}
	if err := f.Payments.Check(); err != nil {
		return err
	}
	if err := f.Mail.Check(); err != nil || f.baseURL == "" {
		return err
	}
	u, err := url.Parse(f.baseURL)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "" {
		return cli.Usagef("--base-url must look like https://book.example")
	}
	if strings.Trim(u.Path, "/") != "" {
		return cli.Usagef("--base-url can't have a path: slotd needs its own host name, such as https://book.example")
	}
	f.baseURL = u.Scheme + "://" + strings.ToLower(u.Host)
	return nil
}

// defaultBaseURL returns the URL of the listen address. An address that no browser can open becomes localhost.
func (f *serveFlags) defaultBaseURL(l net.Listener, log *slog.Logger) string {
	host, _, _ := net.SplitHostPort(f.listen)
	port := fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	if addr, err := netip.ParseAddr(host); host == "" || (err == nil && addr.IsUnspecified()) {
		log.Warn("links will point to localhost; set --base-url to the address that people use")
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// maxKeepDays is a hundred years.
const maxKeepDays = 36500

func newLog(w io.Writer, format, level string) (*slog.Logger, error) {
	var minLevel slog.Level
	if err := minLevel.UnmarshalText([]byte(level)); err != nil {
		return nil, cli.Usagef("--log-level must be debug, info, warn or error")
	}
	options := &slog.HandlerOptions{Level: minLevel}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, cli.Usagef("--log-format must be text or json")
}
