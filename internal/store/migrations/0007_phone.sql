-- The number that a guest leaves for a call; empty: none was asked for. Bookings made before have it in their notes.
ALTER TABLE bookings ADD COLUMN attendee_phone TEXT NOT NULL DEFAULT '';
