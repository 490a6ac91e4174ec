-- A hold on a host's time ends by itself, unless it is paid for. 0: the claim stands.
ALTER TABLE claims ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0;

-- How a booking is paid for. There is one for each booking that was ever held.
CREATE TABLE checkouts (
    workspace_id BIGINT NOT NULL,
    booking_id   TEXT NOT NULL,
    account      TEXT NOT NULL, -- whose the money is: 'operator' or 'workspace'
    session_id   TEXT NOT NULL, -- the payment service's; empty: the guest was not sent there yet
    url          TEXT NOT NULL, -- where the guest pays
    payment      TEXT NOT NULL, -- what the money came by; empty: it has not come
    held_until   BIGINT NOT NULL,
    closed       BOOLEAN NOT NULL, -- nobody can pay there any more
    told         BOOLEAN NOT NULL, -- the owner was mailed that money is due
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, booking_id),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);
CREATE INDEX checkouts_made ON checkouts (workspace_id, created_at);
-- An event is about a checkout or a payment.
CREATE INDEX checkouts_session ON checkouts (session_id) WHERE session_id <> '';
CREATE INDEX checkouts_payment ON checkouts (payment) WHERE payment <> '';

-- The ledger; rows are only ever added, and say each thing once.
CREATE TABLE payments (
    workspace_id BIGINT NOT NULL,
    booking_id   TEXT NOT NULL,
    n            BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    kind         TEXT NOT NULL,
    amount_cents BIGINT NOT NULL CHECK (amount_cents >= 0),
    currency     TEXT NOT NULL,
    reference    TEXT NOT NULL,
    PRIMARY KEY (workspace_id, booking_id, n),
    UNIQUE (workspace_id, booking_id, kind, reference),
    FOREIGN KEY (workspace_id, booking_id) REFERENCES bookings (workspace_id, id)
);

-- What the payment service has told, so that it is heard once. The account is a workspace with one of its
-- own, or 0 for the operator's: they may not speak for each other.
CREATE TABLE stripe_events (
    account     BIGINT NOT NULL,
    id          TEXT NOT NULL,
    kind        TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (account, id)
);
CREATE INDEX stripe_events_age ON stripe_events (received_at);

-- A workspace's own account with the payment service.
CREATE TABLE payment_accounts (
    workspace_id BIGINT NOT NULL PRIMARY KEY REFERENCES workspaces (id),
    sealed       BYTEA NOT NULL, -- its keys, readable with the key file only
    created_at   BIGINT NOT NULL
);
