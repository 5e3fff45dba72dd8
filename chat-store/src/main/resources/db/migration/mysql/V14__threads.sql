-- Replies and threads.

-- persistence-worker: the root of the thread to which an event belongs, null for most events
ALTER TABLE room_event ADD COLUMN thread BIGINT;

-- persistence-worker: of a changed reply the root of its thread, otherwise 0; of a root the number and the position of
-- the last reply, how many replies are deleted, and the names of those who replied last, separated by commas. The column
-- "edited" also has the position of a deletion.
ALTER TABLE message_state ADD COLUMN root BIGINT NOT NULL DEFAULT 0;
ALTER TABLE message_state ADD COLUMN reply_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE message_state ADD COLUMN replies_deleted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE message_state ADD COLUMN last_reply BIGINT NOT NULL DEFAULT 0;
ALTER TABLE message_state ADD COLUMN repliers VARCHAR(400);

-- The deletion of a reply changes the reply and the root of its thread.
ALTER TABLE message_state DROP INDEX message_state_changed, ADD INDEX message_state_changes (room_id, changed);

-- persistence-worker: the replies of each thread; deleted ones keep their number
CREATE TABLE thread_reply (
	room_id VARCHAR(64) NOT NULL,
	root BIGINT NOT NULL,
	position BIGINT NOT NULL,
	number BIGINT NOT NULL,
	PRIMARY KEY (room_id, root, position)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- persistence-worker: who takes part in a thread, with the position of the user's last reply, or that of the root for
-- its author
CREATE TABLE thread_participant (
	room_id VARCHAR(64) NOT NULL,
	root BIGINT NOT NULL,
	username VARCHAR(64) NOT NULL,
	position BIGINT NOT NULL,
	PRIMARY KEY (room_id, root, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX thread_participant_username ON thread_participant (username, room_id, root);

-- chat-server: how far users have read a thread, and whether they have chosen to follow it; "since" is the newest
-- position of the room at that time. Users who have not chosen follow the threads in which they take part.
CREATE TABLE thread_member (
	room_id VARCHAR(64) NOT NULL,
	root BIGINT NOT NULL,
	username VARCHAR(64) NOT NULL,
	read_position BIGINT NOT NULL,
	follows BOOLEAN,
	since BIGINT NOT NULL,
	PRIMARY KEY (room_id, root, username)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
CREATE INDEX thread_member_username ON thread_member (username, room_id, root);

-- notification-worker: one task for each user, room and thread; thread is 0 for the messages of the room itself
ALTER TABLE push_task ADD COLUMN thread BIGINT NOT NULL DEFAULT 0, DROP PRIMARY KEY,
	ADD PRIMARY KEY (username, room_id, thread);
ALTER TABLE push_log ADD COLUMN thread BIGINT NOT NULL DEFAULT 0;
