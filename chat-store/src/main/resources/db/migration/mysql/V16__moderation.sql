-- Slow mode of rooms, and reports of messages. Times are in UTC.

-- chat-server: the seconds between two messages of a member; 0 for none
ALTER TABLE room ADD COLUMN slow_mode INT DEFAULT 0 NOT NULL;

-- chat-server: when users sent their last message in a room with slow mode
CREATE TABLE slow_mode_turn (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	client_id VARCHAR(64) NOT NULL,
	taken_at DATETIME(3) NOT NULL,
	PRIMARY KEY (room_id, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server: reports of messages; the text is a copy of that of the message, and null once the report is closed
CREATE TABLE message_report (
	id BIGINT NOT NULL AUTO_INCREMENT,
	room_id VARCHAR(64) NOT NULL,
	position BIGINT NOT NULL,
	sender VARCHAR(64) NOT NULL,
	reporter VARCHAR(64) NOT NULL,
	reason VARCHAR(500) NOT NULL,
	text MEDIUMTEXT,
	reported_at DATETIME(3) NOT NULL,
	state VARCHAR(16) NOT NULL,
	closed_by VARCHAR(64),
	closed_at DATETIME(3),
	note VARCHAR(500),
	PRIMARY KEY (id),
	CONSTRAINT message_report_once UNIQUE (room_id, position, reporter)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX message_report_state ON message_report (state, id);
CREATE INDEX message_report_room ON message_report (room_id, id);
CREATE INDEX message_report_time ON message_report (reported_at);
