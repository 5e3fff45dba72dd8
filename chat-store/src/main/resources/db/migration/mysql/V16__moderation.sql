-- Slow mode of rooms. Times are in UTC.

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
