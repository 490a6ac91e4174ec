-- What is to be done outside a request, written in the transaction that makes it necessary. A row
-- is deleted when it is done.
CREATE TABLE jobs (
    workspace_id BIGINT NOT NULL,
    booking_id   TEXT NOT NULL,
    id           TEXT NOT NULL,   -- names the effect, so that it is wanted once
    queue        TEXT NOT NULL,
    kind         TEXT NOT NULL,
    sequence     BIGINT NOT NULL, -- the booking's, when the job was made: orders its jobs whatever the clocks say
    detail       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    due_at       BIGINT NOT NULL, -- when it was to run first; of one that failed, when it first did
    run_at       BIGINT NOT NULL, -- when it may be claimed next; of a claimed one, when its lease ends
    fence        BIGINT NOT NULL, -- counts the claims: only the last one may end the job
    failures     BIGINT NOT NULL,
    failed_at    BIGINT NOT NULL, -- 0 unless it was given up; run_at is then beyond all time
    last_error   TEXT NOT NULL,
    PRIMARY KEY (workspace_id, booking_id, id)
);
CREATE INDEX jobs_due ON jobs (queue, run_at, workspace_id);
CREATE INDEX jobs_retried ON jobs (queue, due_at) WHERE failures > 0 AND failed_at = 0;

-- One row for each mail that was sent or is being sent: at most so many go to one address in an hour. The
-- address itself stands in its booking only.
CREATE TABLE mails (
    workspace_id BIGINT NOT NULL,
    booking_id   TEXT NOT NULL,
    id           TEXT NOT NULL,
    address_hash BYTEA NOT NULL,
    turn_at      BIGINT NOT NULL, -- when it began, and then when it was sent
    sent_at      BIGINT NOT NULL, -- 0: it is on its way, or a server died with it
    PRIMARY KEY (workspace_id, booking_id, id)
);
CREATE INDEX mails_turns ON mails (workspace_id, address_hash, turn_at);

ALTER TABLE bookings ADD COLUMN cancel_reason TEXT NOT NULL DEFAULT '';
