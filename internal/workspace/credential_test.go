package workspace

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"slotd"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// An attacker who can write to the database must not be able to redirect a password to another server.
func TestOpenCredential_OnlyInItsOwnRowWithItsOwnAddress(t *testing.T) {
	keys := newKeys(t)
	cal := slotd.Calendar{ID: 7, Name: "office", Type: slotd.CalDAV, URL: "https://dav.example/", Username: "ada"}
	sealed, err := Credential{Password: "correct horse"}.Seal(keys, 1, &cal)
	must(t, err)
	if bytes.Contains(sealed, []byte("horse")) {
		t.Error("the password stands there as it is")
	}
	if c, err := OpenCredential(keys, 1, &cal, sealed); err != nil || c.Password != "correct horse" {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := OpenCredential(keys, 2, &cal, sealed); err == nil {
		t.Error("opened in another workspace")
	}
	for about, edit := range map[string]func(*slotd.Calendar){
		"id": func(c *slotd.Calendar) { c.ID = 8 }, "type": func(c *slotd.Calendar) { c.Type = slotd.ICSFeed },
		"url":              func(c *slotd.Calendar) { c.URL = "https://evil.example/" },
		"username":         func(c *slotd.Calendar) { c.Username = "eve" },
		"calendar":         func(c *slotd.Calendar) { c.Calendar = "x" },
		"url and username": func(c *slotd.Calendar) { c.URL, c.Username = `https://dav.example/" "ada`, "" },
	} {
		other := cal
		edit(&other)
		if _, err := OpenCredential(keys, 1, &other, sealed); err == nil {
			t.Errorf("opened with another %s", about)
		}
	}
	other := cal
	other.Name, other.WriteBack, other.StaleAfterMinutes = "Office", true, 99 // not part of the address
	if _, err := OpenCredential(keys, 1, &other, sealed); err != nil {
		t.Error(err)
	}
	if c, err := OpenCredential(keys, 1, &cal, nil); err != nil || c != (Credential{}) {
		t.Errorf("of nothing: %+v, %v", c, err)
	}
}

func TestLockedCredentials_AreThoseOfAnotherKeyFile(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		if locked, err := LockedCredentials(ctx, d.db, d.keys); err != nil || len(locked) != 0 {
			t.Errorf("with its own: %v, %v", locked, err)
		}
		others := newKeys(t)
		second := office()
		second.Slug = "other"
		_, err := Put(ctx, d.db, Change{Desired: second, Passwords: map[string]string{"office": "x"}, Keys: others,
			Now: now})
		must(t, err)
		for slug, keys := range map[string]*seal.Keys{"acme": others, "other": d.keys} {
			locked, err := LockedCredentials(ctx, d.db, keys)
			if err != nil || len(locked) != 1 || locked[0].Name != "office" ||
				locked[0].WorkspaceID != config(t, d.db, slug).WorkspaceID {
				t.Errorf("%s: %+v, %v", slug, locked, err)
			}
		}
		if _, err := OpenCredential(others, config(t, d.db, "acme").WorkspaceID, d.calendar("office"),
			d.sealed("office")); !errors.Is(err, seal.ErrOtherKey) {
			t.Errorf("got %v", err)
		}
		d.keys = others
		_, err = d.put("correct horse") // entering the password again seals it with the current key
		must(t, err)
		if locked, err := LockedCredentials(ctx, d.db, others); err != nil || len(locked) != 0 {
			t.Errorf("given again: %v, %v", locked, err)
		}
	})
}

func TestReseal_PassesOverWhatItCannotOpen(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		second := office()
		second.Slug = "other"
		_, err := Put(ctx, d.db, Change{Desired: second, Passwords: map[string]string{"office": "x"}, Keys: d.keys,
			Now: now})
		must(t, err)
		sealed := d.sealed("office")
		n, _, err := Reseal(ctx, d.db, d.keys)
		if err != nil || n != 2 || bytes.Equal(sealed, d.sealed("office")) {
			t.Errorf("%d resealed, %v", n, err)
		}
		d.wantPassword("correct horse")
		sealed = d.sealed("office")
		c := config(t, d.db, "other")
		for _, damaged := range [][]byte{[]byte("damaged"), sealed} { // the second one is from another row
			must(t, d.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				row, err := tx.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: c.WorkspaceID, ID: c.Calendars[0].ID})
				if err != nil {
					return err
				}
				_, err = tx.SealCalendar(ctx, sqlcgen.SealCalendarParams{WorkspaceID: c.WorkspaceID,
					ID: c.Calendars[0].ID, Sealed: damaged, Sealed_2: row.Sealed})
				return err
			}))
			n, locked, err := Reseal(ctx, d.db, d.keys)
			if err != nil || n != 1 || len(locked) != 1 || locked[0] != "calendar office" {
				t.Errorf("%d resealed, locked: %v, %v", n, locked, err)
			}
			d.wantPassword("correct horse")
		}
	})
}

// After a rotation, every password can be opened with the new file.
func TestReseal_AtARotation(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		path := filepath.Join(t.TempDir(), "secret.key")
		keys, err := seal.Ensure(path)
		must(t, err)
		d.keys = keys
		_, err = d.put("correct horse")
		must(t, err)
		for range 3 { // the third rotation discards the first key
			must(t, seal.Rotate(path, func(k *seal.Keys) error {
				_, _, err := Reseal(ctx, d.db, k)
				return err
			}))
		}
		d.keys, err = seal.Load(path)
		must(t, err)
		d.wantPassword("correct horse")
	})
}
