-- Sign-ins: one row for each device that is signed in. Times are in UTC.

-- chat-server: the generation is that of the newest refresh token
CREATE TABLE sign_in (
	id VARCHAR(32) NOT NULL,
	username VARCHAR(64) NOT NULL,
	generation BIGINT NOT NULL,
	device VARCHAR(128) NOT NULL,
	created_at TIMESTAMP(3) NOT NULL,
	used_at TIMESTAMP(3) NOT NULL,
	rotated_at TIMESTAMP(3),
	expires_at TIMESTAMP(3) NOT NULL,
	ended_at TIMESTAMP(3),
	reason VARCHAR(32),
	PRIMARY KEY (id)
);
CREATE INDEX sign_in_user ON sign_in (username, ended_at);
CREATE INDEX sign_in_ended ON sign_in (ended_at);
CREATE INDEX sign_in_expires ON sign_in (expires_at);

-- chat-server: rises when all or all other sign-ins of the account are ended
ALTER TABLE account ADD COLUMN sign_in_version INT DEFAULT 0 NOT NULL;
