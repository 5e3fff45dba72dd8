-- Who stays out of a room, who has blocked whom, and what the log has not confirmed. Times are in UTC.

-- chat-server: who was removed from a room by somebody else and has not been let in again
CREATE TABLE room_ban (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	banned_by VARCHAR(64) NOT NULL,
	banned_at DATETIME(3) NOT NULL,
	PRIMARY KEY (room_id, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server: changes of rooms whose event may not be in the log; repeating the request appends it again
CREATE TABLE unconfirmed_change (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	kind VARCHAR(16) NOT NULL,
	changed_at DATETIME(3) NOT NULL,
	PRIMARY KEY (room_id, username, kind)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server
CREATE TABLE user_block (
	username VARCHAR(64) NOT NULL,
	blocked VARCHAR(64) NOT NULL,
	since DATETIME(3) NOT NULL,
	PRIMARY KEY (username, blocked)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
