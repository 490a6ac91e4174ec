package store_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

var update = flag.Bool("update", false, "write the table of the documentation anew")

// neverAboutAttendees lists, by table, the columns that hold nothing about an attendee: keys, the host's configuration,
// what owners do, and technical counters.
var neverAboutAttendees = map[string]string{
	"activity":           "workspace_id at id actor kind detail address",
	"booking_events":     "workspace_id booking_id n",
	"bookings":           "workspace_id host_id event_type_id buffer_before_minutes buffer_after_minutes hold_reason held_until",
	"calendar_busy":      "workspace_id calendar_id from_at until_at booking_id",
	"calendar_entries":   "workspace_id calendar_id booking_id sequence written_at",
	"calendar_items":     "workspace_id calendar_id id tag text", // when an event is, without its title and people
	"calendar_reads":     "workspace_id calendar_id round cursor read_at expanded_until events warning tried_at next_at wait_until failures last_error broken told",
	"calendars":          "workspace_id id host_id name position settings sealed",
	"checkouts":          "workspace_id booking_id account closed told created_at",
	"claims":             "workspace_id host_id booking_id event_type_id held_until",
	"event_types":        "workspace_id id slug position retired settings",
	"hosts":              "workspace_id id name email",
	"idempotency_keys":   "workspace_id token_id booking_id starts_at ends_at created_at",
	"jobs":               "workspace_id booking_id id queue kind sequence created_at due_at run_at fence failures failed_at",
	"link_keys":          "id secret created_at",
	"mails":              "workspace_id booking_id",
	"members":            "workspace_id user_id joined_at",
	"passkeys":           "id user_id name credential created_at last_used_at",
	"payment_accounts":   "workspace_id sealed created_at",
	"payments":           "workspace_id booking_id n",
	"schedules":          "workspace_id name settings",
	"schema_steps":       "version checksum",
	"schema_version":     "version",
	"sessions":           "hash id user_id workspace_id client address created_at proved_at used_at",
	"settings":           "name value",
	"stripe_events":      "account id kind received_at",
	"tickets":            "id purpose email name workspace_id detail created_at expires_at used_at",
	"tokens":             "id hash workspace_id name last_four created_at last_used_at revoked_at",
	"users":              "id email name password created_at",
	"workspace_versions": "workspace_id version config_version changed_seq busy_version",
	"workspaces":         "id slug name time_zone look embed created_at",
}

// Whoever adds a column decides whether it may hold data about an attendee.
func TestAttendeeData_EveryColumnIsOnOneList(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		lists := map[string]int{} // on how many lists each column is
		for table, columns := range neverAboutAttendees {
			for _, c := range strings.Fields(columns) {
				lists[table+"."+c]++
			}
		}
		for _, d := range store.AttendeeData {
			for _, c := range d.Columns {
				lists[d.Table+"."+c.Name]++
			}
		}
		for table, has := range catalog(t, db) {
			for _, c := range has.columns {
				name, _, _ := strings.Cut(c, " ")
				if n := lists[table+"."+name]; n != 1 {
					t.Errorf("%s.%s is on %d lists: put it on store.AttendeeData if it may hold data about an "+
						"attendee, else on neverAboutAttendees", table, name, n)
				}
				delete(lists, table+"."+name)
			}
		}
		for column := range lists {
			t.Errorf("there is no column %s", column)
		}
	})
}

func TestAttendeeData_WhatIsKeptHasAReason(t *testing.T) {
	for _, d := range store.AttendeeData {
		if (d.Why != "") != (d.Erasure == store.Kept) {
			t.Errorf("%s: kept because %q", d.What, d.Why)
		}
	}
}

// The table in the documentation is made from the list.
func TestAttendeeData_DocsHaveTheList(t *testing.T) {
	const path = "../../docs/operating.md"
	text, err := os.ReadFile(path)
	must(t, err)
	place := regexp.MustCompile(`(?s)(<!-- what is stored about a guest -->\n).*?\n\n`)
	if !place.Match(text) {
		t.Fatal("there is no place for the table")
	}
	docs := place.ReplaceAllStringFunc(string(text), func(all string) string {
		head, _, _ := strings.Cut(all, "\n")
		return head + "\n" + docsTable() + "\n"
	})
	if docs == string(text) {
		return
	}
	if !*update {
		t.Fatal("docs/operating.md does not have the data as the list has it: run this test with -update")
	}
	must(t, os.WriteFile(path, []byte(docs), 0o644))
}

func docsTable() string {
	rows := "| what is stored about a guest | where | when erased | keys in the export |\n|---|---|---|---|\n"
	for _, d := range store.AttendeeData {
		var columns, keys []string
		for _, c := range d.Columns {
			columns = append(columns, "`"+c.Name+"`")
			for _, key := range c.Exported {
				keys = append(keys, "`"+key+"`")
			}
		}
		erasing := map[store.Erasure]string{store.Kept: "kept: " + d.Why, store.Cleared: "cleared",
			store.Dropped: "deleted"}[d.Erasure]
		rows += fmt.Sprintf("| %s | `%s`: %s | %s | %s |\n", d.What, d.Table, strings.Join(columns, ", "), erasing,
			strings.Join(slices.Compact(keys), ", "))
	}
	for _, e := range store.AttendeeDataElsewhere {
		rows += fmt.Sprintf("| %s | %s | %s | |\n", e.What, e.Place, e.Erased)
	}
	return strings.ReplaceAll(rows, "|  |\n", "| |\n")
}
