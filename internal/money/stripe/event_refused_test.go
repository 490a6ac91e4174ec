package stripe

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"slotd/internal/money/stripe/stripetest"
)

var paidEvent = eventBody("checkout.session.completed",
	checkoutObject(`,"status":"complete","payment_status":"paid","payment_intent":"pi_1"`))

// In the synctest bubble the library's clock stands still.
func TestReadEvent_BelievesTheSecretOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		right := sign(paidEvent)
		other := stripetest.Signature(paidEvent, "whsec_another", now)
		_, oldV1, _ := strings.Cut(other, ",")
		at, mac, _ := strings.Cut(right, ",v1=")
		for about, c := range map[string]struct {
			signature string
			ok        bool
		}{
			"right":                      {right, true},
			"while the secret is rolled": {right + "," + oldV1, true},
			"the other way round":        {other + ",v1=" + mac, true},
			"with one of another scheme": {right + ",v0=" + mac, true},
			"none":                       {"", false},
			"of another secret":          {other, false},
			"of another body":            {sign(append(bytes.Clone(paidEvent), ' ')), false},
			"of no secret":               {stripetest.Signature(paidEvent, "", now), false},
			"five minutes old": {stripetest.Signature(paidEvent, webhookSecret, now.Add(-5*time.Minute)),
				true},
			"older than five minutes": {stripetest.Signature(paidEvent, webhookSecret,
				now.Add(-5*time.Minute-time.Second)), false},
			// events are stored by id for longer than that
			"of a clock that is ahead": {stripetest.Signature(paidEvent, webhookSecret, now.Add(time.Hour)), true},
			"with another time":        {"t=1,v1=" + mac, false},
			"with a newer time than signed": {strings.Replace(stripetest.Signature(paidEvent, webhookSecret,
				now.Add(-time.Hour)), "t=", at+",x=", 1), false},
			"of another scheme alone":        {at + ",v0=" + mac, false},
			"without a time":                 {"v1=" + mac, false},
			"a time that is no number":       {"t=now,v1=" + mac, false},
			"cut short":                      {right[:len(right)-2], false},
			"in no form":                     {"right", false},
			"nothing but commas":             {strings.Repeat(",", 1000), false},
			"a thousand wrong ones":          {at + strings.Repeat(",v1=00", 1000), false},
			"a thousand wrong ones and ours": {at + strings.Repeat(",v1=00", 1000) + ",v1=" + mac, true},
		} {
			e, err := ReadEvent(paidEvent, c.signature, webhookSecret)
			if (err == nil) != c.ok || err == nil && e.ID != "evt_1" {
				t.Errorf("%s: %+v, %v", about, e, err)
			}
			if err != nil && strings.Contains(err.Error(), webhookSecret) {
				t.Errorf("%s: the secret is told: %v", about, err)
			}
		}
	})
}

func TestReadEvent_WithoutASecretBelievesNobody(t *testing.T) {
	if e, err := ReadEvent(paidEvent, stripetest.Signature(paidEvent, "", time.Now()), ""); err == nil {
		t.Errorf("got %+v", e)
	}
}

func TestReadEvent_RefusesWhatIsNoEvent(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	const kind = "checkout.session.completed"
	for about, body := range map[string][]byte{
		"nothing":               {},
		"no JSON":               []byte("paid=1"),
		"half of one":           paidEvent[:len(paidEvent)/2],
		"null":                  []byte("null"),
		"a list":                []byte("[]"),
		"text":                  []byte(`"evt_1"`),
		"another object":        []byte(`{"id":"evt_1","object":"refund"}`),
		"a thin event":          []byte(`{"id":"evt_1","object":"v2.core.event","type":"v1.billing"}`),
		"no id":                 []byte(`{"object":"event","type":"` + kind + `","data":{"object":{}}}`),
		"data that is null":     []byte(`{"id":"evt_1","object":"event","type":"` + kind + `","data":null}`),
		"no data":               []byte(`{"id":"evt_1","object":"event","type":"` + kind + `"}`),
		"no object in the data": []byte(`{"id":"evt_1","object":"event","type":"` + kind + `","data":{}}`),
		"data of another type":  []byte(`{"id":"evt_1","object":"event","type":"` + kind + `","data":[]}`),
		"too deep":              eventBody(kind, deep),
		"an object of a number": eventBody(kind, "7"),
		"metadata of numbers":   eventBody(kind, `{"id":"cs_1","metadata":{"slotd_workspace":7}}`),
		"metadata in a list":    eventBody(kind, `{"id":"cs_1","metadata":[]}`),
		"a name with a zero":    eventBody(kind, `{"id":"cs_\u0000"}`),
		"a name with a newline": eventBody("refund.created", `{"id":"re_1\n","amount":1}`),
		"a long name": eventBody("refund.created",
			`{"id":"re_1","payment_intent":"`+strings.Repeat("x", maxKey+1)+`"}`),
		"a long id": []byte(`{"id":"` + strings.Repeat("x", maxKey+1) +
			`","object":"event","type":"x","data":{"object":{}}}`),
		"a number without end": eventBody("refund.created", `{"id":"re_1","amount":`+strings.Repeat("9", 100_000)+`}`),
		"a kind of words":      eventBody("grace has paid", `{}`),
	} {
		if e, err := readSigned(body); err == nil || errors.Is(err, ErrForeign) {
			t.Errorf("%s: %+v, %v", about, e, err)
		} else if len(err.Error()) > 400 {
			t.Errorf("%s: a long story: %.500v", about, err)
		}
	}
}

func TestReadEvent_OfAConnectedAccountIsForeign(t *testing.T) {
	body := bytes.Replace(paidEvent, []byte(`"object":"event"`), []byte(`"object":"event","account":"acct_1"`), 1)
	if e, err := readSigned(body); !errors.Is(err, ErrForeign) {
		t.Errorf("got %+v, %v", e, err)
	}
}
