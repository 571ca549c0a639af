-- What waits for a person, what people say, and the chain over the audit log.

-- The moderator's words, where the signed reason is only `hidden`.
ALTER TABLE restrictions ADD COLUMN note TEXT NOT NULL DEFAULT '';

-- Why a release is pending. It is visible when every hold of it has passed.
CREATE TABLE holds (
    id         TEXT NOT NULL PRIMARY KEY,
    release_id TEXT NOT NULL REFERENCES releases (id),
    kind       TEXT NOT NULL CHECK (kind IN ('look-alike', 'first-publishes', 'engine')),
    detail     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    decision   TEXT CHECK (decision IN ('passed', 'refused')),
    decided_by TEXT,
    decided_at BIGINT,
    note       TEXT NOT NULL DEFAULT '',
    UNIQUE (release_id, kind)
);
CREATE INDEX holds_open ON holds (created_at) WHERE decision IS NULL;

-- A user has one open report of a skill at most.
CREATE TABLE reports (
    id         TEXT NOT NULL PRIMARY KEY,
    skill_id   TEXT NOT NULL REFERENCES skills (id),
    release_id TEXT REFERENCES releases (id),
    user_id    TEXT NOT NULL REFERENCES users (id),
    kind       TEXT NOT NULL CHECK (kind IN ('malicious', 'look-alike', 'false-alarm', 'rights', 'other')),
    reason     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    decision   TEXT CHECK (decision IN ('confirmed', 'dismissed')),
    decided_by TEXT,
    decided_at BIGINT,
    note       TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX reports_open ON reports (skill_id, user_id) WHERE decision IS NULL;
CREATE INDEX reports_by_user ON reports (user_id);

CREATE TABLE appeals (
    id         TEXT NOT NULL PRIMARY KEY,
    release_id TEXT NOT NULL REFERENCES releases (id),
    user_id    TEXT NOT NULL REFERENCES users (id),
    text       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    decision   TEXT CHECK (decision IN ('granted', 'declined')),
    decided_by TEXT,
    decided_at BIGINT,
    note       TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX appeals_open ON appeals (release_id) WHERE decision IS NULL;

-- A restoration that waits for a second person. Nobody approves their own.
CREATE TABLE proposals (
    id          TEXT NOT NULL PRIMARY KEY,
    restriction BIGINT NOT NULL REFERENCES restrictions (sequence),
    reason      TEXT NOT NULL,
    proposed_by TEXT NOT NULL REFERENCES users (id),
    created_at  BIGINT NOT NULL,
    decision    TEXT CHECK (decision IN ('approved', 'declined')),
    decided_by  TEXT REFERENCES users (id),
    decided_at  BIGINT,
    CHECK (decision <> 'approved' OR (decided_by IS NOT NULL AND decided_by <> proposed_by))
);
CREATE UNIQUE INDEX proposals_open ON proposals (restriction) WHERE decision IS NULL;

-- The chain: a row of the audit log has a number, without gaps, and a digest over the row and the digest before it.
-- NULL: written before there was a chain. credential: the token or session it was done with; empty for the operator.
ALTER TABLE audit ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN credential TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN seq BIGINT;
ALTER TABLE audit ADD COLUMN sha256 TEXT;
CREATE UNIQUE INDEX audit_by_seq ON audit (seq);
INSERT INTO counters (name, value) VALUES ('audit', 0);
