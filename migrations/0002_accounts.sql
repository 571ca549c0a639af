-- Who acts: users, the publishers they act for, and the tokens they show.

CREATE TABLE users (
    id              TEXT NOT NULL PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE,
    display_name    TEXT NOT NULL,
    role            TEXT NOT NULL CHECK (role IN ('user', 'moderator', 'admin')),
    password_hash   TEXT,
    totp_secret     TEXT,
    created_at      BIGINT NOT NULL,
    disabled_at     BIGINT,
    disabled_reason TEXT
);

-- The owner half of owner/slug. A handle is never given twice, also not after its publisher is gone.
CREATE TABLE publishers (
    handle       TEXT NOT NULL PRIMARY KEY,
    kind         TEXT NOT NULL CHECK (kind IN ('user', 'org')),
    user_id      TEXT UNIQUE REFERENCES users (id),
    display_name TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    deleted_at   BIGINT,
    CHECK ((kind = 'user') = (user_id IS NOT NULL))
);

CREATE TABLE members (
    publisher TEXT NOT NULL REFERENCES publishers (handle),
    user_id   TEXT NOT NULL REFERENCES users (id),
    role      TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'publisher')),
    since     BIGINT NOT NULL,
    PRIMARY KEY (publisher, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

CREATE TABLE invitations (
    id         TEXT NOT NULL PRIMARY KEY,
    publisher  TEXT NOT NULL REFERENCES publishers (handle),
    user_id    TEXT NOT NULL REFERENCES users (id),
    role       TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'publisher')),
    invited_by TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (publisher, user_id)
);

-- A token's text is shown once; only its digest is kept. NULL in publisher or skill: not restricted.
CREATE TABLE tokens (
    id           TEXT NOT NULL PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id),
    prefix       TEXT NOT NULL,
    sha256       TEXT NOT NULL UNIQUE,
    label        TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    publisher    TEXT REFERENCES publishers (handle),
    skill        TEXT,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    last_used_at BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX tokens_by_user ON tokens (user_id);
CREATE INDEX tokens_by_prefix ON tokens (prefix);

-- A reserved handle or slug that a site administrator gave to somebody.
CREATE TABLE reserved_grants (
    kind       TEXT NOT NULL CHECK (kind IN ('owner', 'slug')),
    name       TEXT NOT NULL,
    publisher  TEXT NOT NULL,
    granted_by TEXT NOT NULL,
    granted_at BIGINT NOT NULL,
    PRIMARY KEY (kind, name, publisher)
);

-- Keys with which authors sign their own releases.
CREATE TABLE publisher_keys (
    publisher  TEXT NOT NULL REFERENCES publishers (handle),
    key_id     TEXT NOT NULL,
    public     TEXT NOT NULL,
    statement  TEXT REFERENCES statements (sha256),
    valid_from BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (publisher, key_id)
);

-- Every change, by whom; rows are only ever added.
CREATE TABLE audit (
    id      TEXT NOT NULL PRIMARY KEY,
    at      BIGINT NOT NULL,
    actor   TEXT NOT NULL,
    action  TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail  TEXT NOT NULL
);
CREATE INDEX audit_by_time ON audit (at, id);
CREATE INDEX audit_by_subject ON audit (subject);
