-- Counts apart by who counts, drafts of the publish page, webhooks.

ALTER TABLE downloads ADD COLUMN bots BIGINT NOT NULL DEFAULT 0;
ALTER TABLE downloads ADD COLUMN mirrors BIGINT NOT NULL DEFAULT 0;
CREATE INDEX downloads_by_day ON downloads (day);

-- An archive that was sent by a browser and is not published yet. blob: its SHA-256.
CREATE TABLE drafts (
    id         TEXT NOT NULL PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    file_name  TEXT NOT NULL,
    blob       TEXT NOT NULL,
    size       BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    release_id TEXT REFERENCES releases (id)
);
CREATE INDEX drafts_by_blob ON drafts (blob);
CREATE INDEX drafts_by_user ON drafts (user_id);

-- publisher NULL: of the whole registry. secret: sealed, for it signs what is sent.
CREATE TABLE webhooks (
    id              TEXT NOT NULL PRIMARY KEY,
    publisher       TEXT REFERENCES publishers (handle),
    url             TEXT NOT NULL,
    secret          TEXT NOT NULL,
    kinds           TEXT NOT NULL,
    created_by      TEXT NOT NULL REFERENCES users (id),
    created_at      BIGINT NOT NULL,
    disabled_at     BIGINT,
    disabled_reason TEXT
);

CREATE TABLE deliveries (
    id           TEXT NOT NULL PRIMARY KEY,
    webhook_id   TEXT NOT NULL REFERENCES webhooks (id),
    event        BIGINT NOT NULL REFERENCES events (event),
    kind         TEXT NOT NULL,
    attempts     BIGINT NOT NULL DEFAULT 0,
    status       BIGINT,
    error        TEXT,
    created_at   BIGINT NOT NULL,
    delivered_at BIGINT,
    dead_at      BIGINT,
    UNIQUE (webhook_id, event)
);
