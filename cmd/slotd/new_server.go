package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/cli"
	"slotd/internal/identity/links"
	"slotd/internal/jobs"
	"slotd/internal/lib/seal"
	"slotd/internal/money/accounts"
	"slotd/internal/server"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// newServer builds a server from the flags, which must have been checked.
func newServer(ctx context.Context, f *serveFlags, db *store.DB, now func() time.Time,
	log *slog.Logger) (*server.Server, error) {
	keys, err := f.Keys()
	if err != nil {
		return nil, err
	}
	if err := f.storeSettings(ctx, db); err != nil {
		return nil, err
	}
	signer, err := links.Load(ctx, db, now())
	if err != nil {
		return nil, err
	}
	from, err := f.FromAddress(f.baseURL)
	if err != nil {
		return nil, err
	}
	cache, err := snapshot.NewCache(ctx, db, now)
	if err != nil {
		return nil, err
	}
	sender, err := f.Sender(f.Data)
	if err != nil {
		cache.Close()
		return nil, err
	}
	f.Mail.LogDestination(log, f.Data, from)
	payAccounts := f.Accounts(db, keys)
	warnAboutLockedCredentials(ctx, db, keys, payAccounts, log)
	f.Payments.Warn(log)
	if err := jobs.BringForwardAll(ctx, db, jobs.Calendar, now(), calsync.LongestWait); err != nil {
		cache.Close()
		sender.Close()
		return nil, fmt.Errorf("look for calendars that wait too long: %w", err)
	}
	calendars := f.NewService(db, cache, keys, now, log)
	calendars.Links, calendars.BaseURL = signer, f.baseURL
	return server.New(server.Config{
		DB: db, Cache: cache, Links: signer, Keys: keys, Calendars: calendars, Accounts: payAccounts,
		Doctor: f.newDoctor(db, keys, payAccounts, calendars, sender, now, log), Now: now, Log: log,
		Version: version, Commit: commitID(), BaseURL: f.baseURL, VideoURL: f.videoURL, OpenSignUp: f.signup == "open",
		HoldFor: f.Hold, KeepDays: f.keepDays, MetricsListen: f.metricsListen,
		// Erased is set with --smtp too: the outbox may have files from a time without it.
		Sender: sender, MailFrom: from, ToFiles: f.SMTP == "", Erased: f.RemoveMails,
		RateLimits: f.rateLimit == "on", RateReads: f.rateReads, RateWrites: f.rateWrites,
		Origins: f.origins, Proxies: f.proxyNetworks,
	}), nil
}

// storeSettings stores the settings that other commands need.
func (f *serveFlags) storeSettings(ctx context.Context, db *store.DB) error {
	settings := map[string]string{cli.BaseURLSetting: f.baseURL, cli.PaymentsSetting: f.Payments.StoredValue(),
		cli.NetworksSetting: strings.Join(f.AllowNetworks, "\n")}
	err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for name, value := range settings {
			if err := tx.PutSetting(ctx, sqlcgen.PutSettingParams{Name: name, Value: value}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the settings for other commands: %w", err)
	}
	return nil
}

// warnAboutLockedCredentials logs which calendars and payment accounts cannot be used with this server's key file.
func warnAboutLockedCredentials(ctx context.Context, db *store.DB, keys *seal.Keys, payAccounts *accounts.Service,
	log *slog.Logger) {
	locked, err := workspace.LockedCredentials(ctx, db, keys)
	if err != nil {
		log.Warn("cannot look whether the key file opens the stored passwords", "error", err)
	}
	for _, c := range locked {
		log.Warn("the password of a calendar was sealed with another key file: it counts as unreadable", "workspace",
			c.WorkspaceID, "calendar", c.Name)
	}
	lockedAccounts, err := payAccounts.Locked(ctx)
	if err != nil {
		log.Warn("cannot look whether the key file opens the payment accounts", "error", err)
	}
	for _, id := range lockedAccounts {
		log.Warn("the payment account of a workspace was sealed with another key file: nobody can pay there",
			"workspace", id)
	}
}
