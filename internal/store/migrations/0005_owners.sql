-- Those who sign in. An address is one person's whatever the case of its letters: it is kept in small ones.
CREATE TABLE users (
    id         BIGINT PRIMARY KEY,
    email      TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    password   TEXT NOT NULL, -- argon2id, with its parameters; empty: none
    created_at BIGINT NOT NULL
);

CREATE TABLE passkeys (
    id           BYTEA PRIMARY KEY, -- its device's own name for it
    user_id      BIGINT NOT NULL REFERENCES users (id),
    name         TEXT NOT NULL,
    credential   TEXT NOT NULL, -- its public key and what its device says of it, as JSON
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL
);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- A browser that somebody has signed in with. The secret is in its cookie and nowhere else.
CREATE TABLE sessions (
    hash         BYTEA PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE, -- for lists
    user_id      BIGINT NOT NULL REFERENCES users (id),
    workspace_id BIGINT NOT NULL, -- the one whose pages it shows; 0: none yet
    client       TEXT NOT NULL,   -- the browser, in a few words
    address      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    proved_at    BIGINT NOT NULL, -- when its owner last said who they are
    used_at      BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id, created_at);

-- A ticket is good for one thing, once. Its link is signed, not stored.
CREATE TABLE tickets (
    id           TEXT PRIMARY KEY,
    purpose      TEXT NOT NULL,
    email        TEXT NOT NULL,   -- whose it is; empty: whoever holds it
    name         TEXT NOT NULL,
    workspace_id BIGINT NOT NULL, -- the one it makes its holder an owner of; 0: none
    detail       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    used_at      BIGINT NOT NULL  -- 0: it is still good
);
CREATE INDEX tickets_age ON tickets (expires_at);
CREATE INDEX tickets_workspace ON tickets (workspace_id, created_at);

CREATE TABLE members (
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    user_id      BIGINT NOT NULL REFERENCES users (id),
    joined_at    BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_user ON members (user_id, joined_at);

-- Who did what from where; rows are only ever added. They hold ids, never an attendee's data.
CREATE TABLE activity (
    workspace_id BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    id           BIGINT NOT NULL,
    actor        TEXT NOT NULL,
    kind         TEXT NOT NULL,
    detail       TEXT NOT NULL,
    address      TEXT NOT NULL,
    PRIMARY KEY (workspace_id, at, id)
);
