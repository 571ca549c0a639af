-- Clients of a day are counted by a digest under a key of that day, which goes with the digests.
CREATE TABLE download_keys (
    day BIGINT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL
);
