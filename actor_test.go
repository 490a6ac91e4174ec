package slotd_test

import (
	"testing"

	"slotd"
)

func TestActor_IsReadAsItIsStored(t *testing.T) {
	for stored, hostSide := range map[string]bool{"user:12": true, "token:tok_a:b": true, "operator": true, "page": false,
		"attendee": false, "payments": false, "consent": false, "keep-days": false, "": false} {
		a := slotd.ParseActor(stored)
		if a.String() != stored || a.IsHostSide() != hostSide {
			t.Errorf("%q became %+v, %q", stored, a, a)
		}
	}
	if a := slotd.NewUserActor(12, "192.0.2.7"); a.String() != "user:12" || a.Address != "192.0.2.7" {
		t.Errorf("%+v", a)
	}
}
