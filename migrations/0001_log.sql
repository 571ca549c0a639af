-- What the registry is, and the one order in which it changes.
-- The rules that keep this SQL true on both engines: docs/ARCHITECTURE.md, "State".

-- Facts about the registry itself: registry-id, first-token.
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- The head: how many events and leaves there are. Updating this row is the last thing but the event and
-- leaf inserts that a transaction does; its row lock puts all changes into one order.
CREATE TABLE head (
    one   BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    event BIGINT NOT NULL CHECK (event >= 0),
    leaf  BIGINT NOT NULL CHECK (leaf >= 0)
);
INSERT INTO head (one, event, leaf) VALUES (1, 0, 0);

-- Numbers that a statement must carry before the head is known.
CREATE TABLE counters (
    name  TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL CHECK (value >= 0)
);
INSERT INTO counters (name, value) VALUES ('restriction', 0);

-- One row per change that a reader can see, numbered from 1 without gaps. Caches and search follow it.
CREATE TABLE events (
    event      BIGINT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    at         BIGINT NOT NULL,
    owner      TEXT,
    skill_id   TEXT,
    release_id TEXT
);

-- Signed statements: the exact bytes of the DSSE envelope, by their digest.
CREATE TABLE statements (
    sha256     TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    envelope   TEXT NOT NULL,
    skill_id   TEXT,
    release_id TEXT,
    at         BIGINT NOT NULL
);
CREATE INDEX statements_by_release ON statements (release_id, kind);
CREATE INDEX statements_by_skill ON statements (skill_id, kind);

-- The transparency log's leaves, numbered from 0 without gaps.
CREATE TABLE leaves (
    idx    BIGINT NOT NULL PRIMARY KEY,
    kind   TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE REFERENCES statements (sha256),
    event  BIGINT NOT NULL REFERENCES events (event)
);

-- Root metadata, version by version: the exact bytes that are served.
CREATE TABLE roots (
    version BIGINT NOT NULL PRIMARY KEY CHECK (version >= 1),
    sha256  TEXT NOT NULL UNIQUE,
    json    TEXT NOT NULL
);

-- Who holds a task that only one process may do at a time.
CREATE TABLE leases (
    name   TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    until  BIGINT NOT NULL
);
