package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// office returns a workspace with a calendar that needs a password and a feed.
func office() *slotd.Workspace {
	w := with("intro")
	w.Calendars = []slotd.Calendar{
		{Name: "office", Type: slotd.CalDAV, URL: "https://dav.example/ada/office/", Username: "ada", WriteBack: true,
			StaleAfterMinutes: 15},
		{Name: "club", Type: slotd.ICSFeed, URL: "https://club.example/fixtures.ics", StaleAfterMinutes: 30},
	}
	return w
}

func newKeys(t *testing.T) *seal.Keys {
	t.Helper()
	keys, err := seal.Ensure(filepath.Join(t.TempDir(), "secret.key"))
	must(t, err)
	return keys
}

// fixture is a database with the workspace office. Both calendars have been read, and a booking was written to them.
type fixture struct {
	t    *testing.T
	db   *store.DB
	keys *seal.Keys
	file *slotd.Workspace
}

func eachFixture(t *testing.T, test func(t *testing.T, d *fixture)) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		d := &fixture{t, db, newKeys(t), office()}
		_, err := d.put("correct horse")
		must(t, err)
		d.pretendReads()
		test(t, d)
	})
}

// put applies the file. An empty password means that none is given.
func (d *fixture) put(password string) (Previous, error) { return d.apply(password, false) }

func (d *fixture) apply(password string, dryRun bool) (Previous, error) {
	d.t.Helper()
	if problems := Validate(d.file); len(problems) > 0 {
		d.t.Fatalf("the test's workspace is wrong: %v", problems)
	}
	change := Change{Desired: d.file, Keys: d.keys, Now: now, DryRun: dryRun}
	if password != "" {
		change.Passwords = map[string]string{"office": password}
	}
	return Put(ctx, d.db, change)
}

func (d *fixture) calendar(name string) *slotd.Calendar {
	d.t.Helper()
	c := config(d.t, d.db, "acme")
	i := slices.IndexFunc(c.Calendars, func(cal slotd.Calendar) bool { return cal.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Calendars[i]
}

// pretendReads writes the rows that reading and writing calendars would leave, and removes the sync jobs.
func (d *fixture) pretendReads() {
	d.t.Helper()
	c := config(d.t, d.db, "acme")
	book(d.t, d.db, "intro", now)
	must(d.t, d.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, cal := range c.Calendars {
			state, err := tx.CalendarRead(ctx,
				sqlcgen.CalendarReadParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID})
			if err != nil {
				return err
			}
			row := sqlcgen.PutCalendarReadParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID, Round: state.Round,
				Cursor: "there", ReadAt: now.UnixMilli(), Events: 1, Failures: 2, LastError: "no", Broken: true,
				Told: true}
			if _, err := tx.PutCalendarRead(ctx, row); err != nil {
				return err
			}
			if err := tx.PutCalendarItems(ctx,
				[]sqlcgen.CalendarItem{{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID, ID: "one"}}); err != nil {
				return err
			}
			if err := tx.InsertCalendarBusy(ctx,
				[]sqlcgen.CalendarBusy{{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID, FromAt: 1,
					UntilAt: 2}}); err != nil {
				return err
			}
			if err := tx.PutCalendarEntry(ctx,
				sqlcgen.PutCalendarEntryParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID, BookingID: d.booking(tx),
					PlaceID: "here"}); err != nil {
				return err
			}
		}
		return jobs.Drop(ctx, tx, c.WorkspaceID, uuid.Nil, SyncJob)
	}))
}

func (d *fixture) booking(tx *store.Tx) (id string) {
	d.t.Helper()
	c := config(d.t, d.db, "acme")
	claims, err := tx.ClaimsBetween(ctx,
		sqlcgen.ClaimsBetweenParams{WorkspaceID: c.WorkspaceID, HostID: c.HostID, FromAt: 0, FromAt_2: 1 << 60,
			UntilAt: 0})
	if err != nil || len(claims) != 1 {
		d.t.Fatal(claims, err)
	}
	return claims[0].BookingID
}

// calendarState describes in words what is stored for a calendar.
func (d *fixture) calendarState(name string) string {
	d.t.Helper()
	c, cal := config(d.t, d.db, "acme"), d.calendar(name)
	if cal == nil {
		return "nothing"
	}
	q := d.db.Read()
	read, err := q.CalendarRead(ctx, sqlcgen.CalendarReadParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID})
	must(d.t, err)
	items, err := q.CalendarItems(ctx, sqlcgen.CalendarItemsParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID})
	must(d.t, err)
	busy, err := q.CalendarBusy(ctx, sqlcgen.CalendarBusyParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID})
	must(d.t, err)
	var words []string
	for word, ok := range map[string]bool{"read": read.ReadAt > 0 && read.Cursor != "", "items": len(items) > 0,
		"busy": len(busy) > 0, "broken": read.Broken, "due": d.due(cal)} {
		if ok {
			words = append(words, word)
		}
	}
	entries, err := q.FailedEntries(ctx, sqlcgen.FailedEntriesParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID})
	must(d.t, err)
	if entries.Failed != 0 {
		d.t.Errorf("%s has failed entries", name)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

func (d *fixture) due(cal *slotd.Calendar) bool {
	d.t.Helper()
	list, err := jobs.List(ctx, d.db, false, 100)
	must(d.t, err)
	return slices.ContainsFunc(list, func(e jobs.Entry) bool {
		return e.Kind == SyncJob && e.ID == fmt.Sprintf("calendar.%d", cal.ID) && !e.NextAt.After(now)
	})
}

func (d *fixture) wantCalendarState(about, name, want string) {
	d.t.Helper()
	if got := d.calendarState(name); got != want {
		d.t.Errorf("%s: of %s there is %q, want %q", about, name, got, want)
	}
}

const untouched = "broken busy items read"

func TestPut_ConnectsCalendars(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		d := &fixture{t, db, newKeys(t), office()}
		_, err := d.put("")
		if !needsPassword(err) || !strings.Contains(err.Error(), "password_env") {
			t.Fatalf("without its password: %v", err)
		}
		if _, err := db.Read().WorkspaceBySlug(ctx, "acme"); err == nil {
			t.Error("the workspace was made all the same")
		}
		before, err := d.put("correct horse")
		must(t, err)
		if before.Workspace != nil || len(before.NewPasswords) != 0 {
			t.Errorf("before: %+v", before)
		}
		got := config(t, db, "acme").Calendars
		for i := range got {
			got[i].ID = 0
		}
		if diff := cmp.Diff(d.file.Calendars, got); diff != "" {
			t.Error(diff)
		}
		d.wantCalendarState("connected", "office", "due")
		d.wantCalendarState("connected", "club", "due")
	})
}

func TestPut_TheSameCalendarsChangeNothing(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		v, c := versions(t, d.db, "acme")
		for about, password := range map[string]string{"without the password": "", "with the same": "correct horse"} {
			before, err := d.put(password)
			must(t, err)
			if v2, c2 := versions(t, d.db, "acme"); v2 != v || c2 != c || len(before.NewPasswords) != 0 {
				t.Errorf("%s: version %d → %d, config version %d → %d, new passwords %v", about, v, v2, c, c2,
					before.NewPasswords)
			}
			d.wantCalendarState(about, "office", untouched)
			d.wantCalendarState(about, "club", untouched)
		}
	})
}

func TestPut_ANewPasswordIsTriedAtOnce(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		before, err := d.put("battery staple")
		must(t, err)
		if !slices.Equal(before.NewPasswords, []string{"office"}) {
			t.Errorf("new passwords: %v", before.NewPasswords)
		}
		d.wantCalendarState("the copy stays", "office", "busy due items read")
		d.wantCalendarState("the other", "club", untouched)
		d.wantPassword("battery staple")
	})
}

func (d *fixture) wantPassword(want string) {
	d.t.Helper()
	credential, err := OpenCredential(d.keys, config(d.t, d.db, "acme").WorkspaceID, d.calendar("office"),
		d.sealed("office"))
	if err != nil || credential.Password != want {
		d.t.Errorf("the password is %q, %v", credential.Password, err)
	}
}

func (d *fixture) sealed(name string) []byte {
	d.t.Helper()
	row, err := d.db.Read().Calendar(ctx,
		sqlcgen.CalendarParams{WorkspaceID: config(d.t, d.db, "acme").WorkspaceID, ID: d.calendar(name).ID})
	must(d.t, err)
	return row.Sealed
}

// A password is sent only to the address that it was entered for.
func TestPut_AnotherAddressNeedsItsOwnPassword(t *testing.T) {
	for about, edit := range map[string]func(*slotd.Calendar){
		"url":      func(c *slotd.Calendar) { c.URL = "https://evil.example/" },
		"username": func(c *slotd.Calendar) { c.Username = "eve" },
		"type":     func(c *slotd.Calendar) { c.Type, c.WriteBack = slotd.ICSFeed, false },
	} {
		t.Run(about, func(t *testing.T) {
			eachFixture(t, func(t *testing.T, d *fixture) {
				v, _ := versions(t, d.db, "acme")
				d.file.Name = "Another name"
				edit(&d.file.Calendars[0])
				_, err := d.put("")
				if !needsPassword(err) || !strings.Contains(err.Error(), `"office" needs its password`) {
					t.Errorf("got %v", err)
				}
				if v2, _ := versions(t, d.db, "acme"); v2 != v || config(t, d.db, "acme").Name != "Acme Inc" ||
					d.calendar("office").URL != "https://dav.example/ada/office/" {
					t.Error("something changed all the same")
				}
				d.wantCalendarState("refused", "office", untouched)
				_, err = d.put("correct horse")
				must(t, err)
				d.wantCalendarState("connected elsewhere", "office", "due")
				d.wantEntries("office", 0)
				d.wantEntries("club", 1)
			})
		})
	}
}

func needsPassword(err error) bool {
	var missing *PasswordMissingError
	return errors.As(err, &missing)
}
