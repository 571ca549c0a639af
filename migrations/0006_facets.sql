-- What browsing filters by, from the manifest of a release. os: 1 linux, 2 macos, 4 windows, added up. Of releases from
-- before nothing was written down: they count as for every system, and as needing secrets.
ALTER TABLE releases ADD COLUMN os BIGINT NOT NULL DEFAULT 7;
ALTER TABLE releases ADD COLUMN secrets BIGINT NOT NULL DEFAULT 1;
