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

// mailFlags say how mails leave.
type Mail struct {
	SMTP string
	From string
}

func (f *Mail) Define(fs *FlagSet) {
	fs.StringVar(&f.SMTP, "smtp", "",
		"mail server, such as smtp://user:password@mail.example:587 or smtps://… (default: mails are written as "+
			"files into outbox/ in the data directory)")
	fs.StringVar(&f.From, "mail-from", "",
		"address that mails come from, such as bookings@acme.example (default: the mail server's user, or slotd@ and "+
			"the base URL's host)")
}

// check finds mistakes before anything is made on disk.
func (f *Mail) Check() error {
	if _, err := f.FromAddress(""); err != nil || f.SMTP == "" {
		return err
	}
	_, err := f.Sender("")
	return err
}

// sender opens the way that mails leave by.
func (f *Mail) Sender(data string) (delivery.Sender, error) {
	if f.SMTP == "" {
		return delivery.NewOutbox(outboxIn(data))
	}
	s, err := delivery.NewSMTP(f.SMTP)
	if err != nil {
		return nil, Usagef("--smtp: %v", err)
	}
	return s, nil
}

func outboxIn(data string) string { return filepath.Join(data, "outbox") }

// forgetMails removes the files of mails about bookings that are erased or deleted, which that does not undo.
func (d *Database) RemoveMails(bookings []uuid.UUID) error {
	if err := delivery.OutboxAt(outboxIn(d.Data)).Forget(bookings); err != nil {
		return fmt.Errorf("the data is gone from the database, but not all mails that were written as files could be "+
			"removed; delete them by hand: %w", err)
	}
	return nil
}

// sendsFrom is the address of the server itself.
func (f *Mail) FromAddress(baseURL string) (netmail.Address, error) {
	if f.From != "" {
		a, err := netmail.ParseAddress(f.From)
		if err != nil || !workspace.ValidEmail(a.Address) || (a.Name != "" && workspace.CheckName(a.Name) != "") {
			return netmail.Address{}, Usagef("--mail-from must be an address such as bookings@acme.example, or Acme " +
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

// logs says where mails go, so that nobody waits for what lies in a directory.
func (f *Mail) Logs(log *slog.Logger, data string, from netmail.Address) {
	if f.SMTP == "" {
		log.Info("no --smtp is set: mails are not sent but written as files", "directory", outboxIn(data))
		return
	}
	log.Info("mails are sent", "from", from.Address)
}
