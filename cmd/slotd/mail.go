package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/workspace"
)

func mailTest(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	var f cli.Mail
	fs := p.flags("")
	d.Define(fs)
	f.Define(fs)
	to := fs.String("to", "", "recipient of the test email")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--to", *to); err != nil {
		return err
	}
	if !workspace.ValidEmail(*to) {
		return cli.Usagef("--to must be an email address such as ada@acme.example")
	}
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	baseURL, err := d.StoredBaseURL(ctx)
	if err != nil {
		return err
	}
	from, err := f.FromAddress(baseURL)
	if err != nil {
		return err
	}
	return p.sendTest(ctx, &f, d.Data, mail.TestMail(from, *to, now(), uuid.NewString()))
}

func (p *program) sendTest(ctx context.Context, f *cli.Mail, data string, m mail.Message) error {
	sender, err := f.Sender(data)
	if err != nil {
		return err
	}
	defer sender.Close()
	receipt, err := sender.Send(ctx, m)
	if err != nil {
		return fmt.Errorf("the test email was not sent: %w", err)
	}
	fmt.Fprintln(p.out, say.T("to %s from %s: %s", m.To, m.From, strings.TrimSpace(receipt)))
	return nil
}
