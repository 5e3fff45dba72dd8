-- Mentions of users.

-- persistence-worker: whom the last edit of a message mentions: JSON, null if there is no edit, or if it does not say
ALTER TABLE message_state ADD COLUMN mentions VARCHAR(16384);

-- persistence-worker: the position of the last message of the room that mentioned somebody, changed or not; 0 if there is none
ALTER TABLE room_head ADD COLUMN last_mention BIGINT DEFAULT 0 NOT NULL;

-- persistence-worker: one row for each message and user that it mentions, or one with the name "*" if it mentions the
-- whole room; none for other messages. "thread" is the root of a reply, otherwise 0; "mentioned_at" is when the message
-- was sent, or edited so that it mentions the user.
CREATE TABLE mention (
	username VARCHAR(64) NOT NULL,
	room_id VARCHAR(64) NOT NULL,
	position BIGINT NOT NULL,
	thread BIGINT NOT NULL,
	sender VARCHAR(64) NOT NULL,
	mentioned_at TIMESTAMP(3) NOT NULL,
	PRIMARY KEY (username, room_id, position)
);
CREATE INDEX mention_message ON mention (room_id, position);
CREATE INDEX mention_newest ON mention (username, room_id, mentioned_at);
