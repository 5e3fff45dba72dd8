-- A rolling upgrade: who reads which record format, and which one is written.

-- chat-server: the newest record format that the server reads; null for one that does not say, which reads format 1 only
ALTER TABLE node_lease ADD COLUMN record_version INT;

-- operators, by way of a chat-server: one row, the record format that servers write
CREATE TABLE record_format (
	version INT NOT NULL,
	PRIMARY KEY (version)
);
INSERT INTO record_format (version) VALUES (1);

-- whoever numbers stored events anew, so that the reader forgets the numbers that it knows
ALTER TABLE reader_offset ADD COLUMN rewrites BIGINT DEFAULT 0 NOT NULL;
