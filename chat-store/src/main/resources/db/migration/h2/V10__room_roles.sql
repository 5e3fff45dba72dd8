-- Roles in rooms, what was taken from members, private channels, and invite links. Times are in UTC.

-- chat-server: the default is for servers of the version before, which go on while they are replaced
ALTER TABLE room_member ADD COLUMN role VARCHAR(16) NOT NULL DEFAULT 'member';
-- The creator owns the room, or who joined first if the creator has left.
UPDATE room_member SET role = 'owner' WHERE (room_id, username) IN (
	SELECT o.room_id, o.username FROM (
		SELECT x.room_id, x.username,
			ROW_NUMBER() OVER (PARTITION BY x.room_id ORDER BY CASE WHEN x.username = r.created_by THEN 0 ELSE 1 END,
				x.joined_at, x.username) AS place
		FROM room_member x JOIN room r ON r.id = x.room_id WHERE r.kind <> 'direct'
	) o WHERE o.place = 1
);

-- Whether a room has an owner is asked at each change of its members.
CREATE INDEX room_member_role ON room_member (room_id, role);

-- chat-server: whether a channel is private; other rooms always are
ALTER TABLE room ADD COLUMN invite_only BOOLEAN NOT NULL DEFAULT FALSE;

-- chat-server: what was taken from a user; kept when the user leaves
CREATE TABLE room_restriction (
	room_id VARCHAR(64) NOT NULL,
	username VARCHAR(64) NOT NULL,
	reader BOOLEAN NOT NULL,
	muted_until TIMESTAMP(3),
	PRIMARY KEY (room_id, username)
);

-- chat-server: links by which users join; the secret is stored as a SHA-256 hash
CREATE TABLE room_invite (
	id VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	secret_hash VARCHAR(64) NOT NULL,
	created_by VARCHAR(64) NOT NULL,
	created_at TIMESTAMP(3) NOT NULL,
	expires_at TIMESTAMP(3) NOT NULL,
	max_uses INT,
	uses INT NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT room_invite_secret UNIQUE (secret_hash)
);
CREATE INDEX room_invite_room ON room_invite (room_id, expires_at);
