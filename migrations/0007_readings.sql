-- What the files of a release say when they are read, kept so that no page has to unpack them: what it reaches for, and
-- what lint says. Releases from before are read by a task of the serving program; until then they have no row here.
-- reader: which reading it is; a program whose reading is later reads again.
CREATE TABLE readings (
    release_id   TEXT NOT NULL PRIMARY KEY REFERENCES releases (id),
    reader       BIGINT NOT NULL CHECK (reader >= 1),
    capabilities TEXT NOT NULL,
    lint         TEXT NOT NULL
);

-- The skills that a release requires, by name as it is written; owner is empty where only a slug is.
CREATE TABLE requirements (
    release_id  TEXT NOT NULL REFERENCES releases (id),
    owner       TEXT NOT NULL,
    slug        TEXT NOT NULL,
    requirement TEXT NOT NULL,
    PRIMARY KEY (release_id, owner, slug)
);
CREATE INDEX requirements_by_name ON requirements (slug, owner);
