-- Names that are kept, and names on their way.

ALTER TABLE aliases ADD COLUMN kind TEXT NOT NULL DEFAULT 'rename' CHECK (kind IN ('rename', 'merge', 'transfer'));

-- Bare slugs that lead to a skill which has another one now.
CREATE TABLE bare_aliases (
    slug     TEXT NOT NULL PRIMARY KEY,
    skill_id TEXT NOT NULL REFERENCES skills (id),
    since    BIGINT NOT NULL
);

-- A slug that nobody else may take. until NULL: for ever.
CREATE TABLE slug_holds (
    slug     TEXT NOT NULL PRIMARY KEY,
    skill_id TEXT NOT NULL REFERENCES skills (id),
    reason   TEXT NOT NULL CHECK (reason IN ('deleted', 'taken-down')),
    since    BIGINT NOT NULL,
    until    BIGINT
);

-- A skill offered to another publisher, and what became of the offer. A skill has one open offer at most.
CREATE TABLE transfers (
    id             TEXT NOT NULL PRIMARY KEY,
    skill_id       TEXT NOT NULL REFERENCES skills (id),
    from_publisher TEXT NOT NULL REFERENCES publishers (handle),
    to_publisher   TEXT NOT NULL REFERENCES publishers (handle),
    asked_by       TEXT NOT NULL REFERENCES users (id),
    message        TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    decision       TEXT CHECK (decision IN ('accepted', 'declined', 'cancelled', 'expired')),
    decided_by     TEXT REFERENCES users (id),
    decided_at     BIGINT
);
CREATE UNIQUE INDEX transfers_open ON transfers (skill_id) WHERE decision IS NULL;
CREATE INDEX transfers_by_receiver ON transfers (to_publisher, created_at);
