-- chat-server: which rooms each user follows live, on which node; " ID1 ID2 " in "rooms". It replaces room_presence, which
-- had a row for each room: servers of the version before write it until they are replaced, and a later version removes it.
CREATE TABLE followed_rooms (
	username VARCHAR(64) NOT NULL,
	node VARCHAR(128) NOT NULL,
	rooms VARCHAR(1000000) NOT NULL,
	PRIMARY KEY (username, node)
);
CREATE INDEX followed_rooms_node ON followed_rooms (node);
