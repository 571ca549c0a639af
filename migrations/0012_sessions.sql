-- What a session was signed in with bounds it.
-- The credential whose link it was; the session ends when that is revoked. NULL: the operator's link, or a password.
ALTER TABLE sessions ADD COLUMN made_from TEXT;
-- Until when that is good: what is made in the session ends by then. NULL: no bound.
ALTER TABLE sessions ADD COLUMN made_until BIGINT;
