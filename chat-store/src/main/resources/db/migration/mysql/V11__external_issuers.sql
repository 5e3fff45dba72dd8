-- Users whose tokens come from external issuers. Times are in UTC.

-- chat-server: inserts only; the account of a user, by issuer and subject
CREATE TABLE external_identity (
	issuer VARCHAR(255) NOT NULL,
	subject VARCHAR(255) NOT NULL,
	username VARCHAR(64) NOT NULL,
	created_at DATETIME(3) NOT NULL,
	PRIMARY KEY (issuer, subject),
	CONSTRAINT external_identity_account UNIQUE (username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server: the tokens of a sign-in, or of a user, that are refused until they have expired
CREATE TABLE external_sign_out (
	id VARCHAR(32) NOT NULL,
	username VARCHAR(64) NOT NULL,
	issued_until DATETIME(3) NOT NULL,
	kept VARCHAR(32),
	ended_at DATETIME(3) NOT NULL,
	expires_at DATETIME(3) NOT NULL,
	PRIMARY KEY (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX external_sign_out_ended ON external_sign_out (ended_at);
CREATE INDEX external_sign_out_expiry ON external_sign_out (expires_at);
