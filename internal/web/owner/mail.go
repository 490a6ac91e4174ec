package owner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/lib/limit"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store"
)

var mailRoutes = []route{
	{"/settings/mail", member, (*visit).mailPage, (*visit).saveHost},
	{"/settings/mail/test", member, nil, (*visit).testMail},
	{"/settings/mail/retry", member, nil, (*visit).retryMail},
}

type mailContent struct {
	form
	Name, Email string // the host's
	From        string
	ToFiles     bool
	Own         string // where a test mail goes
	Receipt     string // what the mail server said to one
	Refusal     string
	Again       string // what is tried again
	Failed      []failedMail
	More        bool // there are older ones
}

func hostMark(w *slotd.Workspace) string { return versions(w.Host.Name, w.Host.Email) }

func (v *visit) newMail() *mailContent {
	host := v.snapshot.Host
	return &mailContent{form: v.newForm(hostMark(&v.snapshot.Workspace)), Name: host.Name, Email: host.Email}
}

func (v *visit) mailPage() error {
	c := v.newMail()
	c.Again = v.triedAgain()
	return v.showMail(http.StatusOK, c)
}

func (v *visit) showMail(status int, c *mailContent) (err error) {
	c.From, c.ToFiles, c.Own = v.MailFrom.Address, v.ToFiles, v.session.User.Email
	if c.Failed, c.More, err = v.failedMails(); err != nil {
		return err
	}
	return v.show(status, "mail", "Mail", c)
}

func (v *visit) saveHost() error {
	c := &mailContent{form: v.newForm(v.value("seen")), Name: v.value("name"), Email: v.value("email")}
	var now slotd.Host
	err := v.edit(c.Version, func(w *slotd.Workspace) string { now = w.Host; return hostMark(w) },
		func(w *slotd.Workspace) error {
			w.Host = slotd.Host{Name: c.Name, Email: c.Email}
			return nil
		})
	switch {
	case errors.Is(err, errChanged):
		c.conflict(versions(now.Name, now.Email),
			versionedField{what: "The host's name", now: now.Name, typed: &c.Name},
			versionedField{what: "The host's address", now: now.Email, typed: &c.Email})
		return v.showMail(http.StatusConflict, c)
	case c.explain(err, hostField):
		return v.showMail(http.StatusUnprocessableEntity, c)
	case err != nil:
		return err
	}
	return v.leave("/settings/mail?saved=1")
}

func hostField(path string) (field, subject string) {
	switch path {
	case "host.name":
		return "name", "The name"
	case "host.email":
		return "email", "The address"
	}
	return "name", path
}

// trials holds back who would send test mails all day: five, and then one in twelve minutes.
type trials struct {
	once  sync.Once
	users *limit.Limiter[int64]
}

const (
	trialsAtOnce = 5
	trialEvery   = time.Hour / trialsAtOnce
)

func (t *trials) take(userID int64, now time.Time) (wait time.Duration) {
	t.once.Do(func() { t.users = limit.NewSlow[int64](trialEvery, trialsAtOnce*trialEvery) })
	return t.users.Take(userID, now)
}

// trialTakes at most so long: somebody waits for the page.
const trialTakes = 20 * time.Second

// testMail goes to the owner's own address and no other: the page is no way to write to strangers.
func (v *visit) testMail() error {
	c := v.newMail()
	if wait := v.trials.take(v.session.User.ID, v.now); wait > 0 {
		v.w.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(wait)))
		c.Trouble = fmt.Sprintf("You have sent %d test mails within an hour. The next one can go in %d minutes.",
			trialsAtOnce, int((wait+time.Minute-1)/time.Minute))
		return v.showMail(http.StatusTooManyRequests, c)
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), trialTakes)
	defer cancel()
	receipt, err := v.Sender.Send(ctx, mail.Test(v.MailFrom, v.session.User.Email, v.now, uuid.NewString()))
	if c.Receipt = strings.TrimSpace(receipt); err != nil {
		c.Receipt, c.Refusal = "", v.whyNotSent(err)
	}
	if err := v.noteTest(c); err != nil {
		return err
	}
	return v.showMail(http.StatusOK, c)
}

// whyNotSent leaves to the log what names the server's files and the machines behind it.
func (v *visit) whyNotSent(err error) string {
	v.Log.Warn("a test mail was not sent", "error", err)
	var refused *delivery.Refused
	switch {
	case v.ToFiles:
		return "The file could not be written. The server's log says why."
	case errors.As(err, &refused):
		return "The mail server refuses it: " + delivery.ServerAnswer(err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("The mail server did not answer within %.0f seconds.", trialTakes.Seconds())
	}
	return "It could not be handed over: " + delivery.ServerAnswer(err) + "."
}

func (v *visit) noteTest(c *mailContent) error {
	detail := c.Receipt
	if c.Refusal != "" {
		detail = "not sent: " + c.Refusal
	}
	return v.DB.InTx(v.r.Context(), func(ctx context.Context, tx *store.Tx) error {
		return identity.RecordActivity(ctx, tx, v.snapshot.WorkspaceID, v.actor(), "mail.tested", detail, v.now)
	})
}
