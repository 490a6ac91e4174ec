// Command slotd runs and administers the scheduling server. It has one file per command. The commands only wire things
// together; the packages below decide what happens.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"slotd/internal/cli"
	"slotd/internal/lib/say"
)

// program is a command's access to the outside: its standard streams and environment.
type program struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) (string, bool)
	command  string // the words of the command that runs
}

type command struct {
	name    string
	verb    string // the second word; may be empty
	summary say.Sentence
	run     func(ctx context.Context, p *program, args []string) error
}

func (c *command) words() string { return strings.TrimSpace(c.name + " " + c.verb) }

var commands = []command{
	{"serve", "", "run the server (--demo: with sample data)", serve},
	{"apply", "", "create or update a workspace from a file", apply},
	{"export", "", "print a workspace as a file", export},
	{"token", "create", "create a token for agents", tokenCreate},
	{"token", "list", "list a workspace's tokens", tokenList},
	{"token", "revoke", "revoke a token", tokenRevoke},
	{"booking", "list", "list a workspace's bookings", bookingList},
	{"booking", "show", "show one booking and its history", bookingShow},
	{"booking", "cancel", "cancel a booking as its host", bookingCancel},
	{"person", "export", "print all data about an attendee", personExport},
	{"person", "erase", "erase an attendee's data and keep the times", personErase},
	{"user", "add", "create a one-time sign-in link for an owner", userAdd},
	{"workspace", "list", "list the workspaces", workspaceList},
	{"workspace", "delete", "permanently delete a workspace", workspaceDelete},
	{"calendar", "list", "list a workspace's calendars and their status", calendarList},
	{"calendar", "test", "read calendars once without saving anything", calendarTest},
	{"calendar", "sync", "sync calendars now", calendarSync},
	{"calendar", "find", "list the calendars of a CalDAV account", calendarFind},
	{"calendar", "connect", "create a link to connect a Google or Microsoft calendar", calendarConnect},
	{"payments", "list", "list payments and refunds", paymentsList},
	{"payments", "reconcile", "compare payments with Stripe and print the differences", paymentsReconcile},
	{"payments", "connect", "connect a workspace's own Stripe account", paymentsConnect},
	{"payments", "disconnect", "disconnect a workspace's own Stripe account", paymentsDisconnect},
	{"key", "rotate", "encrypt stored credentials with a new key", keyRotate},
	{"mail", "test", "send a test email and print the mail server's answer", mailTest},
	{"jobs", "list", "list pending jobs (--failed: failed jobs)", jobsList},
	{"jobs", "retry", "retry failed jobs: an ID, or all", jobsRetry},
	{"jobs", "drop", "drop failed jobs: an ID, or all", jobsDrop},
	{"explain", "", "explain why a time is or isn't offered", explainTime},
	{"doctor", "", "find problems and how to fix them", runDoctor},
	{"preview", "", "print a file's open slots, without a server", preview},
	{"schema", "", "print the JSON schema of the workspace file, for editors", printSchema},
	{"bridge", "", "run a local MCP server that forwards to a URL", runBridge},
	{"version", "", "print versions", printVersion},
}

func main() {
	p := &program{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.LookupEnv}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
	}()
	os.Exit(p.main(ctx, os.Args[1:]))
}

func (p *program) main(ctx context.Context, args []string) (exit int) {
	err := p.dispatch(ctx, args)
	var usage cli.UsageError
	switch {
	case err == nil || errors.Is(err, cli.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintln(p.err, "slotd: "+usage.Message+"\n"+say.T("Run `slotd help` to see all commands."))
		return 2
	default:
		fmt.Fprintln(p.err, "slotd: "+cli.ErrorMessage(err))
		return 1
	}
}

func (p *program) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		p.printUsage(p.err)
		return cli.Usagef("no command given")
	}
	if args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
		p.printUsage(p.out)
		return nil
	}
	for _, c := range commands {
		words := strings.Fields(c.words())
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			p.command = c.words()
			return c.run(ctx, p, args[len(words):])
		}
	}
	if group := commandGroup(args[0]); len(group) > 0 {
		return p.printGroup(group, args)
	}
	return cli.Usagef("unknown command %q", strings.Join(args[:min(2, len(args))], " "))
}

// commandGroup returns the two-word commands that start with the given word.
func commandGroup(first string) (group []command) {
	for _, c := range commands {
		if c.name == first && c.verb != "" {
			group = append(group, c)
		}
	}
	return group
}

// printGroup prints the commands of a group if the second word is missing or unknown.
func (p *program) printGroup(group []command, args []string) error {
	if len(args) > 1 && (args[1] == "--help" || args[1] == "-h" || args[1] == "help") {
		printCommands(p.out, group)
		return nil
	}
	printCommands(p.err, group)
	if len(args) == 1 || strings.HasPrefix(args[1], "-") {
		return cli.Usagef("choose one of the %s commands listed above", args[0])
	}
	return cli.Usagef("unknown command %q", strings.Join(args[:2], " "))
}

func printCommands(w io.Writer, list []command) {
	for _, c := range list {
		fmt.Fprintf(w, "  %-19s %s\n", c.words(), c.summary)
	}
}

func (p *program) printUsage(w io.Writer) {
	fmt.Fprintln(w, say.T("slotd: the scheduling server for people and AI agents\n\n"+
		"Usage: slotd COMMAND [flags]\nRun `slotd COMMAND --help` to see a command's flags.\n"))
	printCommands(w, commands)
	fmt.Fprintln(w, say.T("\nEvery flag can also be set with the environment variable SLOTD_<FLAG>, or with "+
		"SLOTD_<FLAG>_FILE, which names a file that contains the value."))
}
