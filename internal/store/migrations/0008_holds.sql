-- Why a booking is or was held, and until when. Empty and 0: it never was. Until now every hold was for a payment.
ALTER TABLE bookings ADD COLUMN hold_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE bookings ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0;
UPDATE bookings SET hold_reason = 'payment', held_until = (
    SELECT c.held_until FROM checkouts c WHERE c.workspace_id = bookings.workspace_id AND c.booking_id = bookings.id)
WHERE EXISTS (SELECT 1 FROM checkouts c WHERE c.workspace_id = bookings.workspace_id AND c.booking_id = bookings.id);
ALTER TABLE checkouts DROP COLUMN held_until;
