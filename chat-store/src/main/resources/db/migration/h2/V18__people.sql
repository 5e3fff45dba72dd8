-- Who is away, up to where messages have reached users, and when users were last seen. Times are in UTC.

-- chat-server: whether all sessions of the user on this server say that the user is away
ALTER TABLE node_presence ADD COLUMN away BOOLEAN DEFAULT FALSE NOT NULL;

-- chat-server: the position up to which messages have reached a device of the user; the read position counts too
ALTER TABLE read_marker ADD COLUMN delivered BIGINT DEFAULT 0 NOT NULL;

-- chat-server: when users were last online and not away, null if that is not known, and whether they hide it
CREATE TABLE last_seen (
	username VARCHAR(64) NOT NULL,
	seen_at TIMESTAMP(3),
	hidden BOOLEAN DEFAULT FALSE NOT NULL,
	PRIMARY KEY (username)
);
