-- Who may do what with an account, how people get one, and what was done with accounts. Times are in UTC.

-- chat-server: 'active', 'suspended' or 'disabled'; changed_at is set with each change of the state or of the operator flag
ALTER TABLE account ADD COLUMN state VARCHAR(16) DEFAULT 'active' NOT NULL;
ALTER TABLE account ADD COLUMN is_operator BOOLEAN DEFAULT FALSE NOT NULL;
ALTER TABLE account ADD COLUMN changed_at DATETIME(6);
-- The operators, and the accounts that are not active, are few.
CREATE INDEX account_state ON account (state, is_operator);
CREATE INDEX account_changed ON account (changed_at);

-- chat-server: links with which people register; only the SHA-256 of the secret is stored
CREATE TABLE account_invite (
	id VARCHAR(32) NOT NULL,
	token_hash VARCHAR(64) NOT NULL,
	created_by VARCHAR(64) NOT NULL,
	created_at DATETIME(3) NOT NULL,
	expires_at DATETIME(3) NOT NULL,
	max_uses INT NOT NULL,
	uses INT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT account_invite_token UNIQUE (token_hash),
	CONSTRAINT account_invite_uses CHECK (uses >= 0 AND uses <= max_uses)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX account_invite_expiry ON account_invite (expires_at);

-- chat-server: links with which a user sets a new password; one for each user, only the SHA-256 of the secret is stored
CREATE TABLE password_reset (
	username VARCHAR(64) NOT NULL,
	token_hash VARCHAR(64) NOT NULL,
	expires_at DATETIME(3) NOT NULL,
	used_at DATETIME(3),
	PRIMARY KEY (username),
	CONSTRAINT password_reset_token UNIQUE (token_hash)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server: inserts, and deletes after the retention time; nothing is updated
CREATE TABLE audit_event (
	id BIGINT NOT NULL AUTO_INCREMENT,
	happened_at DATETIME(3) NOT NULL,
	action VARCHAR(48) NOT NULL,
	actor VARCHAR(64),
	username VARCHAR(64),
	address VARCHAR(64),
	node VARCHAR(128) NOT NULL,
	detail VARCHAR(500),
	PRIMARY KEY (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX audit_event_time ON audit_event (happened_at);
CREATE INDEX audit_event_actor ON audit_event (actor, id);
CREATE INDEX audit_event_username ON audit_event (username, id);
CREATE INDEX audit_event_action ON audit_event (action, id);
