package eventtypes

import (
	"strconv"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// Form has the inputs of an event type.
var Form = inputs.New(workspace.EventTypeFields, ownInputs)

// PhoneAsk is a phone call for which the guest leaves a number.
const PhoneAsk = "phone_ask"

// place is a choice for where an event type takes place.
type place struct {
	Value string
	Name  say.Sentence
}

var places = []place{
	{string(slotd.Video), "Video call"},
	{PhoneAsk, "Phone: I call the guest's number"},
	{string(slotd.Phone), "Phone: guests call me"},
	{string(slotd.InPerson), "In person"},
	{string(slotd.Custom), "Something else"},
}

// ownInputs are the inputs that show more than one field, or a part of one. Inputs of a place or a price that the form
// does not show are ignored.
var ownInputs = map[string]inputs.Own[slotd.EventType]{
	"place": {
		Show: placeOf,
		Read: func(e *slotd.EventType, typed inputs.Values) {
			e.Location = slotd.Location{Type: slotd.LocationType(typed["place"])}
			if typed["place"] == PhoneAsk {
				e.Location = slotd.Location{Type: slotd.Phone, Ask: true}
			}
		},
		Words: func(e *slotd.EventType) string { return page.ShortQuote(placeName(e)) },
	},
	"url": {
		PartOf: "place",
		Show:   func(e *slotd.EventType) string { return e.Location.URL },
		Read: func(e *slotd.EventType, typed inputs.Values) {
			if e.Location.Type == slotd.Video {
				e.Location.URL = typed["url"]
			}
		},
	},
	"text": {
		PartOf: "place",
		Show:   func(e *slotd.EventType) string { return strings.TrimSpace(e.Location.Text) },
		Read: func(e *slotd.EventType, typed inputs.Values) {
			if e.Location.Type != slotd.Video && !e.Location.Ask {
				e.Location.Text = typed["text"]
			}
		},
	},
	"amount": {
		Show: func(e *slotd.EventType) string {
			if e.Price == nil {
				return ""
			}
			amount, _, _ := strings.Cut(e.Price.String(), " ")
			return amount
		},
		Read: func(e *slotd.EventType, typed inputs.Values) {
			if typed["amount"] != "" {
				price, _ := readPrice(typed["amount"], strings.ToLower(typed["currency"]))
				e.Price = &price
			}
		},
	},
	"currency": {
		Show: func(e *slotd.EventType) string {
			if e.Price == nil {
				return ""
			}
			return strings.ToUpper(e.Price.Currency)
		},
		Read: func(*slotd.EventType, inputs.Values) {}, // amount has read it
	},
	"refund": {
		Show: func(e *slotd.EventType) string {
			if e.RefundPolicy == nil {
				return ""
			}
			return strconv.Itoa(e.RefundPolicy.FullUntilHoursBefore)
		},
		Read: func(e *slotd.EventType, typed inputs.Values) {
			if e.Price != nil && typed["refund"] != "" {
				e.RefundPolicy = &slotd.RefundPolicy{FullUntilHoursBefore: page.ParseNumber(typed["refund"])}
			}
		},
	},
}

func placeOf(e *slotd.EventType) string {
	if e.Location.Ask {
		return PhoneAsk
	}
	return string(e.Location.Type)
}

func placeName(e *slotd.EventType) string {
	for _, p := range places {
		if p.Value == placeOf(e) {
			return p.Name.String()
		}
	}
	return placeOf(e)
}

// readEventType returns what was typed. The validation of the workspace does not see prices as people write them, so
// their problems are added here.
func readEventType(typed inputs.Values, problems *page.Form) *slotd.EventType {
	e := &slotd.EventType{}
	Form.Read(e, typed)
	if typed["amount"] != "" {
		_, reason := readPrice(typed["amount"], strings.ToLower(typed["currency"]))
		problems.AddProblem("amount", reason)
	}
	return e
}

// FieldOf maps a path of the workspace file to an input of the form and the subject of its problem.
func FieldOf(typed inputs.Values) func(path string) (field, subject string) {
	return func(path string) (field, subject string) {
		if _, name, ok := strings.Cut(path, "]."); ok {
			return Form.Field(name, typed)
		}
		return "title", path
	}
}
