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
	"strings"
	"syscall"

	"slotd/internal/cli"
)

// program is a command's access to the outside: its standard streams and environment.
type program struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) (string, bool)
}

type command struct {
	name    string // one or two words
	summary string
	run     func(ctx context.Context, p *program, args []string) error
}

var commands = []command{
	{"serve", "run the server (--demo: with something to try)", serve},
	{"apply", "make a workspace what a file says", apply},
	{"export", "print a workspace as a file", export},
	{"token create", "mint a token for agents", tokenCreate},
	{"token list", "list a workspace's tokens", tokenList},
	{"token revoke", "end a token's power", tokenRevoke},
	{"booking list", "list a workspace's bookings", bookingList},
	{"booking show", "print one booking and its history", bookingShow},
	{"booking cancel", "cancel a booking as its host", bookingCancel},
	{"person export", "print all that is kept about an attendee", personExport},
	{"person erase", "erase an attendee's data, and keep the times", personErase},
	{"user add", "print a one-time sign-in link for an owner", userAdd},
	{"workspace list", "list the workspaces", workspaceList},
	{"workspace delete", "delete a workspace for good", workspaceDelete},
	{"calendar list", "list a workspace's calendars and how they are", calendarList},
	{"calendar test", "read calendars once and keep nothing", calendarTest},
	{"calendar sync", "read calendars now", calendarSync},
	{"calendar find", "list the calendars of a CalDAV account", calendarFind},
	{"calendar connect", "print the link at which an owner connects a Google or Microsoft calendar", calendarConnect},
	{"payments list", "list what was paid and refunded", paymentsList},
	{"payments reconcile", "compare with Stripe and print the differences", paymentsReconcile},
	{"payments connect", "give a workspace a Stripe account of its own", paymentsConnect},
	{"payments disconnect", "forget a workspace's own Stripe account", paymentsDisconnect},
	{"key rotate", "seal stored passwords with a new key", keyRotate},
	{"mail test", "send one mail and print what the server said", mailTest},
	{"jobs list", "list what is still to be done (--failed: what was given up)", jobsList},
	{"jobs retry", "try again what was given up: an ID, or all", jobsRetry},
	{"jobs drop", "forget what was given up: an ID, or all", jobsDrop},
	{"explain", "say why a time is offered, or why not", explainTime},
	{"doctor", "look whether everything is in order, and say what to do", runDoctor},
	{"preview", "print a file's open slots, without a server", preview},
	{"schema", "print the JSON schema of the workspace file, for editors", printSchema},
	{"bridge", "be a local MCP server that forwards to a URL", runBridge},
	{"version", "print versions", printVersion},
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
		fmt.Fprintf(p.err, "slotd: %s\nRun `slotd help` to see the commands.\n", usage.Message)
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
		words := strings.Fields(c.name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.name {
			return c.run(ctx, p, args[len(words):])
		}
	}
	if group := commandGroup(args[0]); len(group) > 0 {
		return p.printGroup(group, args)
	}
	return cli.Usagef("there is no command %q", strings.Join(args[:min(2, len(args))], " "))
}

// commandGroup returns the two-word commands that start with the given word.
func commandGroup(first string) (group []command) {
	for _, c := range commands {
		if strings.HasPrefix(c.name, first+" ") {
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
		return cli.Usagef("%s needs one of these words after it", args[0])
	}
	return cli.Usagef("there is no command %q", strings.Join(args[:2], " "))
}

func printCommands(w io.Writer, list []command) {
	for _, c := range list {
		fmt.Fprintf(w, "  %-19s %s\n", c.name, c.summary)
	}
}

func (p *program) printUsage(w io.Writer) {
	fmt.Fprint(w, "slotd: the scheduling server that people and AI agents share\n\nUsage: slotd COMMAND [flags]; "+
		"slotd COMMAND --help lists a command's flags.\n\n")
	printCommands(w, commands)
	fmt.Fprint(w, "\nEvery flag can also be set as SLOTD_<FLAG>, or SLOTD_<FLAG>_FILE naming a file that holds the "+
		"value.\n")
}
