-- Reactions to messages.

-- persistence-worker: one row for each reaction that a user gives to a message
CREATE TABLE reaction (
	room_id VARCHAR(64) NOT NULL,
	target BIGINT NOT NULL,
	reaction_key VARCHAR(32) NOT NULL,
	username VARCHAR(32) NOT NULL,
	PRIMARY KEY (room_id, target, reaction_key, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- persistence-worker: the position of the last edit, and of the last change of reactions; 0 if there is none, or if the
-- message is deleted
ALTER TABLE message_state ADD COLUMN edited BIGINT NOT NULL DEFAULT 0;
ALTER TABLE message_state ADD COLUMN reacted BIGINT NOT NULL DEFAULT 0;

-- persistence-worker: how many users have given each reaction: JSON, null if there is none
ALTER TABLE message_state ADD COLUMN counts MEDIUMTEXT;

UPDATE message_state SET edited = changed WHERE text IS NOT NULL;
