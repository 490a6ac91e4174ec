package eventtypes

import (
	"strconv"
	"strings"

	"slotd"
	"slotd/internal/web/owner/page"
)

// PhoneAsk is a phone call for which the guest leaves a number.
const PhoneAsk = "phone_ask"

// ownInputs are the inputs that show more than one field, or a part of one. Inputs of a place or a price that the form
// does not show are ignored.
var ownInputs = map[string]input{
	"place": {
		show: func(e *slotd.EventType) string {
			if e.Location.Ask {
				return PhoneAsk
			}
			return string(e.Location.Type)
		},
		read: func(e *slotd.EventType, typed values) {
			e.Location = slotd.Location{Type: slotd.LocationType(typed["place"])}
			if typed["place"] == PhoneAsk {
				e.Location = slotd.Location{Type: slotd.Phone, Ask: true}
			}
		},
	},
	"url": {
		show: func(e *slotd.EventType) string { return e.Location.URL },
		read: func(e *slotd.EventType, typed values) {
			if e.Location.Type == slotd.Video {
				e.Location.URL = typed["url"]
			}
		},
	},
	"text": {
		show: func(e *slotd.EventType) string { return strings.TrimSpace(e.Location.Text) },
		read: func(e *slotd.EventType, typed values) {
			if e.Location.Type != slotd.Video && !e.Location.Ask {
				e.Location.Text = typed["text"]
			}
		},
	},
	"amount": {
		show: func(e *slotd.EventType) string {
			if e.Price == nil {
				return ""
			}
			amount, _, _ := strings.Cut(e.Price.String(), " ")
			return amount
		},
		read: func(e *slotd.EventType, typed values) {
			if typed["amount"] != "" {
				price, _ := readPrice(typed["amount"], strings.ToLower(typed["currency"]))
				e.Price = &price
			}
		},
	},
	"currency": {
		show: func(e *slotd.EventType) string {
			if e.Price == nil {
				return ""
			}
			return strings.ToUpper(e.Price.Currency)
		},
		read: func(*slotd.EventType, values) {}, // amount has read it
	},
	"refund": {
		show: func(e *slotd.EventType) string {
			if e.RefundPolicy == nil {
				return ""
			}
			return strconv.Itoa(e.RefundPolicy.FullUntilHoursBefore)
		},
		read: func(e *slotd.EventType, typed values) {
			if e.Price != nil && typed["refund"] != "" {
				e.RefundPolicy = &slotd.RefundPolicy{FullUntilHoursBefore: page.ParseNumber(typed["refund"])}
			}
		},
	},
}
