package main

import (
	"context"
	"database/sql"
	"errors"
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
type calendarFlags struct {
	allowNetworks list
	every         time.Duration
	google        appFlags
	microsoft     appFlags
	tenant        string

	networks []netip.Prefix
}

// appFlags are what a service knows this server as.
type appFlags struct{ clientID, clientSecret, api string }

func (f *calendarFlags) define(fs *flagSet) {
	fs.Var(&f.allowNetworks, "allow-networks",
		"network that calendars may lie in although it is private or loopback, such as 10.0.0.0/8; may be given more "+
			"than once")
	fs.DurationVar(&f.every, "calendar-interval", calsync.DefaultInterval, "how often connected calendars are read")
	f.google.define(fs, "google", "Google")
	f.microsoft.define(fs, "microsoft", "Microsoft")
	fs.StringVar(&f.tenant, "microsoft-tenant", "common",
		"whose accounts may connect Microsoft calendars: common, organizations, consumers, or one tenant")
}

func (a *appFlags) define(fs *flagSet, flag, name string) {
	fs.StringVar(&a.clientID, flag+"-client-id", "",
		"client id that "+name+" gave for this server, to connect "+name+" calendars")
	fs.StringVar(&a.clientSecret, flag+"-client-secret", "", "the client id's secret")
	fs.StringVar(&a.api, flag+"-api", "", "another address for "+name+"'s services, for tests")
}

func (f *calendarFlags) check() error {
	networks, err := limit.ParseProxies(f.allowNetworks)
	if err != nil {
		return usagef("--allow-networks: %v", err)
	}
	f.networks = networks
	if f.every < 10*time.Second || f.every > 24*time.Hour {
		return usagef("--calendar-interval must be from 10s to 24h, such as 5m")
	}
	for flag, a := range map[string]appFlags{"google": f.google, "microsoft": f.microsoft} {
		if (a.clientID == "") != (a.clientSecret == "") {
			return usagef("--%s-client-id and --%s-client-secret belong together", flag, flag)
		}
	}
	return nil
}

// What serve was last started with, for the other commands.
const (
	baseURLSetting  = "base_url"
	networksSetting = "allow_networks"
)

// useStored lets a command reach what the server may reach, unless its own flags say something else.
func (f *calendarFlags) useStored(ctx context.Context, db *store.DB) error {
	if len(f.allowNetworks) == 0 {
		networks, err := stored(ctx, db, networksSetting)
		if err != nil {
			return err
		}
		f.allowNetworks.Set(networks)
	}
	return f.check()
}

func stored(ctx context.Context, db *store.DB, name string) (string, error) {
	value, err := db.Read().Setting(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func (f *calendarFlags) apps() map[slotd.CalendarType]oauth.App {
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
func (f *calendarFlags) reads(db *store.DB, cache *snapshot.Cache, keys *seal.Keys, now func() time.Time,
	log *slog.Logger) *calsync.Service {
	return &calsync.Service{DB: db, Cache: cache, Keys: keys, Client: safehttp.New(f.networks), Apps: f.apps(),
		Every: f.every, Now: now, Log: log}
}
