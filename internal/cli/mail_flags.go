package cli

import (
	"fmt"
	"log/slog"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"path/filepath"

	"github.com/google/uuid"

	"slotd/internal/mail/delivery"
	"slotd/internal/workspace"
)

// Mail holds the flags for sending mail.
type Mail struct {
	SMTP string
	From string
}

// Define adds the flags to fs.
func (f *Mail) Define(fs *FlagSet) {
	fs.StringVar(&f.SMTP, "smtp", "",
		"mail server, such as smtp://user:password@mail.example:587 or smtps://… (default: save emails as "+
			"files in outbox/ in the data directory)")
	fs.StringVar(&f.From, "mail-from", "",
		"sender address of emails, such as bookings@acme.example (default: the mail server's user, or slotd@ and "+
			"the base URL's host)")
}

// Check validates the flags before anything is created on disk.
func (f *Mail) Check() error {
	if _, err := f.FromAddress(""); err != nil || f.SMTP == "" {
		return err
	}
	_, err := f.Sender("")
	return err
}

// Sender returns the sender for mails: SMTP, or the outbox in the data directory.
func (f *Mail) Sender(data string) (delivery.Sender, error) {
	if f.SMTP == "" {
		return delivery.NewOutbox(outboxPath(data))
	}
	s, err := delivery.NewSMTP(f.SMTP)
	if err != nil {
		return nil, Usagef("--smtp: %v", err)
	}
	return s, nil
}

func outboxPath(data string) string { return filepath.Join(data, "outbox") }

// RemoveMails removes the mail files of bookings that were erased or deleted. If it fails, the data stays erased.
func (d *Database) RemoveMails(bookings []uuid.UUID) error {
	if err := delivery.OutboxAt(outboxPath(d.Data)).RemoveBookings(bookings); err != nil {
		return fmt.Errorf("the data is erased from the database, but some emails that were saved as files couldn't be "+
			"removed; delete them by hand: %w", err)
	}
	return nil
}

// FromAddress returns the address from which the server sends mails.
func (f *Mail) FromAddress(baseURL string) (netmail.Address, error) {
	if f.From != "" {
		a, err := netmail.ParseAddress(f.From)
		if err != nil || !workspace.ValidEmail(a.Address) || (a.Name != "" && workspace.CheckName(a.Name) != nil) {
			return netmail.Address{}, Usagef("--mail-from must be an email address, such as bookings@acme.example or Acme " +
				"<bookings@acme.example>")
		}
		return *a, nil
	}
	if u, err := url.Parse(f.SMTP); err == nil && u.User != nil && workspace.ValidEmail(u.User.Username()) {
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

// LogDestination logs where mails go, so that nobody waits for a mail that was written to a directory.
func (f *Mail) LogDestination(log *slog.Logger, data string, from netmail.Address) {
	if f.SMTP == "" {
		log.Info("no --smtp is set: mails are not sent but written as files", "directory", outboxPath(data))
		return
	}
	log.Info("mails are sent", "from", from.Address)
}
