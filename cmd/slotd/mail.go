package main

import (
	"context"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/workspace"
)

// mailFlags say how mails leave.
type mailFlags struct {
	smtp string
	from string
}

func (f *mailFlags) define(fs *flagSet) {
	fs.StringVar(&f.smtp, "smtp", "",
		"mail server, such as smtp://user:password@mail.example:587 or smtps://… (default: mails are written as "+
			"files into outbox/ in the data directory)")
	fs.StringVar(&f.from, "mail-from", "",
		"address that mails come from, such as bookings@acme.example (default: the mail server's user, or slotd@ and "+
			"the base URL's host)")
}

// check finds mistakes before anything is made on disk.
func (f *mailFlags) check() error {
	if _, err := f.sendsFrom(""); err != nil || f.smtp == "" {
		return err
	}
	_, err := f.sender("")
	return err
}

// sender opens the way that mails leave by.
func (f *mailFlags) sender(data string) (delivery.Sender, error) {
	if f.smtp == "" {
		return delivery.NewOutbox(outboxIn(data))
	}
	s, err := delivery.NewSMTP(f.smtp)
	if err != nil {
		return nil, usagef("--smtp: %v", err)
	}
	return s, nil
}

func outboxIn(data string) string { return filepath.Join(data, "outbox") }

// forgetMails removes the files of mails about bookings that are erased or deleted, which that does not undo.
func (d *databaseFlags) forgetMails(bookings []uuid.UUID) error {
	if err := delivery.OutboxAt(outboxIn(d.data)).Forget(bookings); err != nil {
		return fmt.Errorf("the data is gone from the database, but not all mails that were written as files could be "+
			"removed; delete them by hand: %w", err)
	}
	return nil
}

// sendsFrom is the address of the server itself.
func (f *mailFlags) sendsFrom(baseURL string) (netmail.Address, error) {
	if f.from != "" {
		a, err := netmail.ParseAddress(f.from)
		if err != nil || !workspace.ValidEmail(a.Address) || (a.Name != "" && workspace.CheckName(a.Name) != "") {
			return netmail.Address{}, usagef("--mail-from must be an address such as bookings@acme.example, or Acme " +
				"<bookings@acme.example>")
		}
		return *a, nil
	}
	if u, err := url.Parse(f.smtp); err == nil && u.User != nil && workspace.ValidEmail(u.User.Username()) {
		return netmail.Address{Address: u.User.Username()}, nil
	}
	host := "localhost"
	if u, err := url.Parse(baseURL); err == nil && workspace.ValidEmail("slotd@"+u.Hostname()) {
		if _, err := netip.ParseAddr(u.Hostname()); err != nil {
			host = u.Hostname()
		}
	}
	return netmail.Address{Address: "slotd@" + host}, nil
}

// logs says where mails go, so that nobody waits for what lies in a directory.
func (f *mailFlags) logs(log *slog.Logger, data string, from netmail.Address) {
	if f.smtp == "" {
		log.Info("no --smtp is set: mails are not sent but written as files", "directory", outboxIn(data))
		return
	}
	log.Info("mails are sent", "from", from.Address)
}

func mailTest(ctx context.Context, p *program, args []string) error {
	var d databaseFlags
	var f mailFlags
	fs := p.flags("mail test", "")
	d.define(fs)
	f.define(fs)
	to := fs.String("to", "", "address that the mail goes to")
	if _, err := fs.parse(args, 0); err != nil {
		return err
	}
	if err := required("--to", *to); err != nil {
		return err
	}
	if !workspace.ValidEmail(*to) {
		return usagef("--to must be an address such as ada@acme.example")
	}
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	baseURL, err := d.storedBaseURL(ctx)
	if err != nil {
		return err
	}
	from, err := f.sendsFrom(baseURL)
	if err != nil {
		return err
	}
	return p.sendTest(ctx, &f, d.data, mail.Test(from, *to, now(), uuid.NewString()))
}

func (p *program) sendTest(ctx context.Context, f *mailFlags, data string, m mail.Message) error {
	sender, err := f.sender(data)
	if err != nil {
		return err
	}
	defer sender.Close()
	receipt, err := sender.Send(ctx, m)
	if err != nil {
		return fmt.Errorf("the test mail was not sent: %w", err)
	}
	fmt.Fprintf(p.out, "to %s from %s: %s\n", m.To, m.From, strings.TrimSpace(receipt))
	return nil
}
