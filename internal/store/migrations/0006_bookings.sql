-- An owner's lists are by time.
CREATE INDEX bookings_time ON bookings (workspace_id, starts_at, id);
