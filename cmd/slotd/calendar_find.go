package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"slotd/internal/calendar/caldav"
	"slotd/internal/lib/safehttp"
)

// calendarFind shows the calendars of a CalDAV account, so that their own addresses can go into the
// workspace file: a password is only ever sent to the server that the file names.
func calendarFind(ctx context.Context, p *program, args []string) error {
	var f calendarFlags
	fs := p.flags("calendar find", "")
	f.define(fs)
	url := fs.String("url", "", "the server's address, such as https://dav.example/")
	username := fs.String("username", "", "the account's user name")
	env := fs.String("password-env", "", "environment variable that holds the password")
	if _, err := fs.parse(args, 0); err != nil {
		return err
	}
	if err := required("--url", *url); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	account := caldav.Account{URL: *url, Username: *username}
	if *env != "" {
		password, found := p.getenv(*env)
		if !found {
			return usagef("the environment variable %s is not set", *env)
		}
		account.Password = password
	}
	found, err := caldav.Discover(ctx, safehttp.New(f.networks), account)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, c := range found {
		access := "can be written"
		if !c.Writable {
			access = "read only"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.URL, c.Name, access)
	}
	return table.Flush()
}
