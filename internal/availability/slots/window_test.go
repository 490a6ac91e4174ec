package slots_test

import (
	"encoding/json"
	"strings"
	"testing"

	"slotd/internal/availability/slots"
)

func TestParseWindow_TakesOneFormOnly(t *testing.T) {
	for s, want := range map[string]slots.Window{
		"09:00-12:00": {From: 540, Until: 720},
		"00:00-24:00": {From: 0, Until: 1440},
		"23:59-24:00": {From: 1439, Until: 1440},
		"00:00-00:01": {From: 0, Until: 1},
	} {
		if got, err := slots.ParseWindow(s); err != nil || got != want || got.String() != s {
			t.Errorf("ParseWindow(%q) = %v, %v", s, got, err)
		}
	}
	for _, s := range []string{
		"", "-", "09:00", "09:00-", "-09:00", "09:00-09:00", "12:00-09:00", "24:00-24:00", "09:00-24:01", "09:00-25:00",
		"09:60-10:00", "09:00-09:60",
		"9:00-12:00", "09:0-12:00", "0900-1200", "09:00–12:00", "09:00 - 12:00", " 09:00-12:00", "09:00-12:00 ",
		"09:00-12:00\n", "09:00-12:00-13:00",
		"+9:00-12:00", "-9:00-12:00", "09:+1-12:00", "09.00-12.00", "09:00:00-12:00:00", "0x:00-12:00", "٠٩:00-12:00",
		"09:00-12:00\x00", strings.Repeat("0", 1<<20),
	} {
		if got, err := slots.ParseWindow(s); err == nil {
			t.Errorf("ParseWindow(%.40q) = %v", s, got)
		} else if len(err.Error()) > 300 {
			t.Errorf("the answer to %.40q repeats all of it", s)
		}
	}
}

func TestWindow_IsTextInJSON(t *testing.T) {
	text, err := json.Marshal([]slots.Window{{From: 545, Until: 1440}})
	if err != nil || string(text) != `["09:05-24:00"]` {
		t.Fatalf("%s, %v", text, err)
	}
	var back []slots.Window
	if err := json.Unmarshal(text, &back); err != nil || back[0] != (slots.Window{From: 545, Until: 1440}) {
		t.Errorf("%v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`["9-5"]`), &back); err == nil {
		t.Errorf("9-5 became %v", back)
	}
}
