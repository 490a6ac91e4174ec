-- An owner's lists are by time.
CREATE INDEX bookings_time ON bookings (workspace_id, starts_at, id);

-- Of the last move, in the words of who moved it.
ALTER TABLE bookings ADD COLUMN move_reason TEXT NOT NULL DEFAULT '';
