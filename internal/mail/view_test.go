package mail

import (
	"html/template"
	"testing"
)

func TestAccent_AnythingButAColorIsTheDefault(t *testing.T) {
	for accent, want := range map[string][2]template.CSS{
		"#ffe066":   {"#ffe066", "#000000"},
		"#7048E8":   {"#7048E8", "#ffffff"},
		"":          {"#0b7285", "#ffffff"},
		"#123456;x": {"#0b7285", "#ffffff"},
		"#123456\n": {"#0b7285", "#ffffff"},
	} {
		n := sample(Booked, ToAttendee)
		n.Workspace.Accent = accent
		if v := newView(n); v.Accent != want[0] || v.OnAccent != want[1] {
			t.Errorf("%q became %s on %s", accent, v.OnAccent, v.Accent)
		}
	}
}
