-- The session in which a program's request for a token was approved: the token is revoked with what signed that in.
ALTER TABLE device_codes ADD COLUMN made_from TEXT;
