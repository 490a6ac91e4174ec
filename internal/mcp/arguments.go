package mcp

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/strictjson"
	"slotd/internal/workspace"
)

// arguments reads a tool's arguments. Every error names the argument and shows a valid value.
type arguments struct{ object strictjson.Value }

// argumentError is a sentence about an argument that this tool cannot use.
type argumentError string

func (e argumentError) Error() string { return string(e) }

func argumentErrorf(format string, args ...any) error {
	return argumentError(fmt.Sprintf(format, args...))
}

// allowOnly rejects arguments that the tool does not have. A misspelled optional argument would otherwise be silently
// ignored.
func (a arguments) allowOnly(names ...string) error {
	for name := range a.object.Members() {
		if !slices.ContainsFunc(names, name.Is) {
			return argumentErrorf("There is no argument %q. This tool takes: %s.",
				clip(name.Text()), strings.Join(names, ", "))
		}
	}
	return nil
}

// text returns a string argument, or "" if it is absent or null.
func (a arguments) text(name, example string) (string, error) {
	v := a.object.Get(name)
	if v.Kind() == strictjson.Null {
		return "", nil
	}
	if v.Kind() != strictjson.String {
		return "", badArgument(name, "must be a string", example)
	}
	return v.Text(), nil
}

func (a arguments) required(name, example string) (string, error) {
	if a.object.Get(name).Kind() == strictjson.Null {
		return "", badArgument(name, "is missing", example)
	}
	return a.text(name, example)
}

func badArgument(name, problem, example string) error {
	return argumentErrorf("%s %s. A right value is %q.", name, problem, example)
}

func (a arguments) slug(name, example string) (string, error) {
	s, err := a.required(name, example)
	if err == nil && !workspace.ValidSlug(s) {
		err = badArgument(name, "must be a slug: 1 to 64 of a-z, 0-9 and -, no dash at either end", example)
	}
	return s, err
}

func (a arguments) instant(name string) (time.Time, error) {
	const example = "2027-02-01T15:00:00.000Z"
	s, err := a.required(name, example)
	if err != nil {
		return time.Time{}, err
	}
	t, reason := slotd.ParseInstant(s)
	if reason != "" {
		return time.Time{}, badArgument(name, reason, example)
	}
	return t, nil
}

func (a arguments) date(name string, fallback zone.Date) (zone.Date, error) {
	const example = "2027-01-31"
	s, err := a.text(name, example)
	if err != nil || a.object.Get(name).Kind() == strictjson.Null {
		return fallback, err
	}
	date, err := zone.ParseDate(s)
	if err != nil {
		return 0, badArgument(name, "must be a date YYYY-MM-DD in the years 2000 to 2100", example)
	}
	return date, nil
}

func (a arguments) integer(name string, fallback, lowest, highest int) (int, error) {
	v := a.object.Get(name)
	if v.Kind() == strictjson.Null {
		return fallback, nil
	}
	n, ok := v.Int64()
	if !ok || n < int64(lowest) || n > int64(highest) {
		return 0, argumentErrorf("%s must be an integer from %d to %d. A right value is %d.", name,
			lowest, highest, fallback)
	}
	return int(n), nil
}

func (a arguments) uuid(name string) (uuid.UUID, error) {
	const example = "0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e"
	s, err := a.required(name, example)
	if err != nil {
		return uuid.Nil, err
	}
	id, err := uuid.Parse(s)
	if err != nil || len(s) != len(example) { // Parse also accepts braces and urn:uuid:
		return uuid.Nil, badArgument(name, "must be a UUID, as create_booking returned it", example)
	}
	return id, nil
}

// validated returns a required string that check accepts: it returns the reason against a value, or "".
func (a arguments) validated(name, example string, check func(string) error) (string, error) {
	s, err := a.required(name, example)
	if err == nil {
		if wrong := check(s); wrong != nil {
			err = badArgument(name, wrong.Error(), example)
		}
	}
	return s, err
}
