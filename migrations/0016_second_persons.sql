-- Who stopped acting for a publisher, and when: for a while they decide nothing about it.
CREATE TABLE departures (
    publisher TEXT NOT NULL REFERENCES publishers (handle),
    user_id   TEXT NOT NULL REFERENCES users (id),
    left_at   BIGINT NOT NULL,
    PRIMARY KEY (publisher, user_id)
);

-- What is asked for with the list of proposals, and by a publisher about its release.
CREATE INDEX proposals_by_time ON proposals (created_at, id) WHERE decision IS NULL;
CREATE INDEX appeals_by_release ON appeals (release_id, created_at);
CREATE INDEX restrictions_by_skill ON restrictions (skill_id, sequence);
