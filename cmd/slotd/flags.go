package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"slotd"
)

// flagSet is a command's flags: on the command line before or after the positional arguments,
// or in the environment.
type flagSet struct {
	*flag.FlagSet
	p *program
}

func (p *program) flags(command, arguments string) *flagSet {
	fs := &flagSet{flag.NewFlagSet(command, flag.ContinueOnError), p}
	fs.SetOutput(p.err)
	fs.Usage = func() {
		fmt.Fprintf(p.err, "Usage: slotd %s [flags] %s\n", command, arguments)
		fs.PrintDefaults()
	}
	return fs
}

// parse returns the positional arguments, which must be as many as wanted.
func (fs *flagSet) parse(args []string, wanted int) ([]string, error) {
	positional, err := fs.parseAny(args)
	if err == nil && len(positional) != wanted {
		return nil, usagef("slotd %s takes %d arguments, got %d: %s", fs.Name(), wanted, len(positional),
			strings.Join(positional, " "))
	}
	return positional, err
}

// parseAny returns the positional arguments, however many.
func (fs *flagSet) parseAny(args []string) ([]string, error) {
	var positional []string
	for len(args) > 0 {
		if args[0] == "--" {
			positional = append(positional, args[1:]...)
			break
		}
		if args[0] == "-" || !strings.HasPrefix(args[0], "-") {
			positional, args = append(positional, args[0]), args[1:]
			continue
		}
		n := min(fs.words(args[0]), len(args))
		if err := fs.Parse(args[:n]); errors.Is(err, flag.ErrHelp) {
			return nil, errHelp
		} else if err != nil {
			return nil, errUsage{err.Error()}
		}
		args = args[n:]
	}
	return positional, fs.fromEnvironment()
}

// words is how many arguments the flag takes up: one, or two if its value is the next.
func (fs *flagSet) words(arg string) int {
	name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	f := fs.Lookup(name)
	if f == nil || hasValue {
		return 1
	}
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return 1
	}
	return 2
}

// fromEnvironment sets the flags that the command line left out.
func (fs *flagSet) fromEnvironment() (err error) {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	fs.VisitAll(func(f *flag.Flag) {
		if given[f.Name] || err != nil {
			return
		}
		value, found, readErr := fs.p.setting("SLOTD_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")))
		if readErr != nil {
			err = readErr
		} else if found {
			err = set(f, value)
		}
	})
	return err
}

func set(f *flag.Flag, value string) error {
	values := []string{value}
	if _, repeatable := f.Value.(*list); repeatable {
		values = strings.Split(value, "\n")
	}
	for _, v := range values {
		if err := f.Value.Set(v); err != nil {
			return usagef("invalid value %q for %s from the environment: %v", v, f.Name, err)
		}
	}
	return nil
}

// setting reads NAME, or the file that NAME_FILE names.
func (p *program) setting(name string) (value string, found bool, err error) {
	value, found = p.getenv(name)
	path, fromFile := p.getenv(name + "_FILE")
	switch {
	case found && fromFile:
		return "", false, usagef("%s and %s_FILE are both set; keep one", name, name)
	case !fromFile:
		return value, found, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", false, fmt.Errorf("read %s_FILE: %w", name, err)
	}
	return strings.TrimRight(string(text), "\r\n"), true, nil
}

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(value string) error {
	if value = strings.TrimSpace(value); value != "" {
		*l = append(*l, value)
	}
	return nil
}

// required complains about the first flag that has no value.
func required(values ...string) error {
	for i := 0; i < len(values); i += 2 {
		if values[i+1] == "" {
			return usagef("%s is required", values[i])
		}
	}
	return nil
}

// explain shows an error's sentence without its code: the command line has exit codes instead.
func explain(err error) string {
	var e *slotd.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
