-- A new epoch over records that are stored already: they are not stored again.

-- whoever opens the log: below these offsets the records belong to an older epoch
CREATE TABLE log_epoch_start (
	epoch BIGINT NOT NULL,
	partition_no INT NOT NULL,
	first_offset BIGINT NOT NULL,
	PRIMARY KEY (epoch, partition_no)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- An event that no client has named is known by its own id, which the same index keeps unique.
UPDATE room_event SET client_id = event_id WHERE client_id IS NULL;
