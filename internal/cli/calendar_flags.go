package cli

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/say"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
)

// Calendars holds the flags for connecting to calendars.
type Calendars struct {
	AllowNetworks StringList
	interval      time.Duration
	google        appFlags
	microsoft     appFlags
	tenant        string

	Networks []netip.Prefix // AllowNetworks, parsed by Check
}

// appFlags identify this server to a calendar service.
type appFlags struct{ clientID, clientSecret, api string }

// Define adds the flags to fs.
func (f *Calendars) Define(fs *FlagSet) {
	fs.Var(&f.AllowNetworks, "allow-networks",
		"private or loopback network that calendars may be in, such as 10.0.0.0/8; repeatable")
	fs.DurationVar(&f.interval, "calendar-interval", calsync.DefaultInterval, "how often to sync connected calendars")
	f.google.define(fs, "google", "Google")
	f.microsoft.define(fs, "microsoft", "Microsoft")
	fs.StringVar(&f.tenant, "microsoft-tenant", "common",
		"accounts that can connect Microsoft calendars: common, organizations, consumers, or one tenant")
}

func (a *appFlags) define(fs *FlagSet, flag, name string) {
	fs.StringVar(&a.clientID, flag+"-client-id", "",
		say.Sentence(say.T("this server's client ID from %s, to connect %s calendars", name, name)))
	fs.StringVar(&a.clientSecret, flag+"-client-secret", "", "secret of the client ID")
	fs.StringVar(&a.api, flag+"-api", "", say.Sentence(say.T("another address for %s's API, for tests", name)))
}

// Check validates the flags and sets Networks.
func (f *Calendars) Check() error {
	networks, err := limit.ParseProxies(f.AllowNetworks)
	if err != nil {
		return Usagef("--allow-networks: %v", err)
	}
	f.Networks = networks
	if f.interval < 10*time.Second || f.interval > 24*time.Hour {
		return Usagef("--calendar-interval must be from 10s to 24h, such as 5m")
	}
	for flag, a := range map[string]appFlags{"google": f.google, "microsoft": f.microsoft} {
		if (a.clientID == "") != (a.clientSecret == "") {
			return Usagef("set both --%s-client-id and --%s-client-secret, or neither", flag, flag)
		}
	}
	return nil
}

// UseStoredNetworks allows a command the networks that the server allows, unless its own flags name others. It then
// checks the flags.
func (f *Calendars) UseStoredNetworks(ctx context.Context, db *store.DB) error {
	if len(f.AllowNetworks) == 0 {
		networks, err := StoredSetting(ctx, db, NetworksSetting)
		if err != nil {
			return err
		}
		f.AllowNetworks.Set(networks)
	}
	return f.Check()
}

func (f *Calendars) apps() map[slotd.CalendarType]oauth.App {
	apps := map[slotd.CalendarType]oauth.App{}
	for kind, a := range map[slotd.CalendarType]appFlags{slotd.Google: f.google, slotd.Microsoft: f.microsoft} {
		if a.clientID != "" {
			apps[kind] = oauth.App{Kind: string(kind), ClientID: a.clientID, ClientSecret: a.clientSecret, Base: a.api,
				Tenant: f.tenant}
		}
	}
	return apps
}

// NewService returns the service that reads calendars. Call Check first.
func (f *Calendars) NewService(db *store.DB, cache *snapshot.Cache, keys *seal.Keys, now func() time.Time,
	log *slog.Logger) *calsync.Service {
	return &calsync.Service{DB: db, Cache: cache, Keys: keys, Client: safehttp.New(f.Networks), Apps: f.apps(),
		Interval: f.interval, Now: now, Log: log}
}
