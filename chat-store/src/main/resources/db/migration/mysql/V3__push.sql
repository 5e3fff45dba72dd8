-- Push: who is told what on which device, and why. Times are in UTC.

-- chat-server: since when the presence of a node is known to be true
ALTER TABLE node_lease ADD COLUMN renewed_at DATETIME(3);

-- chat-server: who follows a room live, on which node
CREATE TABLE room_presence (
	node VARCHAR(128) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	PRIMARY KEY (node, room_id, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX room_presence_room ON room_presence (room_id, username);

-- chat-server adds, notification-worker takes: who vanished, and what may not have reached them
CREATE TABLE lost_session (
	id VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	heard_at DATETIME(3) NOT NULL,
	lost_at DATETIME(3) NOT NULL,
	PRIMARY KEY (id, room_id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server; notification-worker removes what the provider knows no more. The id is the SHA-256 of kind and value.
CREATE TABLE device (
	id CHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	kind VARCHAR(8) NOT NULL,
	token VARCHAR(4096) NOT NULL,
	platform VARCHAR(8) NOT NULL,
	registered_at DATETIME(3) NOT NULL,
	seen_at DATETIME(3) NOT NULL,
	PRIMARY KEY (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX device_username ON device (username);
CREATE INDEX device_seen_at ON device (seen_at);

-- chat-server
CREATE TABLE push_setting (
	username VARCHAR(64) NOT NULL,
	level VARCHAR(16) NOT NULL,
	muted_until DATETIME(3),
	quiet_from TIME,
	quiet_to TIME,
	time_zone VARCHAR(64),
	PRIMARY KEY (username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server
CREATE TABLE room_push_setting (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	level VARCHAR(16),
	muted_until DATETIME(3),
	PRIMARY KEY (room_id, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX room_push_setting_username ON room_push_setting (username);

-- notification-worker: what is to be told, one row for each user and room however many messages there are. What some
-- devices have not taken yet is in the retry columns; the others get only what is new since. The column mention has the
-- position up to which the user is named, 0 for none.
CREATE TABLE push_task (
	username VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	first_position BIGINT NOT NULL,
	last_position BIGINT NOT NULL,
	messages INT NOT NULL,
	mention BIGINT NOT NULL,
	sender VARCHAR(64) NOT NULL,
	text VARCHAR(1000) NOT NULL,
	due_at DATETIME(3) NOT NULL,
	expires_at DATETIME(3) NOT NULL,
	attempts INT NOT NULL,
	retry_devices VARCHAR(4000),
	retry_messages INT NOT NULL,
	claim VARCHAR(64),
	PRIMARY KEY (username, room_id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX push_task_due_at ON push_task (due_at);
CREATE INDEX push_task_claim ON push_task (claim);

-- notification-worker: each decision and each answer of the provider, kept for some days. Ids grow with the time.
CREATE TABLE push_log (
	id BIGINT NOT NULL,
	username VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	first_position BIGINT NOT NULL,
	last_position BIGINT NOT NULL,
	decided_at DATETIME(3) NOT NULL,
	outcome VARCHAR(24) NOT NULL,
	device_id CHAR(64),
	platform VARCHAR(8),
	detail VARCHAR(500) NOT NULL,
	PRIMARY KEY (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX push_log_username ON push_log (username, room_id, last_position);
