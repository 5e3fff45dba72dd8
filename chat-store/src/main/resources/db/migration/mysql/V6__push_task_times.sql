-- notification-worker: when the newest message of a task was sent, and since when the task waits for a server to say who
-- follows the room. Times are in UTC.
ALTER TABLE push_task ADD COLUMN sent_at DATETIME(3), ADD COLUMN waits_since DATETIME(3);
UPDATE push_task SET sent_at = due_at;
-- The default is for workers of the version before, which go on while they are replaced.
ALTER TABLE push_task MODIFY COLUMN sent_at DATETIME(3) NOT NULL DEFAULT (UTC_TIMESTAMP(3));
