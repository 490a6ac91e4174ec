-- The host's own calendars, as the workspace file names them.
CREATE TABLE calendars (
    workspace_id BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    host_id      BIGINT NOT NULL,
    name         TEXT NOT NULL,
    position     BIGINT NOT NULL,
    settings     TEXT NOT NULL,
    sealed       BYTEA NOT NULL, -- a password or a token, readable with the key file only; empty: none
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, name),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id)
);

-- What came of reading a calendar. It changes every few minutes, the row above hardly ever.
CREATE TABLE calendar_reads (
    workspace_id   BIGINT NOT NULL,
    calendar_id    BIGINT NOT NULL,
    round          BIGINT NOT NULL, -- counts the writes: of two who read at once, one notices the other
    cursor         TEXT NOT NULL,   -- where the next read goes on; empty: from the start
    read_at        BIGINT NOT NULL, -- when the copy was last known to be right; 0: never
    expanded_until BIGINT NOT NULL, -- up to when calendar_busy holds the events
    events         BIGINT NOT NULL,
    warning        TEXT NOT NULL,   -- what is doubtful in the copy
    tried_at       BIGINT NOT NULL,
    next_at        BIGINT NOT NULL, -- when it is read again without anybody asking
    wait_until     BIGINT NOT NULL, -- before then it is not read, whoever asks: its server said so
    failures       BIGINT NOT NULL, -- since the last success
    last_error     TEXT NOT NULL,
    broken         BOOLEAN NOT NULL, -- only the owner can mend it: it is not tried again
    told           BOOLEAN NOT NULL, -- the owner was mailed since the last success
    PRIMARY KEY (workspace_id, calendar_id),
    FOREIGN KEY (workspace_id, calendar_id) REFERENCES calendars (workspace_id, id)
);

-- The copy: when events are, without titles or people.
CREATE TABLE calendar_items (
    workspace_id BIGINT NOT NULL,
    calendar_id  BIGINT NOT NULL,
    id           TEXT NOT NULL,
    tag          TEXT NOT NULL,
    text         TEXT NOT NULL,
    PRIMARY KEY (workspace_id, calendar_id, id),
    FOREIGN KEY (workspace_id, calendar_id) REFERENCES calendars (workspace_id, id)
);

-- The busy times that follow from it, joined where they touch. One that carries a booking's UID
-- stands alone, with the booking's id.
CREATE TABLE calendar_busy (
    workspace_id BIGINT NOT NULL,
    calendar_id  BIGINT NOT NULL,
    from_at      BIGINT NOT NULL,
    until_at     BIGINT NOT NULL,
    booking_id   TEXT NOT NULL,
    PRIMARY KEY (workspace_id, calendar_id, from_at, until_at, booking_id),
    FOREIGN KEY (workspace_id, calendar_id) REFERENCES calendars (workspace_id, id)
);

-- Where a booking was written into a calendar.
CREATE TABLE calendar_entries (
    workspace_id BIGINT NOT NULL,
    calendar_id  BIGINT NOT NULL,
    booking_id   TEXT NOT NULL,
    place_id     TEXT NOT NULL, -- empty: it is not there
    place_tag    TEXT NOT NULL,
    sequence     BIGINT NOT NULL, -- of the booking, as it was written
    written_at   BIGINT NOT NULL,
    last_error   TEXT NOT NULL, -- why it is not as it should be; empty: it is
    PRIMARY KEY (workspace_id, calendar_id, booking_id),
    FOREIGN KEY (workspace_id, calendar_id) REFERENCES calendars (workspace_id, id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);

-- busy_version counts the changes of calendar_busy.
ALTER TABLE workspace_versions ADD COLUMN busy_version BIGINT NOT NULL DEFAULT 0;
