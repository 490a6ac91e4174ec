package mcp

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/test/worlds"

	"slotd"
)

func TestListPublicEventTypes_IsWhatTheFileSays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		got := w.call("list_public_event_types", `{"workspace":"acme"}`, "Authorization", "Bearer nonsense").OK()
		entry := func(slug, title, description string, minutes float64, location string, price any) any {
			return object{"slug": slug, "title": title, "description": description, "duration_minutes": minutes,
				"location_type": location, "price": price, "booking_url": "https://book.example/acme/" + slug}
		}
		want := object{
			"workspace": object{"slug": "acme", "name": "Acme Inc", "time_zone": "America/New_York"},
			"event_types": []any{
				entry("intro", "Intro call", `Thirty <minutes> & a "half".`, 30, "video", nil),
				entry("fresh", "Fresh room", "", 30, "video", nil),
				entry("ask", "Call back", "", 30, "phone", nil),
				entry("dial", "Call in", "", 30, "phone", nil),
				entry("office", "Visit", "", 60, "in_person", nil),
				entry("walk", "Walk", "", 60, "custom", nil),
				entry("paid", "Consulting", "", 60, "video", object{"amount_cents": 5000.0, "currency": "usd"}),
				entry("dense", "Dense", "", 15, "video", nil),
			},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	})
}

func TestListPublicEventTypes_EmptyIsAnEmptyList(t *testing.T) {
	w := lite(t)
	w.Apply(strings.Replace(worlds.Other, "location: {type: video}}", "location: {type: video}, hidden: true}", 1))
	got := w.call("list_public_event_types", `{"workspace":"other"}`).OK()
	if list, ok := got["event_types"].([]any); !ok || len(list) != 0 {
		t.Errorf("event_types %v", got["event_types"])
	}
}

func TestGetAvailability(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		got := w.availability("intro", `,"start_date":"2027-02-06","days":3`).OK()
		slots := []any{}
		for _, hour := range []string{"09", "10", "11", "12", "13", "14", "15", "16"} {
			slots = append(slots, "2027-02-08T"+hour+":00:00.000Z", "2027-02-08T"+hour+":30:00.000Z")
		}
		want := object{
			"event_type": object{"slug": "intro", "title": "Intro call", "duration_minutes": 30.0},
			"range":      object{"start": "2027-02-06T00:00:00.000Z", "end": "2027-02-09T00:00:00.000Z"},
			"slot_count": 16.0, "slots": slots, "truncated": false, "booking_url": "https://book.example/acme/intro",
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	})
}

func TestGetAvailability_Defaults(t *testing.T) {
	w := lite(t)
	for _, more := range []string{"", `,"days":7`, `,"start_date":null,"days":null`, `,"start_date":"2027-02-01"`} {
		got := w.availability("intro", more).OK()
		if want := (object{"start": "2027-02-01T00:00:00.000Z",
			"end": "2027-02-08T00:00:00.000Z"}); !reflect.DeepEqual(got["range"], want) || got["slot_count"] != 80.0 {
			t.Errorf("%s: %v, %v", more, got["range"], got["slot_count"])
		}
	}
}

func TestGetAvailability_NeverOffersThePast(t *testing.T) {
	w := lite(t)
	w.Clock.Set(monday.Add(3*time.Hour + 1)) // a nanosecond past 11:00
	got := w.availability("intro", `,"start_date":"2027-01-25","days":8`).OK()
	slots := got["slots"].([]any)
	if got["range"].(object)["start"] != "2027-01-25T00:00:00.000Z" || len(slots) != 11 ||
		slots[0] != at("02-01 11:30") {
		t.Errorf("%v", got)
	}
	if got := w.availability("intro", `,"start_date":"2000-01-01"`).OK(); got["slot_count"] != 0.0 ||
		len(got["slots"].([]any)) != 0 {
		t.Errorf("%v", got)
	}
	if got := w.availability("intro", `,"start_date":"2100-12-31","days":30`).OK(); got["slot_count"] != 0.0 ||
		got["range"].(object)["end"] != "2101-01-30T00:00:00.000Z" {
		t.Errorf("%v", got)
	}
}

func TestGetAvailability_ListsTheFirst120AndCountsAll(t *testing.T) {
	w := lite(t)
	got := w.availability("dense", `,"start_date":"2027-02-02","days":2`).OK()
	slots := got["slots"].([]any)
	if got["slot_count"] != 192.0 || len(slots) != 120 || got["truncated"] != true || slots[119] != at("02-03 05:45") {
		t.Errorf("count %v, %d slots, truncated %v, last %v", got["slot_count"], len(slots), got["truncated"],
			slots[len(slots)-1])
	}
	w.book("dense", at("02-03 23:45")) // beyond the listed slots, but counted
	w.book("dense", at("02-02 00:00"))
	got = w.availability("dense", `,"start_date":"2027-02-02","days":2`).OK()
	if got["slot_count"] != 190.0 || got["slots"].([]any)[0] != at("02-02 00:15") {
		t.Errorf("%v", got["slot_count"])
	}
	exact := strings.Replace(acme, "duration_minutes: 15, location: {type: video}, schedule: always",
		"duration_minutes: 12, location: {type: video}, schedule: always", 1)
	w.Apply(exact)
	got = w.availability("dense", `,"start_date":"2027-02-09","days":1`).OK()
	if got["slot_count"] != 120.0 || got["truncated"] != false || len(got["slots"].([]any)) != 120 {
		t.Errorf("exactly 120: %v, truncated %v", got["slot_count"], got["truncated"])
	}
}

var uuidShape = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// Agents give the number in the notes, which are stored as they are.
func TestCreate_NotesWithANumberStayAsTheyAre(t *testing.T) {
	w := lite(t)
	w.call("create_booking", `{"event_type":"ask","slot_start":"2027-02-02T10:00:00Z","attendee_name":"Grace Okafor",
		"attendee_email":"grace@example.com","attendee_time_zone":"UTC","notes":"Phone: +1 555 0100\nRing twice."}`).OK()
	var phone, notes string
	w.Must(w.Raw.QueryRow("SELECT attendee_phone, notes FROM bookings").Scan(&phone, &notes))
	if phone != "" || notes != "Phone: +1 555 0100\nRing twice." {
		t.Errorf("%q and %q", phone, notes)
	}
}

func TestCreateMoveCancel_AnswerWhatTheSpecSays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		created := w.call("create_booking", `{"event_type":"intro","slot_start":"2027-02-02T11:00:00+01:00","attendee_name":"Grace Okafor",
			"attendee_email":"grace@example.com","attendee_time_zone":"Europe/Berlin","notes":"One\n\ttwo\r\nthree"}`).OK()
		id, _ := created["booking_id"].(string)
		if !uuidShape.MatchString(id) {
			t.Errorf("booking_id %q", id)
		}
		cancelURL, rescheduleURL := created["cancel_url"].(string), created["reschedule_url"].(string)
		if !strings.HasPrefix(cancelURL, worlds.BaseURL+"/") || !strings.HasPrefix(rescheduleURL, worlds.BaseURL+"/") ||
			cancelURL == rescheduleURL {
			t.Errorf("links %s %s", cancelURL, rescheduleURL)
		}
		want := object{"booked": true, "booking_id": id, "starts_at": at("02-02 10:00"), "ends_at": at("02-02 10:30"),
			"location": "Video call",
			"join_url": "https://meet.example/ada", "cancel_url": cancelURL, "reschedule_url": rescheduleURL}
		if !reflect.DeepEqual(created, want) {
			t.Errorf("got %v\nwant %v", created, want)
		}
		moved := w.move(strings.ToUpper(id), "2027-02-03T10:30Z").OK()
		want = object{"rescheduled": true, "booking_id": id, "starts_at": at("02-03 10:30"),
			"ends_at": at("02-03 11:00"), "location": "Video call",
			"join_url": "https://meet.example/ada"}
		if !reflect.DeepEqual(moved, want) {
			t.Errorf("got %v\nwant %v", moved, want)
		}
		canceled := w.cancel(id).OK()
		if want = (object{"canceled": true, "booking_id": id, "event_title": "Intro call",
			"refunded_cents": 0.0}); !reflect.DeepEqual(canceled, want) {
			t.Errorf("got %v\nwant %v", canceled, want)
		}
	})
}

func TestLocationsAndRooms(t *testing.T) {
	w := lite(t)
	for i, c := range []struct{ slug, location string }{
		{"ask", "Phone call: Ada Park calls the number given with the booking."}, {"dial", "Call +1 555 0100."},
		{"office", "1 Main Street, 2nd floor"}, {"walk", "Meet at the gate."},
	} {
		got := w.create(c.slug, slotd.Instant(monday.AddDate(0, 0, i).Add(2*time.Hour))).OK()
		if got["location"] != c.location || got["join_url"] != "" {
			t.Errorf("%s: %v, %v", c.slug, got["location"], got["join_url"])
		}
	}
	a, b := w.create("fresh", at("02-08 10:00")).OK(), w.create("fresh", at("02-08 11:00")).OK()
	roomA, roomB := a["join_url"].(string), b["join_url"].(string)
	if !strings.HasPrefix(roomA, "https://rooms.example/") || len(roomA) < 40 || roomA == roomB {
		t.Errorf("rooms %s %s", roomA, roomB)
	}
	if got := w.move(a["booking_id"].(string), at("02-09 10:00")).OK()["join_url"]; got != roomA {
		t.Errorf("a moved booking keeps its room %s, got %v", roomA, got)
	}
}
