-- Times are milliseconds since 1970 in UTC, JSON stands in TEXT, ids are made by us.
-- workspace_id comes first in every key, so that the tables can be spread by workspace.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE link_keys (
    id         BIGINT PRIMARY KEY,
    secret     BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE workspaces (
    id         BIGINT PRIMARY KEY,
    slug       TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    time_zone  TEXT NOT NULL,
    look       TEXT NOT NULL,
    embed      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- version counts every write that a reader can see, config_version those of the configuration.
-- changed_seq orders the writes of all workspaces; its values are the database's own. A row
-- outlives its workspace: others must learn that it is gone, and the order must never go back.
CREATE TABLE workspace_versions (
    workspace_id   BIGINT PRIMARY KEY,
    version        BIGINT NOT NULL,
    config_version BIGINT NOT NULL,
    changed_seq    BIGINT NOT NULL
);
CREATE INDEX workspace_versions_changed ON workspace_versions (changed_seq);

CREATE TABLE hosts (
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    id           BIGINT NOT NULL,
    name         TEXT NOT NULL,
    email        TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

CREATE TABLE schedules (
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    name         TEXT NOT NULL,
    settings     TEXT NOT NULL,
    PRIMARY KEY (workspace_id, name)
);

CREATE TABLE event_types (
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    id           BIGINT NOT NULL,
    slug         TEXT NOT NULL,
    position     BIGINT NOT NULL,
    retired      BOOLEAN NOT NULL,
    settings     TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, slug)
);

CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    hash         BYTEA NOT NULL UNIQUE,
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    name         TEXT NOT NULL,
    last_four    TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    revoked_at   BIGINT NOT NULL
);
CREATE INDEX tokens_workspace ON tokens (workspace_id, created_at);

CREATE TABLE bookings (
    workspace_id          BIGINT NOT NULL,
    id                    TEXT NOT NULL,
    host_id               BIGINT NOT NULL,
    event_type_id         BIGINT NOT NULL,
    state                 TEXT NOT NULL CHECK (state IN ('held', 'confirmed', 'canceled', 'expired')),
    starts_at             BIGINT NOT NULL,
    ends_at               BIGINT NOT NULL CHECK (ends_at > starts_at),
    host_wall             TEXT NOT NULL,
    host_zone             TEXT NOT NULL,
    buffer_before_minutes BIGINT NOT NULL,
    buffer_after_minutes  BIGINT NOT NULL,
    event_title           TEXT NOT NULL,
    location              TEXT NOT NULL,
    join_url              TEXT NOT NULL,
    terms                 TEXT NOT NULL,
    refunded_cents        BIGINT NOT NULL,
    sequence              BIGINT NOT NULL,
    attendee_name         TEXT NOT NULL,
    attendee_email        TEXT NOT NULL,
    attendee_time_zone    TEXT NOT NULL,
    notes                 TEXT NOT NULL,
    created_at            BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, host_id) REFERENCES hosts (workspace_id, id),
    FOREIGN KEY (workspace_id, event_type_id) REFERENCES event_types (workspace_id, id)
);
-- What was done to a booking, when and by whom; rows are only ever added.
CREATE TABLE booking_events (
    workspace_id BIGINT NOT NULL,
    booking_id   TEXT NOT NULL,
    n            BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    kind         TEXT NOT NULL,
    actor        TEXT NOT NULL,
    detail       TEXT NOT NULL,
    PRIMARY KEY (workspace_id, booking_id, n),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);

-- A live booking's hold on a host's time, buffers included. The database itself refuses two
-- that overlap; each database's own file says how.
CREATE TABLE claims (
    workspace_id  BIGINT NOT NULL,
    host_id       BIGINT NOT NULL,
    booking_id    TEXT NOT NULL,
    event_type_id BIGINT NOT NULL,
    starts_at     BIGINT NOT NULL,
    from_at       BIGINT NOT NULL,
    until_at      BIGINT NOT NULL CHECK (until_at > from_at),
    PRIMARY KEY (workspace_id, host_id, booking_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);
CREATE INDEX claims_time ON claims (workspace_id, host_id, from_at, until_at);

-- The first success of a create with an Idempotency-Key, as it was answered.
CREATE TABLE idempotency_keys (
    workspace_id   BIGINT NOT NULL,
    token_id       TEXT NOT NULL,
    key            TEXT NOT NULL,
    arguments_hash BYTEA NOT NULL,
    booking_id     TEXT NOT NULL,
    starts_at      BIGINT NOT NULL,
    ends_at        BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, token_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (workspace_id, created_at);
