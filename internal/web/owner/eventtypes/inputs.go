package eventtypes

import (
	"fmt"
	"strconv"
	"strings"

	"slotd"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// input is one input of the form.
type input struct {
	name, label, hint string
	numeric           bool
	required          bool
	show              func(e *slotd.EventType) string
	read              func(e *slotd.EventType, typed values) // makes an invalid text a value that the validation rejects
}

// inputView is what the page shows of an input.
type inputView struct {
	Name, Label, Hint, Value string
	Numeric, Required, Wrong bool
}

// Input returns the input with this name. The page has a template for most of them.
func (c *eventTypeContent) Input(name string) (inputView, error) {
	for _, in := range inputs {
		if in.name == name {
			return inputView{in.name, in.label, in.hint, c.Typed[name], in.numeric, in.required, c.Wrong(name)}, nil
		}
	}
	return inputView{}, fmt.Errorf("the form has no input %s", name)
}

// values are the texts of the form, by the names of its inputs.
type values map[string]string

// inputs are the inputs of the form, in the order of the workspace file.
var inputs = inputsFor(workspace.EventTypeFields)

func inputsFor(fields []workspace.Field[slotd.EventType]) (all []input) {
	for _, f := range fields {
		if object, ok := f.Kind.(workspace.Object[slotd.EventType]); ok {
			inner := inputsFor(object.Fields)
			for i := range inner {
				inner[i].required = inner[i].required && object.Has == nil
			}
			all = append(all, inner...)
		} else if f.Input != "" {
			all = append(all, inputFor(f))
		}
	}
	return all
}

// inputFor returns the input of a field. Some fields are not shown as they are stored: those are in ownInputs.
func inputFor(f workspace.Field[slotd.EventType]) input {
	in := input{name: f.Input, label: f.Label, hint: f.Hint, required: f.Required}
	if own, ok := ownInputs[f.Input]; ok {
		in.show, in.read = own.show, own.read
		return in
	}
	switch k := f.Kind.(type) {
	case workspace.Text[slotd.EventType]:
		in.show = func(e *slotd.EventType) string { return trim(f.Input, *k.At(e)) }
		in.read = func(e *slotd.EventType, typed values) { *k.At(e) = typed[f.Input] }
	case workspace.Number[slotd.EventType]:
		in.numeric = k.Unit != workspace.Spans
		in.show = func(e *slotd.EventType) string { return showNumber(k, e) }
		in.read = func(e *slotd.EventType, typed values) { k.Set(e, readNumber(k, typed[f.Input])) }
	case workspace.Flag[slotd.EventType]:
		in.show = func(e *slotd.EventType) string { return yesOrNo(*k.At(e)) }
		in.read = func(e *slotd.EventType, typed values) { *k.At(e) = typed[f.Input] == yes }
	case workspace.Numbers[slotd.EventType]:
		in.show = func(e *slotd.EventType) string { return spellReminders(*k.At(e)) }
		in.read = func(e *slotd.EventType, typed values) { *k.At(e) = readReminders(typed[f.Input]) }
	}
	return in
}

// trim returns a text as the form returns it. A schedule's name is picked from a list, and may begin with blanks.
func trim(name, text string) string {
	if name == scheduleInput {
		return text
	}
	return strings.TrimSpace(text)
}

const scheduleInput = "schedule"

func showNumber(k workspace.Number[slotd.EventType], e *slotd.EventType) string {
	n := k.Get(e)
	switch {
	case k.None != "" && n == 0:
		return ""
	case k.Unit == workspace.Spans:
		return page.SpellMinutes(n)
	}
	return strconv.Itoa(n)
}

// readNumber returns the default for an empty text. A typed 0 becomes -1, which is invalid, if 0 means none.
func readNumber(k workspace.Number[slotd.EventType], text string) int {
	if text == "" {
		return k.Default
	}
	n := page.ParseNumber(text)
	if k.Unit != workspace.Count {
		n = readMinutes(text)
	}
	if n == 0 && k.None != "" {
		return -1
	}
	return n
}

const yes = "yes"

func yesOrNo(is bool) string {
	if is {
		return yes
	}
	return "no"
}

// typedValues reads the form.
func (v *visit) typedValues() values {
	typed := values{}
	for _, in := range inputs {
		typed[in.name] = v.Value(in.name)
	}
	typed[scheduleInput] = v.RawValue(scheduleInput)
	typed["hidden"] = yesOrNo(v.Value("hidden") != "")
	return typed
}

// valuesOf returns the form filled in with an event type.
func valuesOf(e *slotd.EventType) values {
	typed := values{}
	for _, in := range inputs {
		typed[in.name] = in.show(e)
	}
	return typed
}

// eventType returns what the values mean. Invalid ones become values that the validation of the workspace rejects. It
// does not see prices as people write them, so their problems are added here.
func (typed values) eventType(problems *page.Form) *slotd.EventType {
	e := &slotd.EventType{}
	for _, in := range inputs {
		in.read(e, typed)
	}
	if typed["amount"] != "" {
		_, reason := readPrice(typed["amount"], strings.ToLower(typed["currency"]))
		problems.AddProblem("amount", reason)
	}
	return e
}

// versionedFields pairs what was typed with what is stored now. The slug is left out: it identifies the event type.
func (typed values) versionedFields(now values) (fields []page.VersionedField, apply func()) {
	texts := map[string]*string{}
	for _, in := range inputs {
		if in.name == "slug" {
			continue
		}
		text := typed[in.name]
		texts[in.name] = &text
		field := page.VersionedField{Name: in.name, Label: in.label, Current: now[in.name], Typed: &text}
		if in.name == "place" {
			field.CurrentText = page.ShortQuote(strings.ReplaceAll(field.Current, "_", " "))
		}
		fields = append(fields, field)
	}
	return fields, func() {
		for name, text := range texts {
			typed[name] = *text
		}
	}
}
