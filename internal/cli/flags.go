package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"slotd/internal/lib/say"
)

// FlagSet holds a command's flags. They may come before or after the positional arguments, or from the environment.
type FlagSet struct {
	*flag.FlagSet
	getenv func(string) (string, bool)
}

// NewFlagSet returns an empty flag set for a command. Usage and errors are printed to out.
func NewFlagSet(command, arguments string, out io.Writer, getenv func(string) (string, bool)) *FlagSet {
	fs := &FlagSet{flag.NewFlagSet(command, flag.ContinueOnError), getenv}
	fs.SetOutput(out)
	fs.Usage = func() {
		fmt.Fprintln(out, say.T("Usage: slotd %s [flags] %s", command, arguments))
		fs.PrintDefaults()
	}
	return fs
}

// ParseArgs parses the flags and returns the positional arguments. There must be as many as wanted.
func (fs *FlagSet) ParseArgs(args []string, wanted int) ([]string, error) {
	positional, err := fs.ParseAny(args)
	if err == nil && len(positional) != wanted {
		return nil, UsageError{say.N(wanted, "slotd %[2]s takes %[1]d argument, but got %[3]d: %[4]s",
			"slotd %[2]s takes %[1]d arguments, but got %[3]d: %[4]s", fs.Name(), len(positional),
			strings.Join(positional, " "))}
	}
	return positional, err
}

// ParseAny parses the flags and returns any number of positional arguments.
func (fs *FlagSet) ParseAny(args []string) ([]string, error) {
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
		n := min(fs.argCount(args[0]), len(args))
		if err := fs.Parse(args[:n]); errors.Is(err, flag.ErrHelp) {
			return nil, ErrHelp
		} else if err != nil {
			return nil, UsageError{err.Error()}
		}
		args = args[n:]
	}
	return positional, fs.fromEnvironment()
}

// argCount returns how many arguments the flag consists of: one, or two if the next one is its value.
func (fs *FlagSet) argCount(arg string) int {
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

// fromEnvironment sets the flags that are not on the command line.
func (fs *FlagSet) fromEnvironment() (err error) {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	fs.VisitAll(func(f *flag.Flag) {
		if given[f.Name] || err != nil {
			return
		}
		name := "SLOTD_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, found, readErr := LookupSetting(fs.getenv, name)
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
	if _, repeatable := f.Value.(*StringList); repeatable {
		values = strings.Split(value, "\n")
	}
	for _, v := range values {
		if err := f.Value.Set(v); err != nil {
			return Usagef("invalid value %q for %s from the environment: %v", v, f.Name, err)
		}
	}
	return nil
}

// LookupSetting returns the environment variable NAME, or the content of the file that NAME_FILE names.
func LookupSetting(getenv func(string) (string, bool), name string) (value string, found bool, err error) {
	value, found = getenv(name)
	path, fromFile := getenv(name + "_FILE")
	switch {
	case found && fromFile:
		return "", false, Usagef("%s and %s_FILE are both set; set only one of them", name, name)
	case !fromFile:
		return value, found, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", false, fmt.Errorf("read %s_FILE: %w", name, err)
	}
	return strings.TrimRight(string(text), "\r\n"), true, nil
}

// StringList is a flag that may be given more than once.
type StringList []string

func (l *StringList) String() string { return strings.Join(*l, ",") }

func (l *StringList) Set(value string) error {
	if value = strings.TrimSpace(value); value != "" {
		*l = append(*l, value)
	}
	return nil
}

// Required takes pairs of a flag and its value and returns an error for the first flag without a value.
func Required(values ...string) error {
	for i := 0; i < len(values); i += 2 {
		if values[i+1] == "" {
			return Usagef("%s is required", values[i])
		}
	}
	return nil
}
