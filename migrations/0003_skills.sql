-- What is published: skills, their releases, and what binds them.

-- latest_* is derived (see src/lifecycle/latest.rs) and rewritten with every change of state.
CREATE TABLE skills (
    id              TEXT NOT NULL PRIMARY KEY,
    owner           TEXT NOT NULL REFERENCES publishers (handle),
    slug            TEXT NOT NULL,
    latest          TEXT,
    override_target TEXT,
    override_above  TEXT,
    deprecated      TEXT,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    deleted_at      BIGINT,
    name_kept_until BIGINT,
    UNIQUE (owner, slug),
    CHECK ((override_target IS NULL) = (override_above IS NULL))
);
CREATE INDEX skills_by_slug ON skills (slug);

-- A bare slug belongs to the first that published under it.
CREATE TABLE slug_bindings (
    slug     TEXT NOT NULL PRIMARY KEY,
    skill_id TEXT NOT NULL UNIQUE REFERENCES skills (id),
    bound_at BIGINT NOT NULL
);

-- Names that a rename, merge or transfer left behind.
CREATE TABLE aliases (
    owner      TEXT NOT NULL,
    slug       TEXT NOT NULL,
    skill_id   TEXT NOT NULL REFERENCES skills (id),
    statement  TEXT NOT NULL REFERENCES statements (sha256),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (owner, slug)
);
CREATE INDEX aliases_by_skill ON aliases (skill_id);

CREATE TABLE releases (
    id                TEXT NOT NULL PRIMARY KEY,
    skill_id          TEXT NOT NULL REFERENCES skills (id),
    version           TEXT NOT NULL,
    state             TEXT NOT NULL CHECK (state IN ('pending', 'visible', 'suspicious', 'yanked',
                                                     'withdrawn', 'quarantined', 'deleted', 'taken-down')),
    verdict           TEXT NOT NULL CHECK (verdict IN ('clean', 'suspicious', 'not-analysable', 'malicious')),
    awaiting          BIGINT NOT NULL CHECK (awaiting >= 0),
    tree_digest       TEXT NOT NULL,
    archive_sha256    TEXT NOT NULL,
    archive_size      BIGINT NOT NULL,
    size              BIGINT NOT NULL,
    file_count        BIGINT NOT NULL,
    display_name      TEXT NOT NULL,
    summary           TEXT NOT NULL,
    manifest          TEXT NOT NULL,
    changelog         TEXT NOT NULL,
    source_commit     TEXT,
    published_by      TEXT NOT NULL REFERENCES users (id),
    published_at      BIGINT NOT NULL,
    findings          TEXT NOT NULL,
    findings_digest   TEXT NOT NULL,
    ruleset           TEXT NOT NULL,
    ruleset_sha256    TEXT NOT NULL,
    scanned_at        BIGINT NOT NULL,
    release_statement TEXT NOT NULL REFERENCES statements (sha256),
    scan_statement    TEXT NOT NULL REFERENCES statements (sha256),
    UNIQUE (skill_id, version)
);
CREATE INDEX releases_by_tree ON releases (tree_digest);
CREATE INDEX releases_by_archive ON releases (archive_sha256);

CREATE TABLE release_files (
    release_id   TEXT NOT NULL REFERENCES releases (id),
    path         TEXT NOT NULL,
    size         BIGINT NOT NULL,
    sha256       TEXT NOT NULL,
    executable   BIGINT NOT NULL CHECK (executable IN (0, 1)),
    content_type TEXT NOT NULL,
    PRIMARY KEY (release_id, path)
);

-- ClawHub fingerprints by which /resolve finds a release: over the paths as uploaded, and as stored.
CREATE TABLE fingerprints (
    release_id TEXT NOT NULL REFERENCES releases (id),
    kind       TEXT NOT NULL CHECK (kind IN ('uploaded', 'stored')),
    sha256     TEXT NOT NULL,
    PRIMARY KEY (release_id, kind)
);
CREATE INDEX fingerprints_by_sha256 ON fingerprints (sha256);

-- `latest` is never a row here: the skill holds it.
CREATE TABLE tags (
    skill_id   TEXT NOT NULL REFERENCES skills (id),
    tag        TEXT NOT NULL CHECK (tag <> 'latest'),
    release_id TEXT NOT NULL REFERENCES releases (id),
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (skill_id, tag)
);
CREATE INDEX tags_by_release ON tags (release_id);

-- Every restriction ever issued, and by which later one it was lifted. A release's state follows
-- from its open rows (src/lifecycle/state.rs).
CREATE TABLE restrictions (
    sequence    BIGINT NOT NULL PRIMARY KEY CHECK (sequence >= 1),
    action      TEXT NOT NULL CHECK (action IN ('yank', 'unyank', 'withdraw', 'delete', 'undelete', 'quarantine',
                                                'takedown', 'restoration')),
    binds       TEXT NOT NULL CHECK (binds IN ('release', 'bytes')),
    skill_id    TEXT NOT NULL REFERENCES skills (id),
    release_id  TEXT NOT NULL REFERENCES releases (id),
    tree_digest TEXT NOT NULL,
    reason      TEXT NOT NULL,
    actor       TEXT NOT NULL,
    statement   TEXT NOT NULL UNIQUE REFERENCES statements (sha256),
    at          BIGINT NOT NULL,
    lifted_by   BIGINT REFERENCES restrictions (sequence)
);
CREATE INDEX restrictions_by_release ON restrictions (release_id);
CREATE INDEX restrictions_by_tree ON restrictions (tree_digest);

CREATE TABLE stars (
    skill_id TEXT NOT NULL REFERENCES skills (id),
    user_id  TEXT NOT NULL REFERENCES users (id),
    at       BIGINT NOT NULL,
    PRIMARY KEY (skill_id, user_id)
);
CREATE INDEX stars_by_user ON stars (user_id);
