-- Each table has one writer; the comment above it says who.
-- Names are compared byte by byte. No foreign keys: they would lock the hot rows they point at.

-- chat-server
CREATE TABLE account (
	username VARCHAR(64) NOT NULL,
	password_hash VARCHAR(255) NOT NULL,
	created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	PRIMARY KEY (username)
);

-- chat-server
CREATE TABLE room (
	id VARCHAR(64) NOT NULL,
	name VARCHAR(128) NOT NULL,
	kind VARCHAR(16) NOT NULL,
	capacity INT,
	member_count INT NOT NULL,
	direct_key VARCHAR(160),
	created_by VARCHAR(64) NOT NULL,
	created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT room_direct_key UNIQUE (direct_key),
	CONSTRAINT room_places CHECK (member_count >= 0 AND (capacity IS NULL OR member_count <= capacity))
);

-- chat-server
CREATE TABLE room_member (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	joined_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	PRIMARY KEY (room_id, username)
);
CREATE INDEX room_member_username ON room_member (username, room_id);

-- chat-server
CREATE TABLE read_marker (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	position BIGINT NOT NULL,
	PRIMARY KEY (room_id, username)
);
CREATE INDEX read_marker_username ON read_marker (username, room_id);

-- persistence-worker
CREATE TABLE room_event (
	room_id VARCHAR(64) NOT NULL,
	position BIGINT NOT NULL,
	prev BIGINT NOT NULL,
	number BIGINT NOT NULL,
	type VARCHAR(32) NOT NULL,
	event_id VARCHAR(64) NOT NULL,
	sender VARCHAR(64) NOT NULL,
	client_id VARCHAR(64),
	sent_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
	body VARCHAR(1000000) NOT NULL,
	PRIMARY KEY (room_id, position),
	CONSTRAINT room_event_client_id UNIQUE (room_id, sender, client_id)
);

-- persistence-worker
CREATE TABLE room_head (
	room_id VARCHAR(64) NOT NULL,
	last_position BIGINT NOT NULL,
	last_number BIGINT NOT NULL,
	PRIMARY KEY (room_id)
);

-- each reader its own rows
CREATE TABLE reader_offset (
	reader VARCHAR(64) NOT NULL,
	partition_no INT NOT NULL,
	epoch BIGINT NOT NULL,
	next_offset BIGINT NOT NULL,
	PRIMARY KEY (reader, partition_no)
);

-- each reader its own rows
CREATE TABLE parked_event (
	reader VARCHAR(64) NOT NULL,
	partition_no INT NOT NULL,
	epoch BIGINT NOT NULL,
	record_offset BIGINT NOT NULL,
	reason VARCHAR(1000) NOT NULL,
	record BLOB NOT NULL,
	parked_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
	PRIMARY KEY (reader, partition_no, epoch, record_offset)
);

-- whoever opens the log
CREATE TABLE log_epoch (
	epoch BIGINT NOT NULL,
	log_id VARCHAR(128) NOT NULL,
	partitions INT NOT NULL,
	since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
	PRIMARY KEY (epoch)
);

-- chat-server
CREATE TABLE node_lease (
	node VARCHAR(128) NOT NULL,
	expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
	PRIMARY KEY (node)
);

-- chat-server
CREATE TABLE node_presence (
	node VARCHAR(128) NOT NULL,
	username VARCHAR(64) NOT NULL,
	PRIMARY KEY (node, username)
);
CREATE INDEX node_presence_username ON node_presence (username, node);
