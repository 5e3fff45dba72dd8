-- Drafts, and messages that are sent later. Times are in UTC.

-- chat-server: what users have written and not sent, one draft for each room and thread; thread is 0 for the room itself.
-- "body" is JSON, and null for a draft that was removed: such a row stays for a day, so that versions grow.
CREATE TABLE draft (
	username VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	thread BIGINT NOT NULL,
	version BIGINT NOT NULL,
	changed_at DATETIME(3) NOT NULL,
	body MEDIUMTEXT,
	PRIMARY KEY (username, room_id, thread)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX draft_changed ON draft (changed_at);

-- chat-server: messages to be sent later. "body" is the JSON of the message, and empty once it was sent or cancelled.
-- "due_at" is when a server may take the message: at first send_at, then the end of the claim or the time of the next
-- attempt, in the end when it was finished. "attempts" are those whose outcome is not known.
CREATE TABLE scheduled_message (
	id BIGINT NOT NULL AUTO_INCREMENT,
	username VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	client_id VARCHAR(64) NOT NULL,
	body MEDIUMTEXT NOT NULL,
	send_at DATETIME(3) NOT NULL,
	created_at DATETIME(3) NOT NULL,
	version BIGINT NOT NULL,
	state VARCHAR(16) NOT NULL,
	due_at DATETIME(3) NOT NULL,
	claim VARCHAR(36),
	attempts INT NOT NULL,
	position BIGINT,
	code VARCHAR(64),
	reason VARCHAR(1000),
	PRIMARY KEY (id),
	CONSTRAINT scheduled_message_client UNIQUE (username, room_id, client_id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX scheduled_message_due ON scheduled_message (state, due_at);
