package io.parley.log;

/**
 * A record with its partition and offset.
 *
 * @param data must not be modified
 */
public record LogRecord(int partition, long offset, byte[] data) {
}
