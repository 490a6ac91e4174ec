package store

// PersonalData is something that the database stores about an attendee. Erasing, the export of a person's data, the
// documentation and their tests all range over the list AttendeeData.
type PersonalData struct {
	What    string // in the words of the documentation
	Table   string
	Columns []PersonalColumn
	Rows    string // an SQL condition: only these rows of a booking are about its attendee; empty: all of them
	Erasure Erasure
	Why     string // it is kept
}

// PersonalColumn is a column of the table. Exported names its keys in the export of a person's data, inside a booking;
// it is empty if the export leaves the column out.
type PersonalColumn struct {
	Name     string
	Exported []string
}

// Erasure is what erasing an attendee does.
type Erasure int

const (
	Kept    Erasure = iota
	Cleared         // the columns become empty
	Dropped         // the rows are deleted
)

// AttendeeData lists every column that may hold data about an attendee. A new column belongs either here or on the
// test's list of columns that never hold any.
var AttendeeData = []PersonalData{
	{What: "the name", Table: "bookings", Columns: same("attendee_name"), Erasure: Cleared},
	{What: "the email address", Table: "bookings", Columns: same("attendee_email"), Erasure: Cleared},
	{What: "the phone number", Table: "bookings", Columns: []PersonalColumn{as("attendee_phone", "phone")},
		Erasure: Cleared},
	{What: "the notes", Table: "bookings", Columns: same("notes"), Erasure: Cleared},
	{What: "the reasons for a cancellation and for the last reschedule", Table: "bookings",
		Columns: same("cancel_reason", "move_reason"), Erasure: Cleared},
	{What: "the time zone", Table: "bookings", Columns: same("attendee_time_zone"),
		Why: "it names nobody, and the guest's own links show times in it"},
	{What: "the booking: its times, title, location, room, state and price", Table: "bookings",
		Columns: append(same("state", "starts_at", "ends_at", "host_wall", "event_title", "location", "join_url",
			"refunded_cents", "sequence", "created_at"),
			as("id", "booking_id"), as("host_zone", "host_time_zone"),
			as("terms", "price", "refund_policy", "reminders_minutes_before")),
		Why: "the time stays as an anonymous booking"},
	{What: "the host's time that the booking takes", Table: "claims",
		Columns: unexported("starts_at", "from_at", "until_at"), Why: "the time stays taken"},
	{What: "what was done to the booking, when and by whom", Table: "booking_events",
		Columns: append(unexported("actor", "detail"), as("kind", "history.kind"), as("at", "history.at")),
		Why:     "it contains times, never a name of the guest"},
	{What: "what was paid and refunded", Table: "payments",
		Columns: []PersonalColumn{as("kind", "payments.kind"), as("amount_cents", "payments.amount_cents"),
			as("currency", "payments.currency"), as("at", "payments.at"), as("reference")},
		Why: "accounts must stay complete"},
	{What: "Stripe's ids and address of the payment", Table: "checkouts",
		Columns: unexported("session_id", "url", "payment"), Why: "refunds and disputes need them"},
	{What: "the fact that an email was sent", Table: "mails",
		Columns: []PersonalColumn{as("id", "mails.kind"), as("sent_at", "mails.at"), as("turn_at")},
		Why:     "it contains no address"},
	// Anybody with the database can compute an address's hash and find the person again.
	{What: "the hash of the address that an email went to", Table: "mails", Columns: unexported("address_hash"),
		Rows: toAttendee, Erasure: Cleared},
	// The error of a failed job may quote what a mail server said about the guest.
	{What: "pending and failed emails and reminders to the guest", Table: "jobs",
		Columns: unexported("detail", "last_error"), Rows: toAttendee, Erasure: Dropped},
	{What: "hashes of the request, which make a repeat of it the same booking (`Idempotency-Key`)",
		Table: "idempotency_keys", Columns: unexported("key", "arguments_hash"), Erasure: Dropped},
	{What: "where the booking is in the host's calendar", Table: "calendar_entries",
		Columns: unexported("place_id", "place_tag", "last_error"), Why: "slotd rewrites the entry there"},
}

// toAttendee selects the mails to an attendee. A mail's id ends with its kind and its recipient.
const toAttendee = `id LIKE '%.attendee' OR id LIKE '%.reminder.%'`

// Places outside the database. Erasing reaches them after its transaction.
const (
	OutboxPlace   = "files in `outbox/`"
	CalendarPlace = "the host's calendar"
)

// AttendeeDataElsewhere lists what slotd stores about an attendee outside the database.
var AttendeeDataElsewhere = []struct{ What, Place, Erased string }{
	{"all emails about the booking, if the server writes them as files", OutboxPlace, "removed"},
	{"the booking's entry: name, email address, phone number and notes", CalendarPlace, "rewritten without them"},
}

// same exports columns under their own names.
func same(columns ...string) (all []PersonalColumn) {
	for _, name := range columns {
		all = append(all, as(name, name))
	}
	return all
}

func as(column string, keys ...string) PersonalColumn { return PersonalColumn{column, keys} }

func unexported(columns ...string) (all []PersonalColumn) {
	for _, name := range columns {
		all = append(all, as(name))
	}
	return all
}
