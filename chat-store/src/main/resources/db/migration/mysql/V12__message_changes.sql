-- Edited and deleted messages.

-- persistence-worker: the position of the message that an event changes, null for most events
ALTER TABLE room_event ADD COLUMN target BIGINT;

-- persistence-worker: the number of deleted messages of the room
ALTER TABLE room_head ADD COLUMN deletes BIGINT NOT NULL DEFAULT 0;

-- persistence-worker: one row for each message that was changed, none for the others. The position of the last change
-- is in "changed"; the text of a message that was deleted is null.
CREATE TABLE message_state (
	room_id VARCHAR(64) NOT NULL,
	target BIGINT NOT NULL,
	changed BIGINT NOT NULL,
	text MEDIUMTEXT,
	edits INT NOT NULL,
	deleted BOOLEAN NOT NULL,
	PRIMARY KEY (room_id, target),
	CONSTRAINT message_state_changed UNIQUE (room_id, changed)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- A new store has no records that an older build must read.
UPDATE record_format SET version = 2 WHERE NOT EXISTS (SELECT 1 FROM log_epoch);
