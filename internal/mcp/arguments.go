package mcp

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/strictjson"
	"slotd/internal/workspace"
)

// arguments reads a tool's arguments. Every refusal names the argument and shows a right value.
type arguments struct{ object strictjson.Value }

// only refuses arguments that the tool does not have: a misspelt optional one would otherwise be
// ignored without a word.
func (a arguments) only(names ...string) error {
	for name := range a.object.Members() {
		if !slices.ContainsFunc(names, name.Is) {
			return slotd.Errorf(slotd.InvalidArgument, "There is no argument %q. This tool takes: %s.",
				clip(name.Text()), strings.Join(names, ", "))
		}
	}
	return nil
}

// text is a string argument; "" if it is absent or null.
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

func badArgument(name, what, example string) error {
	return slotd.Errorf(slotd.InvalidArgument, "%s %s. A right value is %q.", name, what, example)
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
	t, wrong := slotd.ParseInstant(s)
	if wrong != "" {
		return time.Time{}, badArgument(name, wrong, example)
	}
	return t, nil
}

func (a arguments) date(name string, byDefault zone.Date) (zone.Date, error) {
	const example = "2027-01-31"
	s, err := a.text(name, example)
	if err != nil || a.object.Get(name).Kind() == strictjson.Null {
		return byDefault, err
	}
	date, err := zone.ParseDate(s)
	if err != nil {
		return 0, badArgument(name, "must be a date YYYY-MM-DD in the years 2000 to 2100", example)
	}
	return date, nil
}

func (a arguments) integer(name string, byDefault, least, most int) (int, error) {
	v := a.object.Get(name)
	if v.Kind() == strictjson.Null {
		return byDefault, nil
	}
	n, ok := v.Int64()
	if !ok || n < int64(least) || n > int64(most) {
		return 0, slotd.Errorf(slotd.InvalidArgument, "%s must be an integer from %d to %d. A right value is %d.", name,
			least, most, byDefault)
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
	if err != nil || len(s) != len(example) { // Parse also takes braces and urn:uuid:
		return uuid.Nil, badArgument(name, "must be a UUID, as create_booking returned it", example)
	}
	return id, nil
}

// checked is a required string that a rule judges.
func (a arguments) checked(name, example string, rule func(string) (reason string)) (string, error) {
	s, err := a.required(name, example)
	if err == nil {
		if reason := rule(s); reason != "" {
			err = badArgument(name, reason, example)
		}
	}
	return s, err
}
