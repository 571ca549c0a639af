-- How people sign in. Secrets are kept as SHA-256 of what was shown; what must be read again is sealed with the web key of
-- the data folder.

-- The last time step that was accepted: no code counts twice.
ALTER TABLE users ADD COLUMN totp_step BIGINT;
ALTER TABLE users ADD COLUMN password_at BIGINT;
-- The token or session that made this one; it is revoked with it. NULL: the operator made it.
ALTER TABLE tokens ADD COLUMN made_from TEXT;

CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES users (id),
    sha256  TEXT NOT NULL,
    used_at BIGINT,
    PRIMARY KEY (user_id, sha256)
);

-- confirmed_at: when the user last proved who they are; what cannot be undone asks for it anew.
CREATE TABLE sessions (
    sha256       TEXT NOT NULL PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id),
    scopes       TEXT NOT NULL,
    made_by      TEXT NOT NULL CHECK (made_by IN ('link', 'password', 'oidc')),
    agent        TEXT NOT NULL,
    address      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    seen_at      BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE sign_in_links (
    sha256     TEXT NOT NULL PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    scopes     TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);

-- A program that asks for a token, and the person who says yes to it. every: milliseconds between two polls.
CREATE TABLE device_codes (
    sha256     TEXT NOT NULL PRIMARY KEY,
    user_code  TEXT NOT NULL UNIQUE,
    label      TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    address    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    every      BIGINT NOT NULL,
    next_poll  BIGINT NOT NULL,
    user_id    TEXT REFERENCES users (id),
    decision   TEXT CHECK (decision IN ('approved', 'denied')),
    decided_at BIGINT,
    taken_at   BIGINT
);

-- Wrong guesses by whom or at what (a keyed digest), and until when the next one waits.
CREATE TABLE guesses (
    key      TEXT NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL CHECK (failures >= 0),
    until    BIGINT NOT NULL,
    at       BIGINT NOT NULL
);

CREATE TABLE oidc_identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX oidc_identities_by_user ON oidc_identities (user_id);

CREATE TABLE oidc_flows (
    sha256     TEXT NOT NULL PRIMARY KEY,
    nonce      TEXT NOT NULL,
    verifier   TEXT NOT NULL,
    back       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
