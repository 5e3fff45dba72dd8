-- Pinned messages, and the topic and the settings of rooms.

-- persistence-worker: the position of the last event that pinned the message or ended the pin; 0 if there is none, or if
-- the message is deleted
ALTER TABLE message_state ADD COLUMN pin BIGINT DEFAULT 0 NOT NULL;
ALTER TABLE message_state ADD COLUMN pinned BOOLEAN DEFAULT FALSE NOT NULL;

-- The pinned messages of a room are listed.
CREATE INDEX message_state_pinned ON message_state (room_id, pinned);

-- chat-server: the topic, "" for none, and whether members may pin messages
ALTER TABLE room ADD COLUMN topic VARCHAR(512) DEFAULT '' NOT NULL;
ALTER TABLE room ADD COLUMN member_pins BIT(1) DEFAULT b'0' NOT NULL;
