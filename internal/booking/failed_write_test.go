package booking

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd/internal/money/ledger"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

// verbs are the ways to change a booking. Each prepares the world and returns the change.
var verbs = map[string]func(w *world) func() error{
	"create": func(w *world) func() error {
		request := Request{EventType: "intro", StartsAt: at("10:00"), Attendee: guest,
			Idempotency: &Idempotency{TokenID: "tok_1", Key: "key"}}
		return func() error { _, err := w.Create(background, w.actor, request); return err }
	},
	"move": func(w *world) func() error {
		b := w.mustCreate("intro", at("10:00"))
		return func() error { _, err := w.Reschedule(background, w.actor, b.ID, at("11:00")); return err }
	},
	"cancel": func(w *world) func() error {
		b := w.mustCreate("intro", at("10:00"))
		return func() error { _, err := w.Cancel(background, w.actor, b.ID, "ill"); return err }
	},
	"hold": func(w *world) func() error {
		return func() error { _, err := w.hold("lesson", at("10:00")); return err }
	},
	"hold what another hold has left": func(w *world) func() error {
		w.Clock.Set(w.mustHold("lesson", at("10:00")).Hold.Until)
		return func() error { _, err := w.hold("lesson", at("10:00")); return err }
	},
	"release": func(w *world) func() error {
		b := w.mustHold("lesson", at("10:00"))
		return func() error { return w.Release(background, w.actor, b.ID) }
	},
	"pay": func(w *world) func() error {
		b := w.mustHold("lesson", at("10:00"))
		return func() error { return w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, worlds.PaidStatement(b)) }
	},
	"pay late": func(w *world) func() error {
		b := w.mustHold("lesson", at("10:00"))
		w.Clock.Set(b.Hold.Until)
		return func() error { return w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, worlds.PaidStatement(b)) }
	},
	"pay too late": func(w *world) func() error {
		b := w.mustHold("lesson", at("10:00"))
		w.Clock.Set(b.Hold.Until)
		w.mustCreate("intro", at("10:00"))
		return func() error { return w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, worlds.PaidStatement(b)) }
	},
	"cancel what was paid": func(w *world) func() error {
		b := w.mustPay("lesson", at("+3 10:00"))
		return func() error { _, err := w.Cancel(background, w.actor, b.ID, ""); return err }
	},
	"dispute": func(w *world) func() error {
		b := w.mustPay("lesson", at("+3 10:00"))
		return func() error {
			return w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, worlds.StatementOf(b, ledger.Disputed, "dp_1"))
		}
	},
	"mail that a refund is due": func(w *world) func() error {
		b := w.mustPay("lesson", at("+3 10:00"))
		_, err := w.Cancel(background, w.actor, b.ID, "")
		w.Must(err)
		return func() error { return w.MailRefundDue(background, w.actor.WorkspaceID, b.ID) }
	},
	"mail that a payment is unknown": func(w *world) func() error {
		b := w.mustHold("lesson", at("10:00"))
		return func() error { return w.MailPaymentUnknown(background, w.actor.WorkspaceID, b.ID) }
	},
	"end the problem that was mailed": func(w *world) func() error {
		b := w.mustHold("lesson", at("10:00"))
		w.Must(w.MailPaymentUnknown(background, w.actor.WorkspaceID, b.ID))
		return func() error { return w.ResetOwnerMail(background, w.actor.WorkspaceID, b.ID) }
	},
	"forget": func(w *world) func() error {
		b := w.mustHold("lesson", at("10:00"))
		w.Clock.Set(b.Hold.Until)
		w.applyPayment(b, ledger.Statement{Closed: true})
		w.Clock.Advance(48 * time.Hour)
		return func() error { return w.ForgetGuest(background, w.actor.WorkspaceID, b.ID) }
	},
}

// If any of its writes fails, a verb says so and has changed nothing. SQLite is enough: no verb knows its database.
func TestVerbs_AFailedWriteUndoesAll(t *testing.T) {
	for name, prepare := range verbs {
		t.Run(name, func(t *testing.T) {
			fresh := func() *world {
				w := newWorld(t, testdb.SQLite(t))
				w.addPaidEventTypes()
				return w
			}
			writes := fresh().writesOf(prepare)
			w := fresh()
			do := prepare(w)
			before := w.Dump()
			for _, write := range writes {
				w.exec("CREATE TRIGGER fire BEFORE " + write + " BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END")
				if err := do(); err == nil || !strings.Contains(err.Error(), "the disk is on fire") {
					t.Errorf("%s: %v", write, err)
				}
				w.exec("DROP TRIGGER fire")
				if after := w.Dump(); after != before {
					t.Fatalf("%s: before\n%safter\n%s", write, before, after)
				}
			}
			if w.Must(do()); w.Dump() == before {
				t.Error("it changes nothing")
			}
		})
	}
}

// writesOf does the change and returns what it writes, such as "INSERT ON claims".
func (w *world) writesOf(prepare func(w *world) func() error) (writes []string) {
	w.T.Helper()
	do := prepare(w)
	var script strings.Builder // in one transaction: a hundred would take a second
	script.WriteString("BEGIN; CREATE TABLE writes (what TEXT);")
	for i, table := range w.tables() {
		for _, verb := range []string{"INSERT", "UPDATE", "DELETE"} {
			what := verb + " ON " + table
			fmt.Fprintf(&script, "CREATE TRIGGER log_%s_%d AFTER %s BEGIN INSERT INTO writes VALUES ('%s'); END;", verb, i,
				what, what)
		}
	}
	w.exec(script.String() + "COMMIT")
	w.Must(do())
	if writes = w.Texts("SELECT DISTINCT what FROM writes"); len(writes) == 0 {
		w.T.Fatal("it writes nothing")
	}
	return writes
}

func (w *world) tables() []string {
	return w.Texts("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('writes', 'sqlite_sequence')")
}

func (w *world) exec(statement string) {
	w.T.Helper()
	_, err := w.Raw.Exec(statement)
	w.Must(err)
}
