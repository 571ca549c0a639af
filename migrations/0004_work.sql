-- What happens beside publishing: jobs, uploads in parts, counts.

-- A job is claimed under a lease, retried later when it fails, and dead after its last attempt.
CREATE TABLE jobs (
    id           TEXT NOT NULL PRIMARY KEY,
    kind         TEXT NOT NULL,
    payload      TEXT NOT NULL,
    dedup_key    TEXT UNIQUE,
    run_at       BIGINT NOT NULL,
    attempts     BIGINT NOT NULL CHECK (attempts >= 0),
    max_attempts BIGINT NOT NULL CHECK (max_attempts >= 1),
    claimed_by   TEXT,
    lease_until  BIGINT,
    last_error   TEXT,
    dead_at      BIGINT,
    created_at   BIGINT NOT NULL,
    CHECK ((claimed_by IS NULL) = (lease_until IS NULL))
);
CREATE INDEX jobs_due ON jobs (dead_at, run_at, id);

-- One file of a ClawHub publish that is sent file by file; bound to its user, used once.
CREATE TABLE upload_tickets (
    id           TEXT NOT NULL PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id),
    path         TEXT NOT NULL,
    size         BIGINT NOT NULL,
    sha256       TEXT NOT NULL,
    content_type TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    uploaded_at  BIGINT,
    used_at      BIGINT
);
CREATE INDEX upload_tickets_by_expiry ON upload_tickets (expires_at);

-- Downloads per release and UTC day (days since 1970), each client once.
CREATE TABLE downloads (
    release_id TEXT NOT NULL REFERENCES releases (id),
    day        BIGINT NOT NULL,
    count      BIGINT NOT NULL CHECK (count >= 0),
    PRIMARY KEY (release_id, day)
);
CREATE TABLE download_clients (
    release_id TEXT NOT NULL REFERENCES releases (id),
    day        BIGINT NOT NULL,
    client     TEXT NOT NULL,
    PRIMARY KEY (release_id, day, client)
);
CREATE INDEX download_clients_by_day ON download_clients (day);
