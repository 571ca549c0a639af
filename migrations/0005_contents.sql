-- One row for each tree digest and each archive digest that anything was done about. There is nothing to read in
-- it: whoever stores a release, closes bytes or sweeps a blob locks the rows of these digests first.
CREATE TABLE contents (
    digest    TEXT NOT NULL PRIMARY KEY,
    locked_at BIGINT NOT NULL
);
