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
	"slotd/internal/lib/seal"
	"slotd/internal/store"
)

// calendarFlags say how calendars are reached.
type Calendars struct {
	AllowNetworks StringList
	every         time.Duration
	google        appFlags
	microsoft     appFlags
	tenant        string

	Networks []netip.Prefix
}

// appFlags are what a service knows this server as.
type appFlags struct{ clientID, clientSecret, api string }

func (f *Calendars) Define(fs *FlagSet) {
	fs.Var(&f.AllowNetworks, "allow-networks",
		"network that calendars may lie in although it is private or loopback, such as 10.0.0.0/8; may be given more "+
			"than once")
	fs.DurationVar(&f.every, "calendar-interval", calsync.DefaultInterval, "how often connected calendars are read")
	f.google.define(fs, "google", "Google")
	f.microsoft.define(fs, "microsoft", "Microsoft")
	fs.StringVar(&f.tenant, "microsoft-tenant", "common",
		"whose accounts may connect Microsoft calendars: common, organizations, consumers, or one tenant")
}

func (a *appFlags) define(fs *FlagSet, flag, name string) {
	fs.StringVar(&a.clientID, flag+"-client-id", "",
		"client id that "+name+" gave for this server, to connect "+name+" calendars")
	fs.StringVar(&a.clientSecret, flag+"-client-secret", "", "the client id's secret")
	fs.StringVar(&a.api, flag+"-api", "", "another address for "+name+"'s services, for tests")
}

func (f *Calendars) Check() error {
	networks, err := limit.ParseProxies(f.AllowNetworks)
	if err != nil {
		return Usagef("--allow-networks: %v", err)
	}
	f.Networks = networks
	if f.every < 10*time.Second || f.every > 24*time.Hour {
		return Usagef("--calendar-interval must be from 10s to 24h, such as 5m")
	}
	for flag, a := range map[string]appFlags{"google": f.google, "microsoft": f.microsoft} {
		if (a.clientID == "") != (a.clientSecret == "") {
			return Usagef("--%s-client-id and --%s-client-secret belong together", flag, flag)
		}
	}
	return nil
}

// useStored lets a command reach what the server may reach, unless its own flags say something else.
func (f *Calendars) UseStored(ctx context.Context, db *store.DB) error {
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

// reads makes what reads calendars. The flags must have been checked.
func (f *Calendars) NewSync(db *store.DB, cache *snapshot.Cache, keys *seal.Keys, now func() time.Time,
	log *slog.Logger) *calsync.Service {
	return &calsync.Service{DB: db, Cache: cache, Keys: keys, Client: safehttp.New(f.Networks), Apps: f.apps(),
		Every: f.every, Now: now, Log: log}
}
