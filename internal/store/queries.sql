-- Every query of both databases, save the few in dialect.go, jobs.go and erase.go. Parameters come in numeric order.

-- name: Setting :one
SELECT value FROM settings WHERE name = $1;

-- name: PutSetting :exec
INSERT INTO settings (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: LinkKeys :many
SELECT id, secret FROM link_keys ORDER BY created_at DESC, id DESC LIMIT 2;

-- name: InsertLinkKey :exec
INSERT INTO link_keys (id, secret, created_at) VALUES ($1, $2, $3);

-- name: WorkspaceBySlug :one
SELECT id, slug, name, time_zone, look, embed FROM workspaces WHERE slug = $1;

-- name: WorkspaceIDBySlug :one
SELECT id FROM workspaces WHERE slug = $1;

-- name: AnyWorkspace :one
SELECT slug FROM workspaces ORDER BY created_at LIMIT 1;

-- name: InsertWorkspace :exec
INSERT INTO workspaces (id, slug, name, time_zone, look, embed, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: UpdateWorkspace :exec
UPDATE workspaces SET name = $2, time_zone = $3, look = $4, embed = $5 WHERE id = $1;

-- name: InsertVersion :exec
INSERT INTO workspace_versions (workspace_id, version, config_version, changed_seq) VALUES ($1, 0, 0, 0);

-- name: BumpConfigVersion :exec
UPDATE workspace_versions SET config_version = config_version + 1 WHERE workspace_id = $1;

-- name: Version :one
SELECT version, config_version, busy_version FROM workspace_versions WHERE workspace_id = $1;

-- name: ChangedVersions :many
SELECT workspace_id, version, changed_seq FROM workspace_versions WHERE changed_seq >= $1 ORDER BY changed_seq;

-- name: HostOf :one
SELECT id, name, email FROM hosts WHERE workspace_id = $1 ORDER BY id LIMIT 1;

-- name: InsertHost :exec
INSERT INTO hosts (workspace_id, id, name, email) VALUES ($1, $2, $3, $4);

-- name: UpdateHost :exec
UPDATE hosts SET name = $3, email = $4 WHERE workspace_id = $1 AND id = $2;

-- name: Schedules :many
SELECT name, settings FROM schedules WHERE workspace_id = $1 ORDER BY name;

-- name: PutSchedule :exec
INSERT INTO schedules (workspace_id, name, settings) VALUES ($1, $2, $3)
ON CONFLICT (workspace_id, name) DO UPDATE SET settings = excluded.settings;

-- name: DeleteSchedule :exec
DELETE FROM schedules WHERE workspace_id = $1 AND name = $2;

-- name: EventTypes :many
SELECT id, slug, retired, settings FROM event_types WHERE workspace_id = $1 ORDER BY position, id;

-- name: PutEventType :exec
INSERT INTO event_types (workspace_id, id, slug, position, retired, settings) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (workspace_id, id) DO UPDATE SET position = excluded.position, retired = excluded.retired, settings = excluded.settings;

-- name: LiveClaimsOfEventType :one
SELECT COUNT(*) FROM claims WHERE workspace_id = $1 AND host_id = $2 AND from_at > $3 AND event_type_id = $4 AND until_at > $5;

-- name: InsertToken :exec
INSERT INTO tokens (id, hash, workspace_id, name, last_four, created_at, last_used_at, revoked_at) VALUES ($1, $2, $3, $4, $5, $6, 0, 0);

-- name: TokenByHash :one
SELECT id, workspace_id, name, last_four, created_at, last_used_at FROM tokens WHERE hash = $1 AND revoked_at = 0;

-- name: Tokens :many
SELECT id, workspace_id, name, last_four, created_at, last_used_at FROM tokens WHERE workspace_id = $1 AND revoked_at = 0 ORDER BY created_at, id;

-- name: RevokeToken :execrows
UPDATE tokens SET revoked_at = $3 WHERE workspace_id = $1 AND id = $2 AND revoked_at = 0;

-- name: TouchToken :exec
UPDATE tokens SET last_used_at = $3 WHERE workspace_id = $1 AND id = $2 AND last_used_at <= $4;

-- name: ClaimsBetween :many
SELECT booking_id, event_type_id, starts_at, from_at, until_at, held_until FROM claims
WHERE workspace_id = $1 AND host_id = $2 AND from_at > $3 AND from_at < $4 AND until_at > $5
ORDER BY from_at;

-- name: InsertClaim :exec
INSERT INTO claims (workspace_id, host_id, booking_id, event_type_id, starts_at, from_at, until_at, held_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: KeepClaim :execrows
UPDATE claims SET held_until = 0 WHERE workspace_id = $1 AND host_id = $2 AND booking_id = $3;

-- name: MoveClaim :exec
UPDATE claims SET starts_at = $4, from_at = $5, until_at = $6 WHERE workspace_id = $1 AND host_id = $2 AND booking_id = $3;

-- name: DeleteClaim :exec
DELETE FROM claims WHERE workspace_id = $1 AND host_id = $2 AND booking_id = $3;

-- name: Booking :one
SELECT * FROM bookings WHERE workspace_id = $1 AND id = $2;

-- name: InsertBooking :exec
INSERT INTO bookings (
    workspace_id, id, host_id, event_type_id, state, starts_at, ends_at, host_wall, host_zone,
    buffer_before_minutes, buffer_after_minutes, event_title, location, join_url, terms,
    refunded_cents, sequence, attendee_name, attendee_email, attendee_time_zone, attendee_phone, notes, created_at, hold_reason, held_until
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, 0, $16, $17, $18, $19, $20, $21, $22, $23);

-- name: MoveBooking :exec
UPDATE bookings SET starts_at = $3, ends_at = $4, host_wall = $5, host_zone = $6,
    buffer_before_minutes = $7, buffer_after_minutes = $8, move_reason = $9, sequence = sequence + 1
WHERE workspace_id = $1 AND id = $2;

-- name: SetBookingState :execrows
UPDATE bookings SET state = sqlc.arg(to_state), cancel_reason = $3, refunded_cents = $4, sequence = $5 WHERE workspace_id = $1 AND id = $2 AND state = sqlc.arg(from_state);

-- name: InsertBookingEvent :exec
INSERT INTO booking_events (workspace_id, booking_id, n, at, kind, actor, detail)
VALUES ($1, $2, (SELECT COALESCE(MAX(e.n) + 1, 0) FROM booking_events e WHERE e.workspace_id = $1 AND e.booking_id = $2), $3, $4, $5, $6);

-- name: BookingEvents :many
SELECT n, at, kind, actor, detail FROM booking_events WHERE workspace_id = $1 AND booking_id = $2 ORDER BY n;

-- name: IdempotencyKey :one
SELECT arguments_hash, booking_id, starts_at, ends_at FROM idempotency_keys
WHERE workspace_id = $1 AND token_id = $2 AND key = $3 AND created_at > $4;

-- name: BookingsOfForm :many
SELECT booking_id FROM idempotency_keys WHERE workspace_id = $1 AND token_id = $2 AND key > sqlc.arg(form) AND key < sqlc.arg(next_form) AND key <> sqlc.arg(key);

-- name: ForgetIdempotencyKeys :exec
DELETE FROM idempotency_keys WHERE workspace_id = $1 AND created_at <= $2;

-- name: PutIdempotencyKey :exec
INSERT INTO idempotency_keys (workspace_id, token_id, key, arguments_hash, booking_id, starts_at, ends_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (workspace_id, token_id, key) DO UPDATE SET arguments_hash = excluded.arguments_hash, booking_id = excluded.booking_id,
    starts_at = excluded.starts_at, ends_at = excluded.ends_at, created_at = excluded.created_at;

-- name: WorkspaceZone :one
SELECT time_zone FROM workspaces WHERE id = $1;

-- name: WorkspaceSlug :one
SELECT slug FROM workspaces WHERE id = $1;

-- name: WorkspacesWithDueJobs :many
SELECT due.workspace_id FROM (
    SELECT workspace_id, run_at FROM jobs WHERE queue = $1 AND run_at <= $2 ORDER BY run_at LIMIT 10000
) AS due GROUP BY due.workspace_id ORDER BY MIN(due.run_at), due.workspace_id;

-- name: FinishJob :execrows
DELETE FROM jobs WHERE workspace_id = $1 AND booking_id = $2 AND id = $3 AND fence = $4;

-- name: PostponeJob :exec
UPDATE jobs SET run_at = $5, due_at = $6, failures = $7, last_error = $8
WHERE workspace_id = $1 AND booking_id = $2 AND id = $3 AND fence = $4;

-- name: ExtendLease :exec
UPDATE jobs SET run_at = $5 WHERE workspace_id = $1 AND booking_id = $2 AND id = $3 AND fence = $4;

-- name: GiveUpJob :exec
UPDATE jobs SET run_at = $5, failures = $6, last_error = $7, failed_at = $8 WHERE workspace_id = $1 AND booking_id = $2 AND id = $3 AND fence = $4;

-- name: DropJobs :exec
DELETE FROM jobs WHERE workspace_id = $1 AND booking_id = $2 AND kind = $3;

-- name: PullJobs :exec
UPDATE jobs SET run_at = $2 WHERE queue = $1 AND run_at > $3 AND failed_at = 0;

-- name: HurryJob :exec
UPDATE jobs SET run_at = CASE WHEN run_at > $4 THEN $4 ELSE run_at END, fence = fence + 1, failures = 0, failed_at = 0
WHERE workspace_id = $1 AND booking_id = $2 AND id = $3;

-- name: Jobs :many
SELECT CAST(COALESCE(w.slug, '') AS TEXT) AS slug, j.id, j.kind, j.due_at, j.run_at, j.failures, j.failed_at, j.last_error
FROM jobs j LEFT JOIN workspaces w ON w.id = j.workspace_id
WHERE j.failed_at >= $1 ORDER BY j.due_at, j.id LIMIT $2;

-- name: PlaceOfJob :one
SELECT workspace_id, booking_id FROM jobs WHERE id = $1;

-- name: RetryJob :execrows
UPDATE jobs SET due_at = $4, run_at = $4, failures = 0, failed_at = 0
WHERE workspace_id = $1 AND booking_id = $2 AND id = $3 AND failed_at > 0;

-- name: RetryFailedJobs :execrows
UPDATE jobs SET due_at = $1, run_at = $1, failures = 0, failed_at = 0 WHERE failed_at > 0;

-- name: DropFailedJob :execrows
DELETE FROM jobs WHERE workspace_id = $1 AND booking_id = $2 AND id = $3 AND failed_at > 0;

-- name: DropFailedJobs :execrows
DELETE FROM jobs WHERE failed_at > 0;

-- name: OldestDueJob :one
SELECT run_at FROM jobs WHERE queue = $1 ORDER BY run_at LIMIT 1;

-- name: OldestRetriedJob :one
SELECT due_at FROM jobs WHERE queue = $1 AND failures > 0 AND failed_at = 0 ORDER BY due_at LIMIT 1;

-- name: CountEarlierJobs :one
SELECT COUNT(*) FROM jobs
WHERE workspace_id = $1 AND booking_id = $2 AND kind = $3 AND sequence < $4 AND created_at > $5 AND failures = 0 AND failed_at = 0;

-- name: CountFailedJobs :one
SELECT COUNT(*) FROM jobs WHERE queue = $1 AND run_at >= $2;

-- name: MailQuotaUsed :one
SELECT COUNT(*) AS taken, CAST(COALESCE(MIN(turn_at), 0) AS BIGINT) AS oldest FROM mails
WHERE workspace_id = $1 AND address_hash = $2 AND id <> $3 AND turn_at > $4 AND turn_at <= $5;

-- name: PutMailQuota :exec
INSERT INTO mails (workspace_id, booking_id, id, address_hash, turn_at, sent_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (workspace_id, booking_id, id) DO UPDATE SET turn_at = excluded.turn_at, sent_at = excluded.sent_at;

-- name: ReleaseMailQuota :exec
DELETE FROM mails WHERE workspace_id = $1 AND booking_id = $2 AND id = $3;

-- name: Calendars :many
SELECT id, name, settings FROM calendars WHERE workspace_id = $1 ORDER BY position, id;

-- name: Calendar :one
SELECT host_id, name, settings, sealed FROM calendars WHERE workspace_id = $1 AND id = $2;

-- name: PutCalendar :exec
INSERT INTO calendars (workspace_id, id, host_id, name, position, settings, sealed) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workspace_id, id) DO UPDATE SET position = excluded.position, settings = excluded.settings, sealed = excluded.sealed;

-- name: UpdateCalendar :exec
UPDATE calendars SET position = $3, settings = $4 WHERE workspace_id = $1 AND id = $2;

-- name: SealCalendar :execrows
UPDATE calendars SET sealed = $3 WHERE workspace_id = $1 AND id = $2 AND sealed = $4;

-- name: DeleteCalendar :exec
DELETE FROM calendars WHERE workspace_id = $1 AND id = $2;

-- name: SealedCalendars :many
SELECT workspace_id, id, name, settings, sealed FROM calendars WHERE LENGTH(sealed) > 0 ORDER BY workspace_id, id;

-- name: CalendarReads :many
SELECT * FROM calendar_reads WHERE workspace_id = $1 ORDER BY calendar_id;

-- name: CalendarRead :one
SELECT * FROM calendar_reads WHERE workspace_id = $1 AND calendar_id = $2;

-- name: StartCalendarRead :exec
INSERT INTO calendar_reads (workspace_id, calendar_id, round, cursor, read_at, expanded_until, events, warning, tried_at, next_at, wait_until, failures, last_error, broken, told)
VALUES ($1, $2, 0, '', 0, 0, 0, '', 0, 0, 0, 0, '', FALSE, FALSE)
ON CONFLICT (workspace_id, calendar_id) DO UPDATE SET round = calendar_reads.round + 1, cursor = '', read_at = 0, expanded_until = 0, events = 0,
    warning = '', tried_at = 0, next_at = 0, wait_until = 0, failures = 0, last_error = '', broken = FALSE, told = FALSE;

-- name: RetryCalendarRead :exec
UPDATE calendar_reads SET round = round + 1, next_at = 0, wait_until = 0, failures = 0, last_error = '', broken = FALSE, told = FALSE
WHERE workspace_id = $1 AND calendar_id = $2;

-- name: EndCalendarWait :exec
UPDATE calendar_reads SET round = round + 1, wait_until = 0 WHERE workspace_id = $1 AND calendar_id = $2;

-- name: HurryCalendarRead :exec
-- Each call leaves another number, none of them positive, so that a read under way notices it and does not postpone the next.
UPDATE calendar_reads SET next_at = CASE WHEN next_at > 0 THEN 0 ELSE next_at - 1 END WHERE workspace_id = $1 AND calendar_id = $2;

-- name: PutCalendarRead :execrows
UPDATE calendar_reads SET round = round + 1, cursor = $4, read_at = $5, expanded_until = $6, events = $7, warning = $8, tried_at = $9,
    next_at = CASE WHEN next_at = sqlc.arg(seen_next_at) THEN $10 ELSE next_at END, wait_until = $11, failures = $12, last_error = $13, broken = $14, told = $15
WHERE workspace_id = $1 AND calendar_id = $2 AND round = $3;

-- name: DeleteCalendarRead :exec
DELETE FROM calendar_reads WHERE workspace_id = $1 AND calendar_id = $2;

-- name: CalendarTags :many
SELECT id, tag FROM calendar_items WHERE workspace_id = $1 AND calendar_id = $2;

-- name: CalendarItems :many
SELECT id, tag, text FROM calendar_items WHERE workspace_id = $1 AND calendar_id = $2 ORDER BY id;

-- name: DeleteCalendarItem :exec
DELETE FROM calendar_items WHERE workspace_id = $1 AND calendar_id = $2 AND id = $3;

-- name: DeleteCalendarItems :exec
DELETE FROM calendar_items WHERE workspace_id = $1 AND calendar_id = $2;

-- name: CalendarBusy :many
SELECT from_at, until_at, booking_id FROM calendar_busy WHERE workspace_id = $1 AND calendar_id = $2;

-- name: DeleteCalendarBusyAt :exec
DELETE FROM calendar_busy WHERE workspace_id = $1 AND calendar_id = $2 AND from_at = $3 AND until_at = $4 AND booking_id = $5;

-- name: DeleteCalendarBusy :exec
DELETE FROM calendar_busy WHERE workspace_id = $1 AND calendar_id = $2;

-- name: BusyTimes :many
SELECT t.from_at, t.until_at, t.booking_id FROM calendar_busy t WHERE t.workspace_id = $1 AND t.until_at > $2
AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.workspace_id = $1 AND b.id = t.booking_id AND b.state NOT IN ('held', 'confirmed'));

-- name: BookingState :one
SELECT state FROM bookings WHERE workspace_id = $1 AND id = $2;

-- name: BumpBusyVersion :exec
UPDATE workspace_versions SET busy_version = busy_version + 1 WHERE workspace_id = $1;

-- name: EntriesOfBooking :many
SELECT calendar_id, place_id, place_tag, sequence, last_error FROM calendar_entries WHERE workspace_id = $1 AND booking_id = $2 ORDER BY calendar_id;

-- name: PutCalendarEntry :exec
INSERT INTO calendar_entries (workspace_id, calendar_id, booking_id, place_id, place_tag, sequence, written_at, last_error) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (workspace_id, calendar_id, booking_id) DO UPDATE SET place_id = excluded.place_id, place_tag = excluded.place_tag,
    sequence = excluded.sequence, written_at = excluded.written_at, last_error = excluded.last_error;

-- name: FailedEntries :one
SELECT COUNT(*) AS failed, CAST(COALESCE(MAX(last_error), '') AS TEXT) AS last_error FROM calendar_entries
WHERE workspace_id = $1 AND calendar_id = $2 AND last_error <> '' AND written_at > $3;

-- name: DeleteCalendarEntries :exec
DELETE FROM calendar_entries WHERE workspace_id = $1 AND calendar_id = $2;

-- name: InsertCheckout :exec
INSERT INTO checkouts (workspace_id, booking_id, account, session_id, url, payment, closed, told, created_at)
VALUES ($1, $2, $3, '', '', '', FALSE, FALSE, $4);

-- name: Checkout :one
SELECT * FROM checkouts WHERE workspace_id = $1 AND booking_id = $2;

-- name: Checkouts :many
SELECT c.booking_id, c.account, c.session_id, c.payment, c.closed, c.created_at, b.state, b.event_title, b.starts_at, b.refunded_cents, b.terms
FROM checkouts c, bookings b WHERE c.workspace_id = $1 AND b.workspace_id = $1 AND b.id = c.booking_id AND c.created_at >= $2
AND NOT (c.closed AND c.payment = '' AND CAST(sqlc.arg(unpaid_too) AS BIGINT) = 0) ORDER BY c.created_at DESC, c.booking_id LIMIT $3;

-- name: CheckoutBySession :one
SELECT workspace_id, booking_id FROM checkouts
WHERE session_id = $1 AND session_id <> '' AND CASE account WHEN 'workspace' THEN workspace_id ELSE 0 END = CAST(sqlc.arg(of_account) AS BIGINT);

-- name: CheckoutByPayment :one
SELECT workspace_id, booking_id FROM checkouts
WHERE payment = $1 AND payment <> '' AND CASE account WHEN 'workspace' THEN workspace_id ELSE 0 END = CAST(sqlc.arg(of_account) AS BIGINT);

-- name: OpenCheckout :execrows
UPDATE checkouts SET session_id = $3, url = $4 WHERE workspace_id = $1 AND booking_id = $2 AND session_id IN ('', $3);

-- name: UpdateCheckout :exec
UPDATE checkouts SET payment = $3, closed = $4 WHERE workspace_id = $1 AND booking_id = $2;

-- name: CountOpenOwnCheckouts :one
SELECT COUNT(*) FROM checkouts WHERE workspace_id = $1 AND account = 'workspace' AND NOT closed;

-- name: OwnPayments :many
SELECT p.booking_id, p.kind, p.amount_cents, p.reference
FROM payments p, checkouts c WHERE p.workspace_id = $1 AND c.workspace_id = $1 AND c.booking_id = p.booking_id AND c.account = 'workspace' ORDER BY p.booking_id, p.n;

-- name: SetTold :exec
UPDATE checkouts SET told = $3 WHERE workspace_id = $1 AND booking_id = $2;

-- name: Payments :many
SELECT n, at, kind, amount_cents, currency, reference FROM payments WHERE workspace_id = $1 AND booking_id = $2 ORDER BY n;

-- name: InsertPayment :exec
INSERT INTO payments (workspace_id, booking_id, n, at, kind, amount_cents, currency, reference)
VALUES ($1, $2, (SELECT COALESCE(MAX(p.n) + 1, 0) FROM payments p WHERE p.workspace_id = $1 AND p.booking_id = $2), $3, $4, $5, $6, $7);

-- name: InsertStripeEvent :execrows
INSERT INTO stripe_events (account, id, kind, received_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (account, id) DO NOTHING;

-- name: ForgetStripeEvents :exec
DELETE FROM stripe_events WHERE received_at < $1;

-- name: PaymentAccount :one
SELECT sealed FROM payment_accounts WHERE workspace_id = $1;

-- name: PutPaymentAccount :exec
INSERT INTO payment_accounts (workspace_id, sealed, created_at) VALUES ($1, $2, $3)
ON CONFLICT (workspace_id) DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at;

-- name: SealPaymentAccount :execrows
UPDATE payment_accounts SET sealed = $2 WHERE workspace_id = $1 AND sealed = $3;

-- name: DeletePaymentAccount :execrows
DELETE FROM payment_accounts WHERE workspace_id = $1;

-- name: SealedPaymentAccounts :many
SELECT workspace_id, sealed FROM payment_accounts ORDER BY workspace_id;

-- name: HasPaymentAccount :one
SELECT EXISTS (SELECT 1 FROM payment_accounts WHERE workspace_id = $1);

-- name: InsertUser :exec
INSERT INTO users (id, email, name, password, created_at) VALUES ($1, $2, $3, $4, $5);

-- name: UserByEmail :one
SELECT * FROM users WHERE email = $1;

-- name: User :one
SELECT * FROM users WHERE id = $1;

-- name: AnyUser :one
SELECT id FROM users ORDER BY created_at LIMIT 1;

-- name: SetPassword :exec
UPDATE users SET password = $2 WHERE id = $1;

-- name: RenameUser :exec
UPDATE users SET name = $2 WHERE id = $1;

-- name: InsertPasskey :execrows
INSERT INTO passkeys (id, user_id, name, credential, created_at, last_used_at) VALUES ($1, $2, $3, $4, $5, 0)
ON CONFLICT (id) DO NOTHING;

-- name: Passkeys :many
SELECT * FROM passkeys WHERE user_id = $1 ORDER BY created_at, id;

-- name: UsePasskey :execrows
UPDATE passkeys SET credential = $3, last_used_at = $4 WHERE user_id = $1 AND id = $2;

-- name: DeletePasskey :execrows
DELETE FROM passkeys WHERE user_id = $1 AND id = $2;

-- name: InsertSession :exec
INSERT INTO sessions (hash, id, user_id, workspace_id, client, address, created_at, proved_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8);

-- name: SessionByHash :one
SELECT s.id, s.user_id, s.workspace_id, s.client, s.address, s.created_at, s.proved_at, s.used_at, u.email, u.name, u.password
FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = $1;

-- name: Sessions :many
SELECT id, client, address, created_at, proved_at, used_at FROM sessions WHERE user_id = $1 ORDER BY used_at DESC, id;

-- name: TouchSession :exec
UPDATE sessions SET used_at = $3, address = $4 WHERE user_id = $1 AND id = $2;

-- name: ChooseWorkspace :exec
UPDATE sessions SET workspace_id = $3 WHERE user_id = $1 AND id = $2;

-- name: DeleteSession :execrows
DELETE FROM sessions WHERE user_id = $1 AND id = $2;

-- name: DeleteSessionByHash :execrows
DELETE FROM sessions WHERE hash = $1;

-- name: DeleteOtherSessions :execrows
DELETE FROM sessions WHERE user_id = $1 AND id <> $2;

-- name: ForgetSessions :exec
DELETE FROM sessions WHERE user_id = $1 AND CASE WHEN used_at < $2 THEN 1 WHEN created_at < $3 THEN 1 ELSE 0 END = 1;

-- name: InsertTicket :exec
INSERT INTO tickets (id, purpose, email, name, workspace_id, detail, created_at, expires_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0);

-- name: Ticket :one
SELECT * FROM tickets WHERE id = $1;

-- name: UseTicket :execrows
UPDATE tickets SET used_at = $2 WHERE id = $1 AND used_at = 0;

-- name: CountTicketsOf :one
SELECT COUNT(*) FROM tickets WHERE email = $1 AND purpose = $2 AND used_at = 0 AND expires_at > $3;

-- name: UseTicketsOf :exec
UPDATE tickets SET used_at = $3 WHERE email = $1 AND purpose = $2 AND used_at = 0;

-- name: ForgetTickets :exec
DELETE FROM tickets WHERE expires_at < $1;

-- name: Invitations :many
SELECT * FROM tickets WHERE workspace_id = $1 AND purpose = 'invite' AND used_at = 0 AND expires_at > $2 ORDER BY created_at, id;

-- name: DropInvitation :execrows
DELETE FROM tickets WHERE workspace_id = $1 AND id = $2 AND purpose = 'invite' AND used_at = 0;

-- name: InsertMember :execrows
INSERT INTO members (workspace_id, user_id, joined_at) VALUES ($1, $2, $3)
ON CONFLICT (workspace_id, user_id) DO NOTHING;

-- name: IsMember :one
SELECT EXISTS (SELECT 1 FROM members WHERE workspace_id = $1 AND user_id = $2);

-- name: Members :many
SELECT u.id, u.email, u.name, m.joined_at FROM users u, members m WHERE m.workspace_id = $1 AND u.id = m.user_id ORDER BY m.joined_at, u.id;

-- name: DeleteMember :execrows
DELETE FROM members WHERE workspace_id = $1 AND user_id = $2;

-- name: WorkspacesOfUser :many
SELECT w.id, w.slug, w.name FROM workspaces w, members m WHERE m.user_id = $1 AND w.id = m.workspace_id ORDER BY m.joined_at, w.slug;

-- name: InsertActivity :exec
INSERT INTO activity (workspace_id, at, id, actor, kind, detail, address) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: BookingsForward :many
SELECT * FROM bookings WHERE workspace_id = $1 AND state IN (sqlc.arg(state1), sqlc.arg(state2), sqlc.arg(state3), sqlc.arg(state4), sqlc.arg(state5), sqlc.arg(state6))
AND starts_at >= sqlc.arg(from_at) AND starts_at < sqlc.arg(until_at) AND ends_at > sqlc.arg(ends_after) AND ends_at <= sqlc.arg(ends_by)
AND NOT (starts_at = sqlc.arg(from_at) AND id <= sqlc.arg(after_id))
AND NOT (LOWER(attendee_name) NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\' AND LOWER(attendee_email) NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\'
    AND LOWER(event_title) NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\' AND id NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\')
ORDER BY starts_at, id LIMIT sqlc.arg(most);

-- name: BookingsBackward :many
SELECT * FROM bookings WHERE workspace_id = $1 AND state IN (sqlc.arg(state1), sqlc.arg(state2), sqlc.arg(state3), sqlc.arg(state4), sqlc.arg(state5), sqlc.arg(state6))
AND starts_at >= sqlc.arg(from_at) AND starts_at <= sqlc.arg(until_at) AND ends_at > sqlc.arg(ends_after) AND ends_at <= sqlc.arg(ends_by)
AND NOT (starts_at = sqlc.arg(until_at) AND id >= sqlc.arg(before_id))
AND NOT (LOWER(attendee_name) NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\' AND LOWER(attendee_email) NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\'
    AND LOWER(event_title) NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\' AND id NOT LIKE LOWER(sqlc.arg(search)) ESCAPE '\')
ORDER BY starts_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: MailsOfBooking :many
SELECT id, sent_at FROM mails WHERE workspace_id = $1 AND booking_id = $2 ORDER BY turn_at, id;

-- name: JobsOfBooking :many
SELECT id, kind, created_at, due_at, run_at, failures, failed_at, last_error FROM jobs WHERE workspace_id = $1 AND booking_id = $2 ORDER BY due_at, id;

-- name: WritingsOfBooking :many
SELECT c.name, e.place_id, e.written_at, e.last_error FROM calendar_entries e, calendars c
WHERE e.workspace_id = $1 AND c.workspace_id = $1 AND c.id = e.calendar_id AND e.booking_id = $2 ORDER BY e.written_at, c.name;

-- name: TokenNames :many
SELECT id, name FROM tokens WHERE workspace_id = $1;

-- name: BookingsToCome :many
SELECT event_type_id, COUNT(*) AS bookings FROM claims
WHERE workspace_id = $1 AND host_id = $2 AND from_at > $3 AND starts_at > $4 AND CASE WHEN held_until = 0 THEN 1 WHEN held_until > $5 THEN 1 ELSE 0 END = 1
GROUP BY event_type_id;

-- name: CountTokens :one
SELECT COUNT(*) FROM tokens WHERE workspace_id = $1 AND revoked_at = 0;

-- name: TokenName :one
SELECT name FROM tokens WHERE workspace_id = $1 AND id = $2;

-- name: FailedMails :many
SELECT booking_id, id, kind, detail, failures, failed_at, last_error FROM jobs
WHERE workspace_id = $1 AND queue = 'mail' AND failed_at > 0 ORDER BY failed_at DESC, id LIMIT $2;

-- name: RetryFailedMail :execrows
UPDATE jobs SET due_at = $4, run_at = $4, failures = 0, failed_at = 0
WHERE workspace_id = $1 AND booking_id = $2 AND id = $3 AND queue = 'mail' AND failed_at > 0;

-- name: RetryFailedMails :execrows
UPDATE jobs SET due_at = $2, run_at = $2, failures = 0, failed_at = 0 WHERE workspace_id = $1 AND queue = 'mail' AND failed_at > 0;

-- name: CountBookingsOfPerson :one
SELECT COUNT(*) FROM bookings WHERE workspace_id = $1 AND LOWER(attendee_email) = LOWER(sqlc.arg(email));

-- name: BookingsOfPerson :many
SELECT * FROM bookings WHERE workspace_id = $1 AND LOWER(attendee_email) = LOWER(sqlc.arg(email)) ORDER BY starts_at, id;

-- name: MailsToPerson :many
SELECT id, sent_at FROM mails WHERE workspace_id = $1 AND booking_id = $2 AND sent_at > 0 ORDER BY sent_at, id;

-- name: OldBookings :many
SELECT id, ends_at FROM bookings WHERE workspace_id = $1 AND ends_at >= $2 AND CASE WHEN ends_at > $2 THEN 1 WHEN id > $3 THEN 1 ELSE 0 END = 1
AND ends_at < $4 AND attendee_name || attendee_email || attendee_phone || notes || move_reason || cancel_reason <> '' ORDER BY ends_at, id LIMIT $5;

-- name: WorkspaceIDs :many
SELECT id FROM workspaces ORDER BY id;

-- name: WorkspaceList :many
SELECT id, slug, name FROM workspaces ORDER BY slug;

-- name: CountMembers :one
SELECT COUNT(*) FROM members WHERE workspace_id = $1;

-- name: CountBookingsToCome :one
SELECT COUNT(*) FROM bookings WHERE workspace_id = $1 AND state = 'confirmed' AND starts_at > $2;

-- name: DropInvitationsOf :exec
DELETE FROM tickets WHERE workspace_id = $1 AND email = $2 AND purpose = 'invite' AND used_at = 0;

-- name: ActivityBefore :many
SELECT at, id, actor, kind, detail, address FROM activity
WHERE workspace_id = $1 AND at <= $2 AND CASE WHEN at < $2 THEN 1 WHEN id < $3 THEN 1 ELSE 0 END = 1 ORDER BY at DESC, id DESC LIMIT $4;

-- name: CountOpenCheckouts :one
SELECT COUNT(*) FROM checkouts WHERE workspace_id = $1 AND NOT closed;

-- name: AllPayments :many
SELECT booking_id, kind, amount_cents, reference FROM payments WHERE workspace_id = $1 ORDER BY booking_id, n;

-- name: BookingIDs :many
SELECT id FROM bookings WHERE workspace_id = $1 ORDER BY id;

-- name: EmptyJobs :exec
DELETE FROM jobs WHERE workspace_id = $1;

-- name: EmptyMails :exec
DELETE FROM mails WHERE workspace_id = $1;

-- name: EmptyCalendarEntries :exec
DELETE FROM calendar_entries WHERE workspace_id = $1;

-- name: EmptyCalendarBusy :exec
DELETE FROM calendar_busy WHERE workspace_id = $1;

-- name: EmptyCalendarItems :exec
DELETE FROM calendar_items WHERE workspace_id = $1;

-- name: EmptyCalendarReads :exec
DELETE FROM calendar_reads WHERE workspace_id = $1;

-- name: EmptyCalendars :exec
DELETE FROM calendars WHERE workspace_id = $1;

-- name: EmptyIdempotencyKeys :exec
DELETE FROM idempotency_keys WHERE workspace_id = $1;

-- name: EmptyPayments :exec
DELETE FROM payments WHERE workspace_id = $1;

-- name: EmptyCheckouts :exec
DELETE FROM checkouts WHERE workspace_id = $1;

-- name: EmptyPaymentAccounts :exec
DELETE FROM payment_accounts WHERE workspace_id = $1;

-- name: EmptyStripeEvents :exec
DELETE FROM stripe_events WHERE account = $1;

-- name: EmptyClaims :exec
DELETE FROM claims WHERE workspace_id = $1;

-- name: EmptyBookingEvents :exec
DELETE FROM booking_events WHERE workspace_id = $1;

-- name: EmptyBookings :exec
DELETE FROM bookings WHERE workspace_id = $1;

-- name: EmptyTokens :exec
DELETE FROM tokens WHERE workspace_id = $1;

-- name: EmptyEventTypes :exec
DELETE FROM event_types WHERE workspace_id = $1;

-- name: EmptySchedules :exec
DELETE FROM schedules WHERE workspace_id = $1;

-- name: EmptyHosts :exec
DELETE FROM hosts WHERE workspace_id = $1;

-- name: EmptyTickets :exec
DELETE FROM tickets WHERE workspace_id = $1;

-- name: EmptyMembers :exec
DELETE FROM members WHERE workspace_id = $1;

-- name: EmptyActivity :exec
DELETE FROM activity WHERE workspace_id = $1;

-- name: LeaveSessions :exec
UPDATE sessions SET workspace_id = 0 WHERE workspace_id = $1;

-- name: DeleteWorkspace :exec
DELETE FROM workspaces WHERE id = $1;

-- name: ForgetQuestions :exec
DELETE FROM tickets WHERE purpose = 'passkey' AND expires_at < $1;

-- name: BusyBetween :many
SELECT t.calendar_id, t.from_at, t.until_at FROM calendar_busy t WHERE t.workspace_id = $1 AND t.until_at > $2 AND t.from_at < $3
AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.workspace_id = $1 AND b.id = t.booking_id AND b.state NOT IN ('held', 'confirmed'))
ORDER BY t.from_at, t.until_at, t.calendar_id;

-- name: CountFailedJobsOf :one
SELECT COUNT(*) FROM jobs WHERE workspace_id = $1 AND queue = $2 AND failed_at > 0;
