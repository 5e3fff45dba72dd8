-- Times that are written by plain JDBC are in UTC and without a zone, as in MySQL: no driver converts them.
SET TIME ZONE 'UTC';
ALTER TABLE room_event ALTER COLUMN sent_at SET DATA TYPE TIMESTAMP(3);
ALTER TABLE parked_event ALTER COLUMN parked_at SET DATA TYPE TIMESTAMP(3);
ALTER TABLE log_epoch ALTER COLUMN since SET DATA TYPE TIMESTAMP(3);
ALTER TABLE node_lease ALTER COLUMN expires_at SET DATA TYPE TIMESTAMP(3);
SET TIME ZONE LOCAL;
