-- What is asked for with every change of a skill, and with every case of a moderator.
CREATE INDEX restrictions_open ON restrictions (skill_id, sequence) WHERE lifted_by IS NULL;
CREATE INDEX reports_by_skill ON reports (skill_id, created_at);
CREATE INDEX reports_by_time ON reports (created_at, id);
