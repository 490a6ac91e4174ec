package workspace

import (
	"fmt"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
)

const maxText = 5000

func (c *checker) eventTypes() {
	var live []int
	for i, e := range c.workspace.EventTypes {
		if !e.Retired {
			live = append(live, i)
		}
	}
	first := map[string]string{}
	for _, i := range atMost(c, "event_types", live, MaxEventTypes, say.T("event types")) {
		e, path := &c.workspace.EventTypes[i], fmt.Sprintf("event_types[%d]", i)
		if earlier, twice := first[e.Slug]; twice {
			c.add(path+".slug", faultAbout(Duplicate,
				say.T("must differ from every other event type's; %s has the same", earlier)))
		} else {
			first[e.Slug] = path
		}
		checkFields(c, path, e, EventTypeFields)
	}
}

func checkSchedule(c *checker, path string, e *slotd.EventType) {
	if _, ok := c.workspace.Schedules[e.Schedule]; !ok {
		c.add(path, faultAbout(NoSuchSchedule, fmt.Sprintf("%.40q", e.Schedule)))
	}
}

func checkLocation(c *checker, path string, e *slotd.EventType) {
	l := e.Location
	switch l.Type {
	case slotd.Video:
		c.mustBeAbsent(path+".text", l.Text != "", say.T("a video location has no text, only an optional url"))
		c.mustBeAbsent(path+".ask", l.Ask, say.T("only a phone location asks the guest"))
		if l.URL != "" {
			c.add(path+".url", checkURL(l.URL, "https://acme.example/room", "https", "http"))
		}
		return
	case slotd.Phone:
		c.phone(path, l)
	case slotd.InPerson, slotd.Custom:
		c.mustBeAbsent(path+".ask", l.Ask, say.T("only a phone location asks the guest"))
		c.add(path+".text", checkRequiredText(l.Text))
	default:
		return
	}
	c.mustBeAbsent(path+".url", l.URL != "", say.T("only a video location has a url"))
}

func (c *checker) phone(path string, l slotd.Location) {
	switch {
	case l.Ask && l.Text != "":
		c.add(path, fault(PhoneWithBoth))
	case !l.Ask && l.Text == "":
		c.add(path, fault(PhoneWithoutText))
	case !l.Ask:
		c.add(path+".text", checkRequiredText(l.Text))
	}
}

func (c *checker) mustBeAbsent(path string, present bool, why string) {
	if present {
		c.add(path, faultAbout(NotHere, why))
	}
}

func checkPriceStep(c *checker, path string, e *slotd.EventType) {
	if step := e.Price.Step(); e.Price.AmountCents%step != 0 {
		c.add(path, &Fault{Code: NotPayable, Min: int(step), Max: int((e.Price.AmountCents + step - 1) / step * step)})
	}
}

func checkRefund(c *checker, path string, e *slotd.EventType) {
	c.mustBeAbsent(path, e.RefundPolicy != nil && e.Price == nil, say.T("there is no price to refund"))
}

// checkReminders rejects duplicates, which would send two equal mails in the same minute.
func checkReminders(c *checker, path string, e *slotd.EventType) {
	minutes := e.RemindersMinutesBefore[:min(len(e.RemindersMinutesBefore), maxReminders)]
	for i, m := range minutes {
		if slices.Contains(minutes[:i], m) {
			c.add(fmt.Sprintf("%s[%d]", path, i),
				faultAbout(Duplicate, say.T("must differ from the other reminders; %d stands there twice", m)))
		}
	}
}

func checkCurrency(s string) error {
	if slices.Contains(currencies, s) {
		return nil
	}
	return fault(NotACurrency)
}

// currencies are the national currencies of ISO 4217. Its funds, metals and test codes cannot be charged.
var currencies = strings.Fields("" +
	"aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf " +
	"chf clp cny cop crc cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd " +
	"hnl htg huf idr ils inr iqd irr isk jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd " +
	"mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln " +
	"pyg qar ron rsd rub rwf sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt tnd top try " +
	"ttd twd tzs uah ugx usd uyu uzs ved ves vnd vuv wst xaf xcd xcg xof xpf yer zar zmw zwg")
