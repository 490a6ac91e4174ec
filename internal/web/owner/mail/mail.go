package mail

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

var mailRoutes = []page.Route[visit]{
	page.At("/settings/mail", page.Member, (*visit).mailPage, (*visit).saveHost),
	page.At("/settings/mail/test", page.Member, nil, (*visit).testMail),
	page.At("/settings/mail/retry", page.Member, nil, (*visit).retryMail),
}

type mailContent struct {
	inputs.Filled
	From        string
	ToFiles     bool
	TestAddress string // where the test mail goes
	Receipt     string // the mail server's answer to the test mail
	Refusal     string
	Retried     string // how many mails are being retried, in words
	Failed      []failedMail
	More        bool // there are older ones
}

// form has the inputs of the host.
var form = inputs.New(workspace.Parts(workspace.Fields, "host"), nil)

func (v *visit) newMail() *mailContent {
	w := &v.Snapshot.Workspace
	return &mailContent{Filled: form.Fill(v.NewForm(form.Version(w)), form.Show(w))}
}

func (v *visit) mailPage() error {
	c := v.newMail()
	c.Retried = v.retryNotice()
	return v.showMail(http.StatusOK, c)
}

func (v *visit) showMail(status int, c *mailContent) (err error) {
	c.From, c.ToFiles, c.TestAddress = v.MailFrom.Address, v.ToFiles, v.Session.User.Email
	if c.Failed, c.More, err = v.failedMails(); err != nil {
		return err
	}
	return v.Show(status, "mail", say.T("Email"), c)
}

func (v *visit) saveHost() error {
	c := &mailContent{Filled: form.Fill(v.NewForm(v.Value("seen")), form.Typed(v.Visit))}
	switch status, err := inputs.SaveWorkspace(v.Visit, form, &c.Filled); {
	case err != nil:
		return err
	case status != http.StatusOK:
		return v.showMail(status, c)
	}
	return v.Redirect("/settings/mail?saved=1")
}

const (
	testBurst    = 5
	testInterval = time.Hour / testBurst
)

// NewTestLimit limits the test mails of each user: five at once, then one every twelve minutes.
func NewTestLimit() *limit.Limiter[int64] {
	return limit.NewWithInterval[int64](testInterval, testBurst*testInterval)
}

// testTimeout is short, because somebody is waiting for the page.
const testTimeout = 20 * time.Second

// testMail sends only to the owner's own address, so that nobody can use the page to mail strangers.
func (v *visit) testMail() error {
	c := v.newMail()
	if wait := v.Tests.Take(v.Session.User.ID, v.Now); wait > 0 {
		v.W.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(wait)))
		c.Trouble = say.N(int((wait+time.Minute-1)/time.Minute),
			"You've sent %[2]d test emails within an hour. You can send the next one in %[1]d minute.",
			"You've sent %[2]d test emails within an hour. You can send the next one in %[1]d minutes.", testBurst)
		return v.showMail(http.StatusTooManyRequests, c)
	}
	ctx, cancel := context.WithTimeout(v.R.Context(), testTimeout)
	defer cancel()
	receipt, err := v.Sender.Send(ctx, mail.TestMail(v.MailFrom, v.Session.User.Email, v.Now, uuid.NewString()))
	if c.Receipt = strings.TrimSpace(receipt); err != nil {
		c.Receipt, c.Refusal = "", v.whyNotSent(err)
	}
	if err := v.recordTest(c); err != nil {
		return err
	}
	return v.showMail(http.StatusOK, c)
}

// whyNotSent returns the reason for the page. Names of the server's files and of the machines behind it go to the log
// only.
func (v *visit) whyNotSent(err error) string {
	v.Log.Warn("a test mail was not sent", "error", err)
	var refused *delivery.Refused
	switch {
	case v.ToFiles:
		return say.T("The file couldn't be written. The server's log says why.")
	case errors.As(err, &refused):
		return say.T("The mail server rejected it: %s", delivery.ServerAnswer(err))
	case errors.Is(err, context.DeadlineExceeded):
		return say.T("The mail server didn't answer within %.0f seconds.", testTimeout.Seconds())
	}
	return say.T("Sending failed: %s.", delivery.ServerAnswer(err))
}

func (v *visit) recordTest(c *mailContent) error {
	detail := c.Receipt
	if c.Refusal != "" {
		detail = say.T("not sent: %s", c.Refusal)
	}
	return v.Owners.RecordActivity(v.R.Context(), v.Snapshot.WorkspaceID, v.Actor(), "mail.tested", detail,
		v.Now)
}
