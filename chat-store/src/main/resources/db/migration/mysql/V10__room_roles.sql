-- Roles in rooms, what was taken from members, private channels, and invite links. Times are in UTC.

-- chat-server: the default is for servers of the version before, which go on while they are replaced
ALTER TABLE room_member ADD COLUMN role VARCHAR(16) NOT NULL DEFAULT 'member';
-- The creator owns the room, or who joined first if the creator has left.
UPDATE room_member m JOIN (
	SELECT x.room_id, x.username,
		ROW_NUMBER() OVER (PARTITION BY x.room_id ORDER BY CASE WHEN x.username = r.created_by THEN 0 ELSE 1 END,
			x.joined_at, x.username) AS place
	FROM room_member x JOIN room r ON r.id = x.room_id WHERE r.kind <> 'direct'
) o ON o.room_id = m.room_id AND o.username = m.username AND o.place = 1
SET m.role = 'owner';

-- Whether a room has an owner is asked at each change of its members.
CREATE INDEX room_member_role ON room_member (room_id, role);

-- chat-server: whether a channel is private; other rooms always are
ALTER TABLE room ADD COLUMN invite_only BIT(1) NOT NULL DEFAULT b'0';

-- chat-server: what was taken from a user; kept when the user leaves
CREATE TABLE room_restriction (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	reader BIT(1) NOT NULL,
	muted_until DATETIME(3),
	PRIMARY KEY (room_id, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- chat-server: links by which users join; the secret is stored as a SHA-256 hash
CREATE TABLE room_invite (
	id VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	secret_hash VARCHAR(64) NOT NULL,
	created_by VARCHAR(64) NOT NULL,
	created_at DATETIME(3) NOT NULL,
	expires_at DATETIME(3) NOT NULL,
	max_uses INT,
	uses INT NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT room_invite_secret UNIQUE (secret_hash)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX room_invite_room ON room_invite (room_id, expires_at);
