package slotd

import (
	"strconv"
	"strings"

	"slotd/internal/lib/say"
)

// Reason says what exactly is wrong, where a code covers several things.
type Reason string

const (
	KeyReused        Reason = "idempotency_key_reused"
	PaymentsOff      Reason = "payments_off"
	PaymentsOpen     Reason = "payments_open"
	NoAccount        Reason = "no_payment_account"
	NotAStripeKey    Reason = "not_a_stripe_key"
	NotAStripeSecret Reason = "not_a_stripe_secret"
	SlugTaken        Reason = "slug_taken"
	ScheduleInUse    Reason = "schedule_in_use"
	NotAnEmail       Reason = "not_an_email"
	NothingToAgree   Reason = "nothing_to_agree_to"
	ConsentExpired   Reason = "consent_expired"
	AlreadySetUp     Reason = "already_set_up"
	LinkUsed         Reason = "link_used"
	LinkExpired      Reason = "link_expired"
	LinkIncomplete   Reason = "link_incomplete"
	WrongSignIn      Reason = "wrong_sign_in"
	WrongPassword    Reason = "wrong_password"
	OnlyPassword     Reason = "only_password"
	OnlyPasskey      Reason = "only_passkey"
	UnknownPasskey   Reason = "unknown_passkey"
	KnownPasskey     Reason = "known_passkey"
	FailedPasskey    Reason = "failed_passkey"
	TooManyPasskeys  Reason = "too_many_passkeys"
	TooManyTokens    Reason = "too_many_tokens"
	TooManyOwners    Reason = "too_many_owners"
	AlreadyOwner     Reason = "already_owner"
	LastOwner        Reason = "last_owner"
)

// Reasons lists all reasons with their codes and with what is wrong, for people. What to do about it differs between
// the doors, so each adds it.
var Reasons = map[Reason]struct {
	Code     Code
	Sentence say.Sentence // with {name}, {event_type} and {count}
}{
	KeyReused:        {InvalidArgument, "This form was already sent with other details."},
	PaymentsOff:      {PaymentRequired, "Payments aren't set up."},
	PaymentsOpen:     {InvalidArgument, "Guests of “{name}” are paying, or are owed a refund ({count} open)."},
	NoAccount:        {InvalidArgument, "Workspace “{name}” has no Stripe account of its own."},
	NotAStripeKey:    {InvalidArgument, "The secret key isn't a Stripe secret key."},
	NotAStripeSecret: {InvalidArgument, "The signing secret isn't a Stripe webhook signing secret."},
	SlugTaken:        {InvalidArgument, "The link “{name}” is already taken."},
	ScheduleInUse: {InvalidArgument,
		"The schedule “{name}” is still used by upcoming bookings of the removed event type “{event_type}” ({count})."},
	NotAnEmail:      {InvalidArgument, "This isn't an email address."},
	NothingToAgree:  {InvalidArgument, "The calendar “{name}” is connected by its address and password."},
	ConsentExpired:  {Unauthorized, "This link has expired, was already used, or its calendar is gone."},
	AlreadySetUp:    {Unauthorized, "This server is already set up."},
	LinkUsed:        {Unauthorized, "This link was already used. Each link works once."},
	LinkExpired:     {Unauthorized, "This link has expired."},
	LinkIncomplete:  {Unauthorized, "This link is incomplete or has expired."},
	WrongSignIn:     {Unauthorized, "Incorrect email or password."},
	WrongPassword:   {Unauthorized, "This isn't your current password."},
	OnlyPassword:    {InvalidArgument, "Your password is your only way to sign in."},
	OnlyPasskey:     {InvalidArgument, "This passkey is your only way to sign in."},
	UnknownPasskey:  {Unauthorized, "This passkey isn't registered here, or signing in took too long."},
	KnownPasskey:    {InvalidArgument, "This passkey is already registered."},
	FailedPasskey:   {InvalidArgument, "The passkey couldn't be added: your device answered too late or with something else."},
	TooManyPasskeys: {InvalidArgument, "You have {count} passkeys, the most an owner can have."},
	TooManyTokens:   {InvalidArgument, "There are {count} tokens, the most a workspace can have."},
	TooManyOwners:   {InvalidArgument, "A workspace can have at most {count} owners, including those invited."},
	AlreadyOwner:    {InvalidArgument, "{name} is already an owner of this workspace."},
	LastOwner:       {InvalidArgument, "A workspace needs at least one owner."},
}

// Because returns the error for a reason.
func Because(reason Reason, facts Facts) *Error {
	return &Error{Code: Reasons[reason].Code, Reason: reason, Facts: facts}
}

// Sentence says what is wrong, for people, and nothing about what to do. It is empty for an error without a reason.
func (e *Error) Sentence() string { return e.Fill(Reasons[e.Reason].Sentence) }

// Fill fills the facts into a sentence.
func (e *Error) Fill(sentence say.Sentence) string {
	return strings.NewReplacer("{name}", e.Name, "{event_type}", e.EventType, "{count}", strconv.Itoa(e.Count), "{id}", e.ID).
		Replace(sentence.String())
}
